#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/release_plans.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/tables/description.hpp"

// Plans of one [[table]] made by hand, and rows for an engine to tell.
namespace vernier::testing {

inline std::shared_ptr<const table::Lattice> lattice_up_to(const std::vector<std::int64_t>& keys, std::size_t order) {
  return std::make_shared<const table::Lattice>(*table::Lattice::of(keys, *table::all_up_to(keys.size(), order)));
}

// The statement that counts rows by so many columns of codes.
inline plan::BoundStatistic counted_by(std::size_t columns) {
  plan::BoundStatistic made = test::with_private_keys(test::bound_statistic("people", {}), 1);
  made.table = release_table();
  for (std::size_t i = 0; i < columns; ++i) {
    const query::Column column = column_of("c" + std::to_string(i), Type::integer);
    made.table.columns.push_back(column);
    made.query.keys.push_back({query::column(column), column.name});
  }
  return made;
}

// All tables of up to `order` of the columns, which have so many keys.
inline plan::BoundTables bound_tables(const std::vector<std::int64_t>& keys, std::size_t order) {
  plan::BoundTables made{.name = "people",
                         .counted = counted_by(keys.size()),
                         .sql = "SELECT 1",
                         .columns = {},
                         .rest = "other",
                         .lattice = lattice_up_to(keys, order),
                         .targets = {},
                         .even = query::Evenness::cells,
                         .weight = numeric::Rational::of(1),
                         .is_simultaneous = false,
                         .level = *Alpha::of(0.05),
                         .design = {},
                         .scale = {}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    made.columns.push_back({"c" + std::to_string(i), {}});
    for (std::int64_t k = 0; k < keys[i]; ++k) made.columns.back().keys.push_back("k" + std::to_string(k));
  }
  return made;
}

inline plan::Plan plan_of_tables(plan::BoundTables tables, const std::string& epsilon) {
  plan::BoundStudy study = test::bound_study({}, {epsilon});
  if (!plan::design_tables(tables, study.alpha)) throw std::runtime_error("no design");
  study.tables.push_back(std::move(tables));
  return plan::allocate(study).value();
}

// What an engine brings: rows of one combination of keys.
inline RawGroup raw_cell(const std::vector<std::int64_t>& codes, std::int64_t rows) {
  RawGroup group{0, {}, {rows}};
  for (const std::int64_t code : codes) group.keys.emplace_back(code);
  return group;
}

}  // namespace vernier::testing
