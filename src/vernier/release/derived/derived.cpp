#include "vernier/release/derived/derived.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "vernier/denoise/denoise.hpp"
#include "vernier/interval/difference.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/plan/statistic/mean.hpp"
#include "vernier/plan/statistic/moment_sum.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/release/number/number_maker.hpp"

namespace vernier::release {
namespace {

using interval::Covers;
using interval::Status;
using plan::BoundStatistic;
using plan::Measurement;
using Noisy = std::span<const std::int64_t>;

// What a release tells of one group at one level.
struct Told {
  double value;
  interval::Interval interval;
  Status status;
  Covers covers;
  bool informative;
  bool may_be_empty;
};

// One group, as interval::DifferenceInference wants it: the very numbers that are published, at another level.
class GroupInference {
 public:
  explicit GroupInference(NumberMaker maker) : maker_(std::move(maker)) {}
  Result<Told> from(std::span<const std::int64_t> noisy) const {
    return maker_(noisy).map([](const Number& one) {
      return Told{one.value, one.interval, one.coverage, one.covers, one.informative, one.may_be_empty};
    });
  }

 private:
  NumberMaker maker_;
};

Number published(const interval::DifferenceInterval& found) {
  return {.value = found.value,
          .accuracy = found.accuracy,
          .interval = found.interval,
          .is_whole = false,
          .coverage = found.status,
          .covers = found.covers,
          .informative = found.informative,
          .may_be_empty = found.may_be_empty};
}

// A difference of counts or sums of the rows, which may lie so much further apart than their steps.
Number told(const plan::Estimate& estimate, double by) {
  Number made = number_of(estimate);
  made.coverage = Status::proven;
  if (!(by > 0)) return made;
  made.interval = {numeric::subtract_down(made.interval.low, by), numeric::add_up(made.interval.high, by)};
  made.accuracy = numeric::add_up(made.accuracy, by);
  made.is_whole = false;
  return made;
}

// Of numbers that are one integer with noise each: from the law of the difference of two noises.
template <class Law>
Result<DifferenceMaker> additive_maker(const plan::Measured& in, const Law& law, Alpha alpha) {
  const Measurement& measurement = in.one;
  const std::int64_t width = measurement.greatest - measurement.least;
  return interval::PossibleRange::of(-width, width).map([&](const interval::PossibleRange& range) -> DifferenceMaker {
    const plan::Scale scale{measurement.granularity, range, measurement.granularity >= 1};
    const std::int64_t accuracy = interval::difference_accuracy(law, alpha);
    return [scale, accuracy, by = 2 * plan::sum_rounding(in)](Noisy first, Noisy second) {
      return Result<Number>(
          told(plan::scaled(interval::difference(first[0], second[0], accuracy, scale.possible), scale), by));
    };
  });
}

// What rounding moves the sum of one group by, where the rows of each may be counted at half of what is left for that.
Result<plan::SumReach> reach_in_groups(const plan::Measured& in, const plan::AdditiveLaw& law, Alpha alpha) {
  if (!plan::is_rounded_moment_sum(in)) return plan::SumReach([by = plan::sum_rounding(in)](Noisy) { return by; });
  VERNIER_TRY(const plan::SumLevels levels, plan::sum_levels(alpha));
  VERNIER_TRY(const Alpha half, Alpha::of(levels.of_rows.value() / 2));
  return plan::sum_reach(in, law, half);
}

Alpha level_of_noise(const plan::Measured& in, Alpha alpha) {
  const Result<plan::SumLevels> levels = plan::sum_levels(alpha);
  return plan::is_rounded_moment_sum(in) && levels ? levels->of_sum : alpha;
}

// Of counts and sums that are made from the sums of a mean: from the law of all their noises.
template <class Law>
Result<DifferenceMaker> combined_maker(const plan::Measured& in, const Law& law, Alpha alpha) {
  VERNIER_TRY(const interval::MeanNodes nodes, plan::nodes_of(in));
  VERNIER_TRY(const plan::LinearFigure figure, plan::linear_figure(in.one, nodes));
  const std::int64_t width = figure.possible.greatest() - figure.possible.least();
  VERNIER_TRY(const auto range, interval::PossibleRange::of(-width, width));
  const plan::Scale scale{figure.granularity, range, figure.granularity >= 1};
  VERNIER_TRY(const plan::SumReach reach, reach_in_groups(in, law, alpha));
  const auto inference =
      interval::LinearInference<Law>::of_difference(law, nodes, figure.form, range, level_of_noise(in, alpha));
  return DifferenceMaker([inference, scale, reach](Noisy first, Noisy second) {
    std::vector<std::int64_t> less(first.size());
    std::transform(first.begin(), first.end(), second.begin(), less.begin(), std::minus<>());
    const double by = reach(first) + reach(second);
    return inference.from(less).map(
        [&](const interval::AdditiveInterval& found) { return told(plan::scaled(found, scale), by); });
  });
}

// Of all others: from the intervals of both groups at many levels. Where a unit may be in both of a population, at one.
template <class Difference>
Result<DifferenceMaker> maker_of(const Result<Difference>& made) {
  return made.map([](const Difference& inference) -> DifferenceMaker {
    return [inference](Noisy first, Noisy second) { return inference.from(first, second).map(published); };
  });
}

template <class Law>
Result<DifferenceMaker> paired_maker(const BoundStatistic& statistic, const Measurement& one, const Law& law,
                                     Alpha alpha, const std::function<Result<NumberMaker>(Alpha)>& at) {
  using Boxes = interval::DifferenceInference<GroupInference>;
  using Ends = interval::EndsDifference<GroupInference>;
  const auto make = [&](Alpha level) {
    return at(level).map([](NumberMaker number) { return GroupInference(number); });
  };
  const bool is_of_population = statistic.inference.of_population;
  if (is_of_population && statistic.contribution.max_groups > 1) {
    return maker_of(interval::shared_difference<GroupInference>(alpha, make));
  }
  const bool is_mean = one.figure == plan::Figure::mean;
  const bool is_spread = !is_mean && !plan::has_fixed_margin(one.figure);
  const bool is_share = one.kind == plan::Mean::kind;
  const bool is_proven = is_of_population && is_mean && (statistic.inference.is_guaranteed || is_share);
  const double part = is_proven ? interval::end_of_proven_population : interval::end_of_mean;
  if (is_mean || (is_spread && is_of_population)) {
    if (const auto levels = interval::EndLevels::of(alpha, part)) return maker_of(Ends::of(*levels, make));
  }
  return maker_of((is_of_population ? interval::normal_level_pairs(alpha) : interval::level_pairs(law, alpha))
                      .and_then([&](const interval::LevelPairs& pairs) { return Boxes::of(pairs, make); }));
}

}  // namespace

Result<DifferenceMaker> difference_maker(const plan::Plan& plan, std::size_t statistic, std::size_t measurement) {
  const BoundStatistic& bound = plan.study.statistics[statistic];
  const Measurement& one = bound.measurements[measurement];
  const plan::PlannedStatistic& planned = plan.statistics[statistic];
  const auto law = plan::additive(planned.noise[measurement].law);
  if (!law) return invalid("the ends of a quantile have no difference");
  const auto at = [&](Alpha level) { return figure_maker(bound, measurement, planned, level); };
  const bool is_of_rows = !bound.inference.of_population;
  const bool is_plain = plan::has_plain_noise(bound, measurement) && is_of_rows;
  const bool is_made_from_nodes = plan::is_combined(one) && is_of_rows && !is_plain;
  const Alpha alpha = plan::alpha_of(bound, plan.study.alpha);
  return std::visit(
      [&](const auto& noise) -> Result<DifferenceMaker> {
        const plan::Measured in{bound, one, measurement};
        if (is_plain) return additive_maker(in, noise, alpha);
        if (is_made_from_nodes) return combined_maker(in, noise, alpha);
        return paired_maker(bound, one, noise, alpha, at);
      },
      *law);
}

namespace {

using query::Denoise;

denoise::Choice choice_of(Denoise asked) {
  if (asked == Denoise::james_stein) return denoise::Choice::james_stein;
  return asked == Denoise::soft_threshold ? denoise::Choice::soft_threshold : denoise::Choice::least_risk;
}

denoise::Denoised denoised(const std::vector<std::int64_t>& released, const plan::AdditiveLaw& law, Denoise asked,
                           denoise::Floor floor) {
  return std::visit(
      [&](const auto& one) { return denoise::denoised(std::span(released), one, choice_of(asked), floor); }, law);
}

// The raw interval in steps of the grid; where a double could not hold an end it lies outside, as the interval does.
denoise::Range range_of(const Number& number, double granularity) {
  const auto steps = [&](double end) { return static_cast<std::int64_t>(std::nearbyint(end / granularity)); };
  return {steps(number.interval.low), steps(number.interval.high)};
}

void shrink(const BoundStatistic& statistic, std::size_t measurement, const plan::AdditiveLaw& law, Table& table) {
  const Measurement& one = statistic.measurements[measurement];
  const NoisyColumn column = noisy_column(statistic, measurement);
  std::vector<std::int64_t> released;
  for (const Row& row : table.rows) released.push_back(column.of(row).front());
  const auto floor = one.least >= 0 ? denoise::Floor::zero : denoise::Floor::none;
  const denoise::Denoised found = denoised(released, law, statistic.inference.denoise, floor);
  const auto kind = one.granularity >= 1 ? denoise::Kind::whole : denoise::Kind::real;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    Number& number = table.rows[i].numbers[*one.aggregation];
    number.denoised = denoise::within(found.values[i], range_of(number, one.granularity), kind) * one.granularity;
  }
  table.denoised.push_back({*one.aggregation, std::string(denoise::name_of(found.method)),
                            denoise::risk_over_published(found), interval::Status::proven});
}

void forget(Table& table) {
  table.denoised.clear();
  table.differences.clear();
  for (Row& row : table.rows) {
    for (Number& number : row.numbers) number.denoised.reset(), number.denoised_interval.reset();
  }
}

const Row* row_named(const Table& table, const std::string& group) {
  const auto found = std::find_if(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return row.keys.size() == 1 && query::text_of(row.keys.front()) == group;
  });
  return found == table.rows.end() ? nullptr : &*found;
}

Result<std::vector<DifferenceMaker>> makers_of(const plan::Plan& plan, std::size_t place) {
  const BoundStatistic& statistic = plan.study.statistics[place];
  std::vector<DifferenceMaker> makers(statistic.query.aggregations.size());
  if (statistic.inference.differences.empty()) return makers;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!statistic.measurements[i].aggregation) continue;
    VERNIER_TRY(DifferenceMaker maker, difference_maker(plan, place, i));
    makers[*statistic.measurements[i].aggregation] = std::move(maker);
  }
  return makers;
}

}  // namespace

Result<Derivation> Derivation::of(const plan::Plan& plan) {
  Derivation made(plan);
  VERNIER_TRY(std::vector<Family> families, Family::all_of(plan));
  made.families_ = std::move(families);
  for (std::size_t i = 0; i < plan.study.statistics.size(); ++i) {
    VERNIER_TRY(std::vector<DifferenceMaker> makers, makers_of(plan, i));
    made.makers_.push_back(std::move(makers));
    VERNIER_TRY(Formulas formulas, Formulas::of(plan, i));
    made.formulas_.push_back(std::move(formulas));
  }
  return made;
}

void Derivation::denoise(std::size_t place, Table& table) const {
  const BoundStatistic& statistic = plan_->study.statistics[place];
  const Denoise asked = statistic.inference.denoise;
  if (asked == Denoise::none || asked == Denoise::consistent) return;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!statistic.measurements[i].aggregation || !plan::has_plain_noise(statistic, i)) continue;
    const auto law = plan::additive(plan_->statistics[place].noise[i].law);
    if (law) shrink(statistic, i, *law, table);
  }
}

Result<void> Derivation::compare(std::size_t place, Table& table) const {
  const BoundStatistic& statistic = plan_->study.statistics[place];
  for (const query::Difference& pair : statistic.inference.differences) {
    const Row *const first = row_named(table, pair[0]), *const second = row_named(table, pair[1]);
    if (first == nullptr || second == nullptr) continue;
    GroupDifference made{pair, std::vector<Number>(statistic.query.aggregations.size())};
    for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
      if (!statistic.measurements[i].aggregation) continue;
      const std::size_t column = *statistic.measurements[i].aggregation;
      const NoisyColumn noisy = noisy_column(statistic, i);
      VERNIER_TRY(const Number number, makers_[place][column](noisy.of(*first), noisy.of(*second)));
      made.numbers[column] = number;
    }
    table.differences.push_back(std::move(made));
  }
  return {};
}

Result<void> Derivation::add_to(std::vector<Table>& tables) const {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    forget(tables[i]);
    denoise(i, tables[i]);
    if (const Result<void> compared = compare(i, tables[i]); !compared) return compared;
  }
  for (const Family& family : families_) {
    if (const Result<void> added = family.add_to(tables); !added) return added;
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (const Result<void> added = formulas_[i].add_to(tables[i]); !added) return added;
  }
  return {};
}

}  // namespace vernier::release
