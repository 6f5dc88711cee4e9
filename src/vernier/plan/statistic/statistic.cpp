#include "vernier/plan/statistic/statistic.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/core/files_say.hpp"
#include "vernier/interval/population/published.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/plan/statistic/list.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/published_total.hpp"
#include "vernier/plan/statistic/rounding.hpp"
#include "vernier/plan/statistic/searched.hpp"

// Written once over all statistics. What a statistic does not say of itself is as of one integer with noise of its own.
namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr std::int64_t greatest_accuracy = 1'000'000'000'000'000;  // that accuracy::Accuracy takes

// Each kind is that of one.
template <std::size_t place = 0>
AnyStatistic known_as(const Measured& in) {
  using One = std::variant_alternative_t<place, AnyStatistic>;
  if constexpr (place + 1 < std::variant_size_v<AnyStatistic>) {
    if (!is_of<One>(in.one.kind)) return known_as<place + 1>(in);
  }
  return One{in};
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
    if (other.source || other.kind != in.one.kind) return false;
    if (sharing == Sharing::same_box) return true;
    return other.tallies == in.one.tallies && (sharing == Sharing::same_sums || is_same_number(other, in.one));
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

template <class One>
bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation) {
  if constexpr (requires { One::serves(statistic, aggregation); }) return One::serves(statistic, aggregation);
  return shown_by<One>(asked_as(aggregation.aggregate)).has_value();
}

// Whether it follows from what another aggregation of the statement is measured by.
template <class One>
bool claims(const BoundStatistic& statistic, const query::Aggregation& aggregation) {
  if constexpr (requires { One::claims(statistic, aggregation); }) return One::claims(statistic, aggregation);
  return false;
}

// Binds by the first statistic that claims it, else by the first that serves.
Result<Measurement> bound(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  Result<Measurement> made = invalid("is of a kind that nothing measures");
  const bool is_claimed =
      any_statistic([&]<class One>(std::type_identity<One>) { return claims<One>(statistic, aggregation); });
  any_statistic([&]<class One>(std::type_identity<One>) {
    if constexpr (requires { One::bind(statistic, aggregation); }) {
      if (!(is_claimed ? claims<One>(statistic, aggregation) : serves<One>(statistic, aggregation))) return false;
      made = One::bind(statistic, aggregation);
      return true;
    }
    return false;
  });
  return made;
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

Brought brought_by(const Measured& in) {
  return asked(in, [](const auto& one) { return one.brought(); });
}

std::int64_t most_rows(const Measured& in) {
  return asked(in, [](const auto& one) -> std::int64_t {
    if constexpr (requires { one.most_rows(); }) return one.most_rows();
    return std::int64_t{1} << 61;
  });
}

Int128 tally_of_row(const Measured& in, std::size_t number, double value) {
  return asked(in, [&](const auto& one) -> Int128 {
    if constexpr (requires { one.tally_of_row(number, value); }) return one.tally_of_row(number, value);
    const Tally& tally = in.statistic.tallies[in.one.tallies[number]];
    if (tally.kind != TallyKind::sum) return 1;
    const Argument& argument = in.statistic.arguments[tally.argument];
    const auto k = static_cast<std::int64_t>(std::floor(value / argument.granularity + 0.5)) - argument.origin;
    if (!argument.square) return k;
    const auto& [steps, fineness, is_from_above] = *argument.square;
    return interval::rounded_square(is_from_above ? steps - k : k, steps, fineness);
  });
}

bool has_its_grid(const Measured& in) {
  const GridNumbers numbers = grid_numbers(in.one.kind);
  const bool has_bounds = numbers >= GridNumbers::bounds;
  if (has_bounds ? in.one.steps < 1 : in.one.origin != 0 || in.one.steps != 0) return false;
  if (numbers == GridNumbers::none && (in.one.granularity != 1 || in.one.is_rounded)) return false;
  if (numbers < GridNumbers::squares && in.one.fineness != 1) return false;
  if (in.one.paired.has_value() != (numbers == GridNumbers::pair)) return false;
  if (in.one.regressors.empty() == (numbers == GridNumbers::columns)) return false;
  return asked(in, [&](const auto& one) {
    if constexpr (requires { one.is_fine(); }) return one.is_fine();
    return true;
  });
}

bool is_well_made(const Measured& in) {
  const Measurement& one = in.one;
  if (!asked(in, [&]<class One>(const One& known) {
        if constexpr (requires { known.shows(one.figure); }) return known.shows(one.figure);
        return shown_by<One>(shows_figure(one.figure.name)).has_value();
      })) {
    return false;
  }
  if (!one.source) {
    return asked(in, [&](const auto& known) {
      if constexpr (requires { known.is_as_shared(); }) return known.is_as_shared();
      return one.width == width_of(in);
    });
  }
  const Measurement& source = in.statistic.measurements[*one.source];
  if (sharing_of(in) == Sharing::same_box) return one.width == 0 && Boxed{in}.is_made_from(source);
  const bool is_same_grid = source.granularity == one.granularity && source.is_rounded == one.is_rounded &&
                            source.origin == one.origin && source.steps == one.steps &&
                            source.fineness == one.fineness && source.paired == one.paired &&
                            source.regressors == one.regressors;
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
  VERNIER_TRY(check_searched(in, alpha));
  return noise_accuracy(in, law, steps, alpha).map([&](double noise) {
    if (in.is_of_population()) return population_accuracy(in, spread_of(in), noise, alpha);
    return numeric::add_up(noise, sum_rounding(in));
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
      if (steps > Rational::of(greatest_accuracy)) return greatest_accuracy;
      return steps.floor().map(
          [&](std::int64_t whole) { return std::max<std::int64_t>(whole - rounded_steps(in), 0); });
    }
  });
}

Result<Scales> scales_within_target(const Measured& in, Alpha alpha) {
  VERNIER_TRY(check_searched(in, alpha));
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

bool is_boxed(const Measured& in) {
  return asked(in, [](const auto& one) {
    return requires { one.is_boxed; };
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
  if (is_key_count(in)) {
    return "is the number by which private keys are chosen; declare the keys, or ask for it in another statistic";
  }
  if (is_weighted) {
    const std::string fault = fault_for_weights(in);
    if (!fault.empty()) return fault;
    if (!in.statistic.keys.are_public) {
      return "is of weighted rows under private keys, whose publication depends on the sample in a way that no "
             "interval "
             "is known for; declare the keys, or leave the weight out";
    }
  }
  if (has_fixed_margin(one.figure) && !table.sampled && !is_weighted) {
    return "is a count or a sum, for which the table '" + table.name +
           "' of the catalog must say which part of the population it holds, such as " + toml("sampled = 0.01");
  }
  const bool is_proven = one.figure.has_proven_population && !(one.figure == Figure::count && is_weighted);
  if (in.statistic.inference.is_guaranteed && !is_proven) {
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

// Of what lies on the grid.
Result<Estimator> grid_estimator(const Measured& in, const PlannedStatistic& planned, Alpha level) {
  const bool is_selected = planned.keys && is_key_count(in);
  if (is_selected && in.is_of_population()) {
    return invalid("the number by which private keys are chosen tells nothing of a population");
  }
  if (planned.keys && in.is_of_population()) {
    VERNIER_TRY(interval::check_published_design(design_of(in.statistic)));
    if (in.one.figure == Figure::count || in.one.figure == Figure::sum) return published_total(in, planned, level);
  }
  const auto threshold = is_selected ? std::optional(planned.keys->threshold) : std::nullopt;
  return asked(in, [&](const auto& one) { return one.estimator(planned.noise[in.place].law, level, threshold); });
}

}  // namespace

Result<Estimator> estimator_of(const Measured& in, const PlannedStatistic& planned, Alpha level) {
  return grid_estimator(in, planned, level).map([subject = Subject(in)](const Estimator& on_grid) -> Estimator {
    return [subject, on_grid](std::span<const std::int64_t> noisy) {
      return on_grid(noisy).map([&](const Estimate& found) { return subject.of(found); });
    };
  });
}

}  // namespace vernier::plan
