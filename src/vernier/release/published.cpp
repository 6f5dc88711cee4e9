#include "vernier/release/published.hpp"

#include <algorithm>

#include "vernier/plan/levels.hpp"

namespace vernier::release {
namespace {

using query::KeyOrder;

bool comes_first(const Row& a, const Row& b, std::span<const KeyOrder> order) {
  for (const KeyOrder& by : order) {
    const query::Value &left = a.keys[by.key], &right = b.keys[by.key];
    if (left != right) return by.descending ? right < left : left < right;
  }
  return false;
}

bool is_kept(const Prepared& prepared, std::span<const Integers> noisy, std::size_t group) {
  return !prepared.key_rule || prepared.key_rule->keeps(noisy.front().all()[group]);
}

using Makers = std::vector<NumberMaker>;

Result<Number> number(const Prepared& prepared, const Makers& makers, std::span<const Integers> noisy,
                      std::size_t group, std::size_t measurement) {
  const std::vector<plan::Measurement>& all = prepared.statistic->measurements;
  const std::size_t source = all[measurement].source.value_or(measurement), width = all[source].width;
  return makers[measurement](noisy[source].all().subspan(group * width, width));
}

std::vector<std::int64_t> noisy_of(const Prepared& prepared, std::span<const Integers> noisy, std::size_t group) {
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    const std::size_t width = prepared.statistic->measurements[i].width;
    const auto one = noisy[i].all().subspan(group * width, width);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

Result<Row> row_of(const Prepared& prepared, const Makers& makers, const ExactNumbers& exact,
                   std::span<const Integers> noisy, std::size_t group) {
  Row row{exact.keys(group), {}, noisy_of(prepared, noisy, group)};
  for (const std::size_t measurement : prepared.measurements) {
    VERNIER_TRY(const Number one, number(prepared, makers, noisy, group, measurement));
    row.numbers.push_back(one);
  }
  return row;
}

// Those of the plan, but where intervals are to hold at once for as many groups as passed.
Result<Makers> makers_for(const Prepared& prepared, std::size_t rows) {
  const plan::BoundStatistic& statistic = *prepared.statistic;
  if (statistic.keys.are_public || !statistic.inference.is_simultaneous) return prepared.makers;
  return makers_of(statistic, *prepared.planned, prepared.alpha, plan::released_groups(statistic, rows));
}

}  // namespace

Result<Table> published(const Prepared& prepared, const ExactNumbers& exact, std::span<const Integers> noisy) {
  std::vector<std::size_t> kept;
  for (std::size_t group = 0; group < exact.groups(); ++group) {
    if (is_kept(prepared, noisy, group)) kept.push_back(group);
  }
  VERNIER_TRY(const Makers makers, makers_for(prepared, kept.size()));
  Table table;
  for (const std::size_t group : kept) {
    VERNIER_TRY(Row row, row_of(prepared, makers, exact, noisy, group));
    table.rows.push_back(std::move(row));
  }
  const auto& order = prepared.statistic->query.order;
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [&](const Row& a, const Row& b) { return comes_first(a, b, order); });
  return table;
}

}  // namespace vernier::release
