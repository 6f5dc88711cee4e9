#include <algorithm>
#include <cmath>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/normal_quantile.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/noise_item.hpp"

// From what was asked to base scales.
namespace vernier::plan {
namespace {

using numeric::Rational;
using Scales = std::array<double, 2>;

constexpr std::int64_t greatest_accuracy = 1'000'000'000'000'000;  // that accuracy::Accuracy takes
constexpr std::int64_t least_accuracy_of_keys = 1;

// What the target is in steps of the noise, rounded down: a mean of n rows with noise of a steps in its node sums is
// off by about a / n steps (interval/mean.md).
Result<std::int64_t> target_steps(const Measurement& measurement, std::int64_t typical_rows) {
  const Result<Rational> granularity = Rational::of(measurement.granularity);
  if (!granularity) return Failure(granularity.error());
  const bool is_mean = measurement.kind == MeasurementKind::mean;
  const Rational wanted = *measurement.target * Rational::of(is_mean ? typical_rows : 1);
  const Result<Rational> steps = quotient(wanted, *granularity);
  if (!steps) return Failure(steps.error());
  return *steps > Rational::of(greatest_accuracy) ? Result<std::int64_t>(greatest_accuracy) : steps->floor();
}

// About the scales with this accuracy, on the continuous laws: it need not be whole.
Scales scales_about(double accuracy, Alpha alpha) {
  return {accuracy / -std::log(alpha.value()), accuracy / numeric::normal_upper_point(std::log(alpha.value() / 2))};
}

bool is_hidden(const Measurement& measurement) { return !measurement.aggregation; }

// Whether every published column states what it wants; the units behind private keys then follow.
bool states_all(const BoundStatistic& statistic) {
  return std::all_of(statistic.measurements.begin(), statistic.measurements.end(),
                     [](const Measurement& one) { return one.target || is_hidden(one); });
}

// As accurate, in what one unit can move, as the least accurate column beside it.
Result<std::int64_t> hidden_steps(const BoundStatistic& statistic) {
  std::int64_t steps = least_accuracy_of_keys;
  for (const Measurement& one : statistic.measurements) {
    if (!one.target) continue;
    const Result<std::int64_t> wanted = target_steps(one, statistic.typical_rows);
    if (!wanted) return wanted;
    steps = std::max(steps, *wanted / one.sensitivity.shift);
  }
  return steps;
}

// In steps; none: what the budget leaves.
Result<std::optional<std::int64_t>> wanted_steps(const BoundStatistic& statistic, const Measurement& measurement) {
  if (!measurement.target && !(is_hidden(measurement) && states_all(statistic))) return std::nullopt;
  const auto steps = measurement.target ? target_steps(measurement, statistic.typical_rows) : hidden_steps(statistic);
  if (!steps) return Failure(steps.error());
  return *steps;
}

class Items {
 public:
  Items(const BoundStudy& study, privacy::Delta delta) : study_(study) {
    const auto with_private_keys = std::count_if(study.statistics.begin(), study.statistics.end(),
                                                 [](const BoundStatistic& one) { return !one.keys.are_public; });
    if (with_private_keys == 0) return;
    delta_of_keys_ = numeric::divide_down(delta.value(), 2 * static_cast<double>(with_private_keys));
  }

  Result<std::vector<NoiseItem>> all() const {
    std::vector<NoiseItem> items;
    for (const BoundStatistic& statistic : study_.statistics) {
      for (const Measurement& measurement : statistic.measurements) {
        const Result<NoiseItem> item = one(statistic, measurement);
        if (!item) return Failure(item.error());
        items.push_back(*item);
      }
    }
    return items;
  }

 private:
  Result<NoiseItem> one(const BoundStatistic& statistic, const Measurement& measurement) const {
    const Sensitivity& moved = measurement.sensitivity;
    const auto steps = wanted_steps(statistic, measurement);
    if (!steps) return Failure(steps.error());
    if (!*steps && !study_.budget) return nothing_stated(statistic, measurement);
    const auto keys = terms(statistic, measurement);
    if (!keys) return Failure(keys.error());
    const double relative = static_cast<double>(moved.shift) / statistic.weight.round_up();
    const Scales base = *steps ? scales_for(**steps, study_.alpha) : scales_about(relative, study_.alpha);
    return NoiseItem{moved.shift, moved.coordinates, base, !*steps, *keys};
  }

  static Failure nothing_stated(const BoundStatistic& statistic, const Measurement& measurement) {
    return invalid(described(statistic, measurement) +
                   " has no accuracy, and the study has no budget for it to share; state its accuracy, or a budget");
  }

  Result<std::optional<KeyTerms>> terms(const BoundStatistic& statistic, const Measurement& measurement) const {
    if (statistic.keys.are_public || measurement.kind != MeasurementKind::units) return std::nullopt;
    if (delta_of_keys_ > 0) return KeyTerms{statistic.contribution.max_groups, delta_of_keys_};
    return invalid("\"" + statistic.name +
                   "\" has private keys, whose publication needs a delta above 0; give the budget a delta, or declare "
                   "the keys in the catalog");
  }

  const BoundStudy& study_;
  double delta_of_keys_ = 0;
};

}  // namespace

Scales scales_for(std::int64_t steps, Alpha alpha) {
  const accuracy::Accuracy wanted = accuracy::Accuracy::of(static_cast<double>(steps)).value();
  const auto geometric = accuracy::geometric_for(wanted, alpha, accuracy::Cells::one());
  const auto gaussian = accuracy::discrete_gaussian_for(wanted, alpha, accuracy::Cells::one());
  return {geometric ? geometric->scale() : noise::greatest_integer_scale,
          gaussian ? gaussian->scale() : noise::greatest_integer_scale};
}

std::string described(const BoundStatistic& statistic, const Measurement& measurement) {
  const std::string of = " of \"" + statistic.name + "\"";
  if (!measurement.aggregation) return "the number of units by which the keys" + of + " are chosen";
  return "\"" + statistic.query.aggregations[*measurement.aggregation].name + "\"" + of;
}

Result<std::vector<NoiseItem>> items_of(const BoundStudy& study, privacy::Delta delta) {
  return Items(study, delta).all();
}

}  // namespace vernier::plan
