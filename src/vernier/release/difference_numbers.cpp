#include "vernier/release/difference_numbers.hpp"

#include "vernier/interval/difference.hpp"
#include "vernier/plan/derived_columns.hpp"
#include "vernier/release/figure_maker.hpp"

namespace vernier::release {
namespace {

using interval::Covers;
using interval::Status;
using plan::BoundStatistic;
using plan::Measurement;

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

// Of numbers that are one integer with noise each: from the law of the difference of two noises.
template <class Law>
Result<DifferenceMaker> additive_maker(const Measurement& measurement, const Law& law, Alpha alpha) {
  const std::int64_t width = measurement.greatest - measurement.least;
  return interval::PossibleRange::of(-width, width).map([&](const interval::PossibleRange& range) -> DifferenceMaker {
    const Scale scale{measurement.granularity, range, measurement.granularity >= 1};
    const std::int64_t accuracy = interval::difference_accuracy(law, alpha);
    return [scale, accuracy](std::span<const std::int64_t> first, std::span<const std::int64_t> second) {
      return Result<Number>(scaled(interval::difference(first[0], second[0], accuracy, scale.possible), scale));
    };
  });
}

// Of all others: from the intervals of both groups at many levels.
template <class Law>
Result<DifferenceMaker> paired_maker(const Law& law, Alpha alpha, const std::function<Result<NumberMaker>(Alpha)>& at) {
  const auto make = [&](Alpha level) { return at(level).map([](NumberMaker one) { return GroupInference(one); }); };
  return interval::level_pairs(law, alpha)
      .and_then([&](const interval::LevelPairs& pairs) {
        return interval::DifferenceInference<GroupInference>::of(pairs, make);
      })
      .map([](const interval::DifferenceInference<GroupInference>& inference) -> DifferenceMaker {
        return [inference](std::span<const std::int64_t> first, std::span<const std::int64_t> second) {
          return inference.from(first, second).map(published);
        };
      });
}

}  // namespace

Result<DifferenceMaker> difference_maker(const plan::Plan& plan, std::size_t statistic, std::size_t measurement) {
  const BoundStatistic& bound = plan.study.statistics[statistic];
  const Measurement& one = bound.measurements[measurement];
  const plan::PlannedStatistic& planned = plan.statistics[statistic];
  const auto law = plan::additive(planned.noise[measurement].law);
  if (!law) return invalid("the ends of a quantile have no difference");
  const auto at = [&](Alpha level) { return figure_maker(bound, measurement, planned, level); };
  const bool is_plain = plan::has_plain_noise(bound, measurement) && !bound.inference.of_population;
  return std::visit(
      [&](const auto& noise) -> Result<DifferenceMaker> {
        if (is_plain) return additive_maker(one, noise, plan.study.alpha);
        return paired_maker(noise, plan.study.alpha, at);
      },
      *law);
}

}  // namespace vernier::release
