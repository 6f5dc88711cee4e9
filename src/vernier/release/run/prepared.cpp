#include "vernier/release/run/prepared.hpp"

#include <algorithm>

#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/number/number_maker.hpp"
#include "vernier/release/run/sampler.hpp"

namespace vernier::release {

namespace {

using plan::BoundStatistic;
using plan::PlannedStatistic;

Failure wrong(const BoundStatistic& statistic, const std::string& how) {
  return invalid("the plan of the statistic '" + statistic.name + "' " + how + "; make the plan anew");
}

// The measurement of each aggregation.
Result<std::vector<std::size_t>> places_of(const BoundStatistic& statistic) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i) {
    const auto found = std::find_if(statistic.measurements.begin(), statistic.measurements.end(),
                                    [&](const plan::Measurement& one) { return one.aggregation == i; });
    if (found == statistic.measurements.end()) return wrong(statistic, "measures nothing for one of its columns");
    places.push_back(static_cast<std::size_t>(found - statistic.measurements.begin()));
  }
  return places;
}

// Private keys have a rule, and the number of units comes first; public ones have none.
bool has_its_keys(const BoundStatistic& statistic, const PlannedStatistic& planned) {
  if (statistic.keys.are_public) return !planned.keys.has_value();
  return planned.keys && !statistic.measurements.empty() && statistic.measurements.front().kind == plan::Units::kind;
}

// What makes the noisy integers of the measurement; nothing where they are shared.
Result<AnySampler> sampler_of(const plan::Measured& in, const plan::Law& law, Alpha level) {
  if (in.one.source || in.one.copied) return AnySampler();
  VERNIER_TRY(const plan::Drawing drawing, plan::drawing_of(in, law, level));
  return std::visit(
      [&]<class Known>(const Known& known) -> Result<AnySampler> {
        if constexpr (std::is_same_v<Known, plan::BoxedNumbers>) {
          VERNIER_TRY(auto sampler, noise::BoxSampler::of(known.law, known.halves));
          return AnySampler(BoxesSampler(std::move(sampler)));
        } else if constexpr (std::is_same_v<Known, plan::AddedNoise>) {
          return AnySampler(Sampler(known.law, known.kept));
        } else if constexpr (std::is_same_v<Known, plan::TreeEnds>) {
          return AnySampler(TreeSampler(known, in.one.tallies.front()));
        } else {
          return AnySampler(PointsSampler(known, in.one.tallies.front()));
        }
      },
      drawing);
}

Result<void> add_samplers(Prepared& made) {
  const BoundStatistic& statistic = *made.statistic;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    VERNIER_TRY(const auto level, plan::level_of(statistic, i, made.alpha, plan::planned_groups(statistic)));
    VERNIER_TRY(auto sampler, sampler_of(plan::measured_at(statistic, i), made.planned->noise[i].law, level));
    made.samplers.push_back(std::move(sampler));
  }
  return {};
}

Result<Prepared> prepared(const BoundStatistic& statistic, const PlannedStatistic& planned, Alpha alpha,
                          const engine::Session& session) {
  if (planned.noise.size() != statistic.measurements.size())
    return wrong(statistic, "has noise for other measurements");
  if (!has_its_keys(statistic, planned)) return wrong(statistic, "does not say how its private keys are chosen");
  if (plan::rests_on_public_count(statistic) && !plan::has_all_rows_of_public_count(statistic)) {
    return wrong(statistic, "takes a number of rows for public that is not");
  }
  VERNIER_TRY(const std::vector<std::size_t> places, places_of(statistic));
  VERNIER_TRY(session.check_joins(statistic));
  Prepared made{
      &statistic, plan::render(statistic, session.form(statistic), session.dialect()), {}, {}, places, {}, &planned,
      alpha};
  if (const Result<void> taken = session.check_statement(made.sql); !taken) {
    return Failure(about("the statistic '" + statistic.name + "'", taken.error()));
  }
  if (planned.keys) made.key_rule = accounting::KeyRule(planned.keys->threshold);
  VERNIER_TRY(auto makers, makers_of(statistic, planned, alpha, plan::planned_groups(statistic)));
  made.makers = std::move(makers);
  return add_samplers(made).map([&] { return std::move(made); });
}

}  // namespace

std::optional<std::size_t> Prepared::keys_like() const {
  if (statistic->keys.are_public) return std::nullopt;
  const auto& copied = statistic->measurements.front().copied;
  return copied ? std::optional(copied->statistic) : std::nullopt;
}

bool is_copied_later(const std::vector<Prepared>& all, std::size_t place) {
  return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(place) + 1, all.end(), [&](const Prepared& later) {
    const auto& measurements = later.statistic->measurements;
    return std::any_of(measurements.begin(), measurements.end(),
                       [&](const plan::Measurement& one) { return one.copied && one.copied->statistic == place; });
  });
}

Result<std::vector<NumberMaker>> makers_of(const BoundStatistic& statistic, const PlannedStatistic& planned,
                                           Alpha alpha, std::int64_t groups) {
  std::vector<NumberMaker> makers;
  for (std::size_t i = 0; i < planned.noise.size(); ++i) {
    VERNIER_TRY(const auto maker, plan::level_of(statistic, i, alpha, groups).and_then([&](Alpha level) {
      return figure_maker(statistic, i, planned, level);
    }));
    makers.push_back(maker);
  }
  return makers;
}

Result<std::vector<Prepared>> prepare(const plan::Plan& plan, const engine::Session& session) {
  std::vector<Prepared> all;
  for (std::size_t i = 0; i < plan.study.statistics.size(); ++i) {
    VERNIER_TRY(Prepared one, prepared(plan.study.statistics[i], plan.statistics.at(i), plan.study.alpha, session));
    all.push_back(std::move(one));
  }
  return all;
}

namespace {

using query::KeyOrder;

// By keys alone: what numbers decide is done once all of them are there (derived/formula.hpp).
bool comes_first(const Row& a, const Row& b, std::span<const KeyOrder> order) {
  for (const KeyOrder& by : order) {
    if (by.number) return false;
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
