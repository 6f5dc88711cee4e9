#include "vernier/plan/statistic/statistic.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/interval/population/published.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"

// Written once over all statistics. What a statistic does not say of itself is as of one integer with noise of its own.
namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr std::int64_t greatest_accuracy = 1'000'000'000'000'000;  // that accuracy::Accuracy takes

// The statistic that has this kind; each kind is that of one.
template <std::size_t place = 0>
AnyStatistic known_as(const Measured& in) {
  using One = std::variant_alternative_t<place, AnyStatistic>;
  if constexpr (place + 1 < std::variant_size_v<AnyStatistic>) {
    if (std::find(One::kinds.begin(), One::kinds.end(), in.one.kind) == One::kinds.end())
      return known_as<place + 1>(in);
  }
  return One{in};
}

template <std::size_t place = 0>
GridNumbers numbers_of(MeasurementKind kind) {
  using One = std::variant_alternative_t<place, AnyStatistic>;
  if constexpr (place + 1 < std::variant_size_v<AnyStatistic>) {
    if (std::find(One::kinds.begin(), One::kinds.end(), kind) == One::kinds.end()) return numbers_of<place + 1>(kind);
  }
  return One::numbers;
}

template <class Ask>
auto asked(const Measured& in, const Ask& ask) {
  return std::visit(ask, statistic_of(in));
}

std::size_t width_of(const Measured& in) {
  return asked(in, [](const auto& one) -> std::size_t {
    if constexpr (requires { one.width(); }) return one.width();
    return 1;
  });
}

Sharing sharing_of(const Measured& in) {
  return asked(in, [](const auto& one) { return one.sharing; });
}

bool is_same_number(const Measurement& a, const Measurement& b) {
  return a.figure == b.figure && a.fraction == b.fraction;
}

// The measurement before this one from whose noisy integers it can be made.
std::optional<std::size_t> source_for(const Measured& in) {
  const Sharing sharing = sharing_of(in);
  if (sharing == Sharing::never) return std::nullopt;
  const std::vector<Measurement>& all = in.statistic.measurements;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Measurement& other) {
    return !other.source && other.kind == in.one.kind && other.tallies == in.one.tallies &&
           (sharing == Sharing::same_sums || is_same_number(other, in.one));
  });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

// Puts it behind the others, with what follows from its kind.
Result<void> add(BoundStatistic& statistic, Measurement made, std::optional<std::size_t> aggregation) {
  const Measured in{statistic, made, statistic.measurements.size()};
  VERNIER_TRY(const Sensitivity moved, sensitivity_of(in));
  const Range range = range_of(in);
  const std::optional<std::size_t> source = source_for(in);
  const std::size_t width = source ? 0 : width_of(in);
  made.sensitivity = moved;
  made.least = static_cast<std::int64_t>(range.least);
  made.greatest = static_cast<std::int64_t>(range.greatest);
  made.source = source;
  made.width = width;
  made.aggregation = aggregation;
  statistic.measurements.push_back(std::move(made));
  return {};
}

// Binds by the first statistic that serves.
template <std::size_t place = 0>
Result<Measurement> bound(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  if constexpr (place == std::variant_size_v<AnyStatistic>) {
    return invalid("is of a kind that nothing measures");
  } else {
    using One = std::variant_alternative_t<place, AnyStatistic>;
    if constexpr (requires { One::serves(statistic, aggregation); }) {
      if (One::serves(statistic, aggregation)) return One::bind(statistic, aggregation);
    }
    return bound<place + 1>(statistic, aggregation);
  }
}

// Of the noise alone.
Result<double> noise_accuracy(const Measured& in, const Law& law, std::int64_t steps, Alpha alpha) {
  return asked(in, [&](const auto& one) -> Result<double> {
    if constexpr (requires { one.noise_accuracy(law, steps, alpha); }) {
      return one.noise_accuracy(law, steps, alpha);
    } else {
      return accuracy_of_step(in.statistic, in.one).map([&](const Rational& step) {
        return (step * Rational::of(steps)).round_up();
      });
    }
  });
}

double spread_of(const Measured& in) {
  return asked(in, [](const auto& one) -> double {
    if constexpr (requires { one.spread(); }) return one.spread();
    return 1;
  });
}

bool is_combined(const Measured& in) {
  return asked(in, [](const auto& one) {
    if constexpr (requires { one.is_combined(); }) return one.is_combined();
    return false;
  });
}

// The greatest scale, but for one part in 2^20, at which `is_met`; which no greater scale is, once one is not.
template <class IsMet>
std::optional<double> greatest_scale(const IsMet& is_met) {
  double met = noise::least_integer_scale, missed = noise::greatest_integer_scale;
  if (!is_met(met)) return std::nullopt;
  if (is_met(missed)) return missed;
  while (missed > met * (1 + 0x1p-20)) {
    const double middle = std::sqrt(met) * std::sqrt(missed);
    (is_met(middle) ? met : missed) = middle;
  }
  return met;
}

Result<Law> law_of_scale(std::size_t kind, double scale) {
  const auto any = [](const auto& known) { return Law(known); };
  if (kind == 0) return LaplaceScale::of(scale).and_then(noise::Geometric::of).map(any);
  return Sigma::of(scale).and_then(noise::DiscreteGaussian::of).map(any);
}

// Of weighted rows.
std::string fault_for_weights(const Measured& in) {
  const SurveyWeight& weight = *in.statistic.weighted;
  const std::string own = asked(in, [](const auto& one) -> std::string {
    if constexpr (requires { one.weighted_fault(); }) return one.weighted_fault();
    return "";
  });
  if (!own.empty()) return own;
  if (has_fixed_margin(in.one.figure) && !(weight.most_members() >= 1)) {
    return "is a count or a sum, for which a weight must say for how many members a row stands, but '" + weight.column +
           "' stays below 1; declare weights in members, or ask for AVG, to which only their ratios matter";
  }
  const bool has_weights = asked(in, [](const auto& one) {
    if constexpr (requires { one.has_weights(); }) return one.has_weights();
    return false;
  });
  if (!has_weights) {
    return "is measured by rows that are not weighted by '" + weight.column +
           "'; ask for COUNT, SUM, AVG, VARIANCE or STDDEV";
  }
  return in.statistic.table.sampled ? "has rows that are weighted and sampled evenly, which exclude each other" : "";
}

bool is_spread(Figure figure) { return figure >= Figure::variance_sample && figure <= Figure::deviation_population; }

}  // namespace

AnyStatistic statistic_of(const Measured& in) { return known_as(in); }

Result<void> measure(BoundStatistic& statistic, std::size_t aggregation) {
  VERNIER_TRY(Measurement made, bound(statistic, statistic.query.aggregations[aggregation]));
  return add(statistic, std::move(made), aggregation);
}

Result<void> measure_units(BoundStatistic& statistic, std::optional<std::size_t> aggregation) {
  VERNIER_TRY(Measurement made, Units::bind(statistic));
  return add(statistic, std::move(made), aggregation);
}

Result<Sensitivity> sensitivity_of(const Measured& in) {
  return asked(in, [](const auto& one) { return one.sensitivity(); });
}

Range range_of(const Measured& in) {
  return asked(in, [](const auto& one) { return one.range(); });
}

GridNumbers grid_numbers(MeasurementKind kind) { return numbers_of(kind); }

bool has_its_grid(const Measured& in) {
  const GridNumbers numbers = grid_numbers(in.one.kind);
  const bool has_bounds = numbers >= GridNumbers::bounds;
  if (has_bounds ? in.one.steps < 1 : in.one.origin != 0 || in.one.steps != 0) return false;
  if (numbers == GridNumbers::none && in.one.granularity != 1) return false;
  if (numbers != GridNumbers::squares && in.one.fineness != 1) return false;
  return asked(in, [&](const auto& one) {
    if constexpr (requires { one.is_fine(); }) return one.is_fine();
    return true;
  });
}

bool is_well_made(const Measured& in) {
  const Measurement& one = in.one;
  if (!asked(in, [&](const auto& known) { return known.shows(one.figure); })) return false;
  if (!one.source) {
    return asked(in, [&](const auto& known) {
      if constexpr (requires { known.is_as_shared(); }) return known.is_as_shared();
      return one.width == width_of(in);
    });
  }
  const Measurement& source = in.statistic.measurements[*one.source];
  const bool is_same_grid = source.granularity == one.granularity && source.origin == one.origin &&
                            source.steps == one.steps && source.fineness == one.fineness;
  return one.width == 0 && !source.source && source.kind == one.kind && source.tallies == one.tallies && is_same_grid &&
         (is_same_number(source, one) || sharing_of(in) == Sharing::same_sums);
}

bool is_one_integer(const Measured& in) {
  return asked(in, [](const auto& one) {
    return requires { one.is_one_integer; };
  });
}

bool adds_up(const Measured& in) {
  return asked(in, [](const auto& one) {
    return requires { one.adds_up; };
  });
}

void write_integers(const Measured& in, std::span<const Int128> tallies, std::span<Int128> out) {
  if (has_histogram(in.one.kind)) return;
  asked(in, [&](const auto& one) {
    if constexpr (requires { one.write(tallies, out); }) {
      one.write(tallies, out);
    } else {
      out[0] = tallies[0];
    }
  });
}

Result<Rational> accuracy_of_step(const BoundStatistic& statistic, const Measurement& measurement) {
  return asked({statistic, measurement, 0}, [&](const auto& one) -> Result<Rational> {
    if constexpr (requires { one.step(); }) return one.step();
    return Rational::of(measurement.granularity);
  });
}

Result<double> published_accuracy(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                                  std::int64_t steps, Alpha alpha) {
  const Measured in{statistic, measurement, 0};
  return noise_accuracy(in, law, steps, alpha).map([&](double noise) {
    return in.is_of_population() ? population_accuracy(in, spread_of(in), noise, alpha) : noise;
  });
}

Result<Told> accuracy_with(const Measured& in, const Law& law, Alpha alpha) {
  return asked(in, [&](const auto& one) -> Result<Told> {
    if constexpr (requires { one.told(law, alpha); }) {
      return one.told(law, alpha);
    } else {
      VERNIER_TRY(const AdditiveLaw noise, added_by(law));
      VERNIER_TRY(
          const accuracy::Statement stated,
          std::visit([&](const auto& known) { return accuracy::of(known, alpha, accuracy::Cells::one()); }, noise));
      const auto steps = static_cast<std::int64_t>(stated.accuracy);
      return published_accuracy(in.statistic, in.one, law, steps, alpha).map([&](double published) {
        return Told{steps, published};
      });
    }
  });
}

Result<std::int64_t> target_steps(const Measured& in, Alpha alpha) {
  return asked(in, [&](const auto& one) -> Result<std::int64_t> {
    if constexpr (requires { one.steps_for(*in.one.target, alpha); }) {
      return one.steps_for(*in.one.target, alpha);
    } else {
      VERNIER_TRY(const Rational target, noise_target(in, spread_of(in), alpha));
      VERNIER_TRY(const Rational step, accuracy_of_step(in.statistic, in.one));
      VERNIER_TRY(const Rational steps, quotient(target, step));
      return steps > Rational::of(greatest_accuracy) ? Result<std::int64_t>(greatest_accuracy) : steps.floor();
    }
  });
}

Result<Scales> scales_within_target(const Measured& in, Alpha alpha) {
  if (is_combined(in)) return combined_scales(in.statistic, in.one, alpha);
  return asked(in, [&](const auto& one) -> Result<Scales> {
    if constexpr (requires { one.scales_for(*in.one.target, alpha); }) {
      return one.scales_for(*in.one.target, alpha);
    } else {
      VERNIER_TRY(const std::int64_t steps, target_steps(in, alpha));
      if constexpr (requires { one.scales_of(steps, alpha); }) return one.scales_of(steps, alpha);
      return scales_for(steps, alpha);
    }
  });
}

Result<Scales> combined_scales(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  Scales scales{};
  for (std::size_t kind = 0; kind < scales.size(); ++kind) {
    const auto found = greatest_scale([&](double scale) {
      const Result<double> accuracy = law_of_scale(kind, scale).and_then([&](const Law& law) {
        return published_accuracy(statistic, measurement, law, 0, alpha);
      });
      const Result<Rational> exact = accuracy ? Rational::of(*accuracy) : Result<Rational>(Failure(accuracy.error()));
      return exact && *exact <= *measurement.target;
    });
    if (!found)
      return invalid("is made from the sums that it shares, which are not so accurate; state a larger accuracy");
    scales[kind] = *found;
  }
  return scales;
}

Result<std::int64_t> steps_in_units(const Measured& in, std::int64_t steps, Alpha alpha) {
  return asked(in, [&](const auto& one) -> Result<std::int64_t> {
    if constexpr (requires { one.units_of(steps, alpha); }) return one.units_of(steps, alpha);
    return steps / in.one.sensitivity.shift;
  });
}

Result<Scales> free_scales(const Measured& in, const Scales& about, Alpha level) {
  return asked(in, [&](const auto& one) -> Result<Scales> {
    if constexpr (requires { one.free_scales(about, level); }) return one.free_scales(about, level);
    return about;
  });
}

bool is_choice(const Measured& in) {
  return asked(in, [](const auto& one) {
    return requires { one.is_chosen; };
  });
}

double published_scale(const BoundStatistic& statistic, const Measurement& measurement, const PlannedNoise& noise) {
  const double scale = scale_of(noise.law);
  return asked({statistic, measurement, 0}, [&](const auto& one) -> double {
    if constexpr (requires { one.published_scale(scale); }) return one.published_scale(scale);
    return scale * measurement.granularity;
  });
}

std::string fault_for_population(const Measured& in) {
  const Measurement& one = in.one;
  const query::Table& table = in.statistic.table;
  const bool is_weighted = in.is_weighted();
  const std::string own = asked(in, [](const auto& known) -> std::string {
    if constexpr (requires { known.population_fault(); }) return known.population_fault();
    return "";
  });
  if (!own.empty()) return own;
  if (!in.statistic.keys.are_public && one.source.value_or(in.place) == 0) {
    return "is the number by which private keys are chosen; declare the keys, or ask for it in another statistic";
  }
  if (is_weighted) {
    const std::string fault = fault_for_weights(in);
    if (!fault.empty()) return fault;
  }
  if (has_fixed_margin(one.figure) && !table.sampled && !is_weighted) {
    return "is a count or a sum, for which the table '" + table.name +
           "' of the catalog must say which part of the population it holds, such as sampled = 0.01";
  }
  const bool is_tested =
      one.figure == Figure::sum || is_spread(one.figure) || (one.figure == Figure::count && is_weighted);
  if (in.statistic.inference.is_guaranteed && is_tested) {
    return "has no interval for a population that is proven; leave guaranteed out";
  }
  return "";
}

Result<Drawing> drawing_of(const Measured& in, const Law& law, Alpha level) {
  return asked(in, [&](const auto& one) -> Result<Drawing> {
    if constexpr (requires { one.drawing(law, level); }) {
      return one.drawing(law, level);
    } else {
      VERNIER_TRY(const AdditiveLaw noise, added_by(law));
      return AddedNoise{noise, public_integers(in.one.kind)};
    }
  });
}

namespace {

Result<Estimate> told_of(const Result<interval::PopulationInterval>& found) {
  return found.map([](const interval::PopulationInterval& one) { return estimate_of(one, one.status); });
}

// A total of a population whose keys are private, given that they were published; weighted rows are refused.
template <class Law>
Result<Estimator> published_estimator(const Measured& in, const Law& law, const interval::Publication& publication,
                                      Alpha level) {
  const interval::Design design = design_of(in.statistic);
  if (!has_nodes(in.one.kind)) {
    VERNIER_TRY(const auto count, interval::PublishedCountInference<Law>::of(law, publication, level, design));
    return Estimator([count](std::span<const std::int64_t> noisy) { return told_of(count.from(noisy[0])); });
  }
  VERNIER_TRY(const interval::MeanNodes nodes, nodes_of(in.one));
  VERNIER_TRY(const noise::ValueRange bounds, bounds_of(in.one));
  const bool is_guaranteed = in.statistic.inference.is_guaranteed;
  const auto assurance = is_guaranteed ? interval::Assurance::guaranteed : interval::Assurance::usual;
  VERNIER_TRY(const auto sum,
              interval::PublishedSumInference<Law>::of(law, nodes, bounds, publication, level, assurance, design));
  return Estimator([sum](std::span<const std::int64_t> noisy) { return told_of(sum.from(noisy)); });
}

}  // namespace

Result<Estimator> estimator_of(const Measured& in, const PlannedStatistic& planned, Alpha level) {
  const bool is_selected = planned.keys && in.one.source.value_or(in.place) == 0;
  if (is_selected && in.is_of_population()) {
    return invalid("the number by which private keys are chosen tells nothing of a population");
  }
  if (planned.keys && in.is_of_population()) {
    VERNIER_TRY(interval::check_published_design(design_of(in.statistic)));
    if (in.one.figure == Figure::count || in.one.figure == Figure::sum) {
      VERNIER_TRY(const AdditiveLaw noise, added_by(planned.noise[in.place].law));
      VERNIER_TRY(const AdditiveLaw of_keys, added_by(planned.noise.front().law));
      const interval::Publication publication(of_keys, planned.keys->threshold);
      return std::visit([&](const auto& law) { return published_estimator(in, law, publication, level); }, noise);
    }
  }
  const auto threshold = is_selected ? std::optional(planned.keys->threshold) : std::nullopt;
  return asked(in, [&](const auto& one) { return one.estimator(planned.noise[in.place].law, level, threshold); });
}

}  // namespace vernier::plan
