#include "vernier/plan/description.hpp"

#include <algorithm>
#include <numeric>

#include "vernier/plan/tables/description.hpp"

namespace vernier::plan {
namespace {

// Public ones are a set: the catalog declares them in an order, the statement may ask for another.
void describe_cells(JsonOut& v, const BoundStatistic& statistic) {
  std::vector<std::vector<query::Value>> cells = statistic.keys.cells;
  std::sort(cells.begin(), cells.end());
  v.exactly("cells", cells.size(), [&](JsonOut& cell, std::size_t i) {
    for (std::size_t j = 0; j < statistic.query.keys.size(); ++j) {
      describe_value(cell, statistic.query.keys[j].name, query::type_of(cells[i][j]), cells[i][j]);
    }
  });
}

void describe_statistic(JsonOut& v, const BoundStatistic& statistic, const PlannedStatistic& planned,
                        const EngineTexts& texts) {
  v("name", statistic.name);
  describe_key_names(v, statistic.query);
  describe_bounds(v, statistic);
  describe_keys(v, statistic, planned.keys);
  describe_cells(v, statistic);
  v.exactly("measurements", planned.noise.size(), [&](JsonOut& one, std::size_t i) {
    describe_measurement(one, statistic, statistic.measurements[i], planned.noise[i]);
    describe_release(one, statistic, statistic.measurements[i], planned.noise[i]);
  });
  describe_formulas(v, statistic.query);
  describe_selection(v, statistic.query);
  describe_engine(v, statistic, texts);
}

}  // namespace

EngineTexts texts_of(const BoundStatistic& statistic) {
  EngineTexts texts{query::canonical(statistic.query), {}};
  for (const Argument& one : statistic.arguments) texts.arguments.push_back(query::canonical(one.expression));
  return texts;
}

Result<Law> law_of(LawName name, double scale) {
  const auto any = [](const auto& known) { return Law(known); };
  switch (name) {
    case LawName::geometric:
      return LaplaceScale::of(scale).and_then(noise::Geometric::of).map(any);
    case LawName::discrete_gaussian:
      return Sigma::of(scale).and_then(noise::DiscreteGaussian::of).map(any);
    case LawName::box:
      return LaplaceScale::of(scale).and_then(noise::Box::of).map(any);
    case LawName::exponential:
      break;
  }
  return LaplaceScale::of(scale).and_then(noise::Exponential::of).map(any);
}

std::optional<query::Fraction> fraction_of(std::string_view text) {
  const auto found = numeric::Rational::of_decimal(text);
  if (!found) return std::nullopt;
  std::int64_t whole = 1;
  for (int digit = 0; digit < query::most_fraction_digits; ++digit) whole *= 10;
  const std::int64_t parts = (*found * numeric::Rational::of(whole)).floor().value_or(0);
  if (parts <= 0 || parts >= whole) return std::nullopt;
  const std::int64_t common = std::gcd(parts, whole);
  return query::Fraction{parts / common, whole / common};
}

std::string canonical(const Plan& plan, const std::vector<EngineTexts>& texts) {
  const query::Table& table = first_table(plan.study);
  return json_of([&](JsonOut& v) {
    v("version", plan_version);
    if (!plan.study.origin.catalog.empty()) v("catalog", plan.study.origin.catalog);
    if (!plan.study.origin.sources.empty()) v("sources", plan.study.origin.sources);
    v("unit_column", table.unit);
    describe_protection(v, plan);
    v("alpha", plan.study.alpha);
    v.exactly("statistics", plan.statistics.size(), [&](JsonOut& one, std::size_t i) {
      describe_statistic(one, plan.study.statistics[i], plan.statistics[i], texts[i]);
    });
    if (plan.tables.empty()) return;
    v.exactly("tables", plan.tables.size(),
              [&](JsonOut& one, std::size_t i) { describe_tables(one, plan.study.tables[i], plan.tables[i]); });
  });
}

std::string canonical(const Plan& plan) {
  std::vector<EngineTexts> texts;
  for (const BoundStatistic& one : plan.study.statistics) texts.push_back(texts_of(one));
  return canonical(plan, texts);
}

}  // namespace vernier::plan
