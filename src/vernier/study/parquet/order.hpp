#pragma once

#include <string>

#include "vernier/plan/plan.hpp"
#include "vernier/table/contrast.hpp"

namespace vernier::study {

// The cells of all tables of so many columns of a [[table]] as a Parquet file: the keys, none where a table has not the
// column, estimate, value, low and high, in the order of the CSV file.
std::string order_parquet(const plan::BoundTables& tables, const plan::PlannedTables& planned, std::size_t order,
                          const table::Noisy& contrasts);

}  // namespace vernier::study
