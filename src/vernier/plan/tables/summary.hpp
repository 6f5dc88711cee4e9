#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/plan/plan.hpp"

// What a person wants to know of a [[table]] before it is released. Nothing in it depends on data.
namespace vernier::plan {

// The tables of so many columns.
struct OrderSummary {
  std::size_t order;
  std::int64_t tables;
  std::int64_t cells;              // of all of them
  double least, median, greatest;  // of their accuracies
  std::int64_t told_from_zero;     // the least estimate, in whole numbers, whose interval excludes 0 in all of them
};
std::vector<OrderSummary> orders_of(const BoundTables& tables, const PlannedTables& planned);

// What all tables of 0 to `order` columns would cost at the same delta, all of them as accurate as the worst of the
// plan; about, by the formula of the Gaussian law. `apart` is the price of noise of its own for every table.
struct OrderPrice {
  std::size_t order;
  double epsilon;
  double apart;
};
// From the order below that of the plan to the one above it, as far as there are such; none where the tables are not
// all of those up to an order.
std::vector<OrderPrice> prices_by_order(const BoundTables& tables, const PlannedTables& planned, privacy::Delta delta);

// More of them, in all tables and contrasts of a [[table]], are not released at once.
inline constexpr std::int64_t most_released_cells = 50'000'000;
std::int64_t released_cells(const table::Lattice& lattice);

// Where the plan is of little use, and what to do instead: sentences.
std::vector<std::string> warnings_of(const BoundTables& tables, const PlannedTables& planned);

// "sex, region", or "(all rows)".
std::string name_of_table(const BoundTables& tables, const table::Columns& set);

}  // namespace vernier::plan
