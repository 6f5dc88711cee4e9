#include "vernier/interval/rows/additive.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "vernier/denoise/weighted_noise.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

using numeric::Rational;

// from - step and from + step, stopping at an end; the difference of two integers always fits without a sign.
std::int64_t down(std::int64_t from, std::int64_t step, std::int64_t least) {
  const auto room = static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(least);
  return static_cast<std::uint64_t>(step) >= room ? least : from - step;
}
std::int64_t up(std::int64_t from, std::int64_t step, std::int64_t greatest) {
  const auto room = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(from);
  return static_cast<std::uint64_t>(step) >= room ? greatest : from + step;
}

}  // namespace

Result<PossibleRange> PossibleRange::of(std::int64_t least, std::int64_t greatest) {
  if (least <= greatest) return PossibleRange(least, greatest);
  return invalid("the least possible number must not exceed the greatest, but they are " + std::to_string(least) +
                 " and " + std::to_string(greatest) + "; exchange them");
}

AdditiveInterval additive(std::int64_t released, std::int64_t accuracy, PossibleRange possible) {
  const std::int64_t value = std::clamp(released, possible.least(), possible.greatest());
  return {value, accuracy, down(value, accuracy, possible.least()), up(value, accuracy, possible.greatest())};
}

ScaledInterval on_grid(const AdditiveInterval& units, Real granularity) {
  const Rational step = *Rational::of(granularity.value());
  const auto scaled = [&](std::int64_t number) { return Rational::of(number) * step; };
  return {static_cast<double>(units.value) * granularity.value(),
          scaled(units.accuracy).round_up(),
          {scaled(units.low).round_down(), scaled(units.high).round_up()}};
}

namespace {

__extension__ using Wide = __int128;

constexpr double greatest_accuracy = 0x1p62;  // the ends stop at what is possible anyway

// The coefficients, divided by the largest: noise is asked in sizes that it is made for.
Coefficients relative_to(std::int64_t largest, const LinearForm& form) {
  Coefficients c{};
  for (std::size_t i = 0; i < c.size(); ++i) {
    c[i] = static_cast<double>(form.coefficients[i]) / static_cast<double>(largest);
  }
  return c;
}

std::int64_t largest_of(const LinearForm& form) {
  std::int64_t largest = 0;
  for (const std::int64_t one : form.coefficients) largest = std::max(largest, std::abs(one));
  return largest;
}

// How far the noise of the number reaches, from above.
template <class Law>
double reach_of(const CombinedNoise<Law>& noise, const LinearForm& form) {
  const std::int64_t largest = largest_of(form);
  const double reach = noise.reach(relative_to(largest, form)) * (1 + 0x1p-48);  // quotients round twice
  const double factor = numeric::divide_up(std::nextafter(static_cast<double>(largest), HUGE_VAL),
                                           std::nextafter(static_cast<double>(form.divisor), 0));
  return numeric::multiply_up(reach, factor);
}

}  // namespace

// The exact number differs from the released ratio by less than `reach`, and that from its rounding by 1/2 at most.
std::int64_t accuracy_from(double reach, bool is_whole) {
  const double whole = std::ceil(numeric::add_up(reach, 0.5)) - (is_whole ? 1 : 0);
  return static_cast<std::int64_t>(std::min(whole, greatest_accuracy));
}

// The nearest whole number, the upper one of two; within 64 bits.
std::int64_t nearest_quotient(WideSum sum, std::int64_t divisor) {
  const Wide doubled = 2 * Wide{divisor}, shifted = 2 * sum + divisor;
  const Wide quotient = shifted / doubled - (shifted % doubled < 0 ? 1 : 0);
  return static_cast<std::int64_t>(std::clamp(quotient, Wide{INT64_MIN}, Wide{INT64_MAX}));
}

LinearForm count_of_rows(const MeanNodes& nodes) {
  LinearForm form{{}, nodes.weight(), true};
  std::fill_n(form.coefficients.begin(), nodes.count(), 1);
  return form;
}

LinearForm sum_of_rows(const MeanNodes& nodes, std::int64_t origin) {
  LinearForm form{{}, 2 * nodes.weight(), nodes.basis() == Basis::two};
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    form.coefficients[i] = 2 * origin + nodes.twice_place(i) * nodes.steps();
  }
  return form;
}

template <class Law>
LinearInference<Law> LinearInference<Law>::of(const Law& law, const MeanNodes& nodes, const LinearForm& form,
                                              PossibleRange possible, Alpha alpha) {
  const auto noise = CombinedNoise<Law>::of(law, alpha, nodes.count());
  return LinearInference(form, nodes.count(), possible, accuracy_from(reach_of(noise, form), form.is_whole));
}

// A reach is a t with P[abs(sum) > t] <= alpha; the sums of accuracy_from() are further away than `reach`, or as far.
template <class Law>
LinearInference<Law> LinearInference<Law>::of_difference(const Law& law, const MeanNodes& nodes, const LinearForm& form,
                                                         PossibleRange possible, Alpha alpha) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    const double weight = static_cast<double>(form.coefficients[i]) / static_cast<double>(form.divisor);
    weights.insert(weights.end(), 2, weight * (1 + 0x1p-48));
  }
  const std::vector<denoise::IntegerLaw> laws(weights.size(), law);
  const double reach = denoise::reach_of(denoise::terms_of(weights, laws), alpha).proven;
  const double beyond = std::nextafter(numeric::multiply_up(reach, 1 + 0x1p-48), HUGE_VAL);
  return LinearInference(form, nodes.count(), possible, accuracy_from(beyond, form.is_whole));
}

template <class Law>
Result<AdditiveInterval> LinearInference<Law>::from(std::span<const std::int64_t> released) const {
  if (released.size() != count_) {
    return invalid("a number from node sums needs one released sum per node, " + std::to_string(count_) +
                   ", but there are " + std::to_string(released.size()));
  }
  Wide sum = 0;
  for (std::size_t i = 0; i < count_; ++i) sum += Wide{form_.coefficients[i]} * released[i];
  return additive(nearest_quotient(sum, form_.divisor), accuracy_, possible_);
}

template class LinearInference<noise::Geometric>;
template class LinearInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
