#pragma once

#include "vernier/plan/description.hpp"

// The facts of a [[table]] and of its plan, named once: what is hashed, what a certificate has, and what is read back.
namespace vernier::plan {

// Fills what follows from the columns, the lattice, the targets and alpha: the level of a cell, the design and the
// scale that the targets need. The subject of an error is for the caller to add.
Result<void> design_tables(BoundTables& tables, Alpha alpha);

// How much more its noise costs, at most, than any of the same kind that promises as much, by its multipliers: a part
// of the least. Infinite where these are no dual point.
double gap_of(const BoundTables& tables, const PlannedTables& planned);

inline constexpr std::size_t most_table_sets = 1000;

template <class V>
void describe_table_columns(V& v, Of<V, BoundTables>& tables) {
  const auto grow = [&] {
    if constexpr (V::reads) tables.columns.emplace_back();
  };
  v.objects("columns", tables.columns.size(), table::most_columns, grow, [&](V& column, std::size_t i) {
    column("name", tables.columns[i].name);
    column("keys", tables.columns[i].keys, AtMost{1'000'000});
  });
}

// The tables by the places of their columns, with what was asked of them and what the plan promises.
template <class V>
void describe_tables_of(V& v, Of<V, BoundTables>& tables, Of<V, PlannedTables>& planned) {
  std::vector<table::Columns> sets;
  if constexpr (!V::reads) sets = tables.lattice->tables();
  const auto grow = [&] {
    if constexpr (V::reads) {
      sets.emplace_back();
      planned.deviations.push_back(0);
      planned.accuracies.push_back(0);
      planned.multipliers.push_back(0);
    }
  };
  v.objects("tables", sets.size(), table::most_tables, grow, [&](V& one, std::size_t i) {
    one("columns", sets[i], AtMost{table::most_order}, Whole{0, static_cast<std::int64_t>(table::most_columns)});
    std::optional<double> target;
    if constexpr (!V::reads) {
      if (!tables.targets.empty()) target = tables.targets[i];
    }
    one.maybe("target", target);
    if constexpr (V::reads) {
      if (target) tables.targets.push_back(*target);
    }
    one("deviation", planned.deviations[i]);
    one("accuracy", planned.accuracies[i]);
    one("multiplier", planned.multipliers[i]);
  });
  if constexpr (V::reads) {
    std::vector<std::int64_t> keys;
    for (const TableColumn& column : tables.columns) keys.push_back(static_cast<std::int64_t>(column.keys.size()));
    v.require("tables", tables.targets.empty() || tables.targets.size() == sets.size(),
              "must all have a target or none");
    Result<table::Lattice> lattice = table::Lattice::of(std::move(keys), std::move(sets));
    v.require("tables", lattice.has_value(), "must be sets of its columns, each once");
    if (lattice) tables.lattice = std::make_shared<const table::Lattice>(*std::move(lattice));
  }
}

// The scales of the contrasts, in the order of the lattice's residuals.
template <class V>
void describe_contrast_scales(V& v, Of<V, PlannedTables>& planned) {
  std::vector<double> scales;
  for (const noise::DiscreteGaussian& law : planned.laws) scales.push_back(law.scale());
  v("contrast_scales", scales, AtMost{10'000'000});
  if constexpr (V::reads) {
    for (const double scale : scales) {
      const auto law = Sigma::of(scale).and_then(noise::DiscreteGaussian::of);
      v.require("contrast_scales", law.has_value(), "must be scales that the law takes");
      if (law) planned.laws.push_back(*law);
    }
  }
}

template <class V>
void describe_tables(V& v, Of<V, BoundTables>& tables, Of<V, PlannedTables>& planned) {
  v("name", tables.name);
  v("table", tables.counted.table.name);
  v("statement", tables.sql);
  v("row_limit", tables.counted.table.row_limit, Whole{1, query::greatest_row_limit});
  v("max_rows", tables.counted.contribution.max_rows, Whole{1, query::greatest_max_rows});
  if constexpr (V::reads) tables.counted.contribution.max_groups = tables.counted.contribution.max_rows;
  v.flag("line_breaks", tables.counted.table.source.line_breaks);
  describe_links(v, tables.counted);
  v("rest", tables.rest);
  v("even", tables.even);
  v("weight", tables.weight, above_zero);
  v("simultaneous", tables.is_simultaneous);
  describe_table_columns(v, tables);
  describe_tables_of(v, tables, planned);
  v("scale", planned.scale);
  v("share", planned.share);
  v("gap", planned.gap);
  describe_contrast_scales(v, planned);
}

}  // namespace vernier::plan
