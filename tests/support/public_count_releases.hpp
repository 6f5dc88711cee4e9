#pragma once

#include <stdexcept>

#include "support/signed_releases.hpp"

// Means that rest on the public number of rows.
namespace vernier::testing {

// SELECT AVG(educ) AS educ FROM people
inline BoundStatistic mean_of_all(const query::Inference& inference = {}) {
  BoundStatistic made = test::bound_statistic("all", {});
  made.table = release_table();
  made.table.public_count = true;
  made.table.neighbours = Neighbours::replace;
  made.table.columns[1].never_null = true;
  made.query.aggregations = {{query::Aggregate::average, query::column(made.table.columns[1]), "educ"}};
  made.query.outputs = {{false, 0}};
  made.keys = {true, {{}}};
  made.inference = inference;
  if (!plan::measure(made, 0)) throw std::logic_error("the test's own statistic cannot be measured");
  return made;
}

}  // namespace vernier::testing
