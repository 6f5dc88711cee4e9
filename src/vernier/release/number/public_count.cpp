#include "vernier/release/number/public_count.hpp"

#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/release/derived/derived.hpp"

namespace vernier::release {

Failure more_rows_than_may_be(const query::Table& table) {
  return fail(ErrorKind::system, "the table '" + table.name +
                                     "' has more rows, a number that is public, than its row_limit of " +
                                     std::to_string(table.row_limit) + "; raise it in the catalog");
}

std::optional<std::int64_t> public_rows(const plan::BoundStatistic& statistic, const Table& table) {
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const bool is_there = plan::has_public_count(statistic.measurements[i].kind) && !table.rows.empty();
    if (is_there) return noisy_column(statistic, i).of(table.rows.front()).front();
  }
  return std::nullopt;
}

}  // namespace vernier::release
