#include "vernier/interval/population_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "vernier/interval/mean_places.hpp"
#include "vernier/interval/population_mean.hpp"
#include "vernier/interval/sampling_variance.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_squares = 0.1;  // of alpha, for the noise of the squares
constexpr double guard_factor = 2;       // times ln(1 / alpha): population_mean.md says why
constexpr double raised = 1 + 0x1p-40;
constexpr double sum_error = 0x1p-48;  // of a combination with coefficients of at most 1, as part of all sums

// The bounds in units of the larger of them.
struct ScaledBounds {
  double greatest, lower, upper;
  Coefficients values() const { return {lower, (lower + upper) / 2, upper}; }
  Coefficients squares() const { return {lower * lower, lower * upper, upper * upper}; }
};
ScaledBounds scaled(noise::ValueRange bounds) {
  const double greatest = std::max(std::abs(bounds.lower()), std::abs(bounds.upper()));
  return {greatest, bounds.lower() / greatest, bounds.upper() / greatest};
}

Coefficients sizes_of(const Coefficients& c) {
  return {std::abs(c[0]) * raised, std::abs(c[1]) * raised, std::abs(c[2]) * raised};
}

double combined(const Coefficients& c, const SquareSums& sums) {
  return c[0] * sums.y[0] + c[1] * sums.y[1] + c[2] * sums.y[2];
}

// Where values of one sign can lie.
Interval possible_sums(noise::ValueRange bounds) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  return {bounds.lower() >= 0 ? 0 : -unbounded, bounds.upper() <= 0 ? 0 : unbounded};
}

}  // namespace

template <class Law>
Result<PopulationSumInference<Law>> PopulationSumInference<Law>::of(const Law& law, const MeanNodes& nodes,
                                                                    noise::ValueRange bounds, Alpha alpha,
                                                                    const Design& design) {
  if (nodes.basis() != Basis::bernstein) return invalid("a population sum needs node sums of the Bernstein basis");
  if (!(design.sampled > 0 && design.sampled <= 1)) {
    return invalid(
        "a sum over the population needs to know which part of it the table holds; declare `sampled` of the table, "
        "above 0 and at most 1");
  }
  if (design.greatest_weight != 1) return invalid("a sum over the population is not made of weighted rows");
  const auto of_noise = Alpha::of(std::min(2 * alpha.value() * part_of_squares, 0.999));
  if (!of_noise) return Failure(of_noise.error());
  const double rest = alpha.value() * (1 - part_of_squares) * (1 - 0x1p-50);
  PopulationSumInference found(SmoothedNoise<Law>::of(law, *Probability::of(rest)),
                               CombinedNoise<Law>::of(law, alpha, most_nodes), nodes, bounds);
  found.sampled_ = design.sampled;
  found.squares_reach_ = CombinedNoise<Law>::of(law, *of_noise, most_nodes).reach(sizes_of(scaled(bounds).squares()));
  found.guard_ = guard_factor * std::log(1 / alpha.value());
  return found;
}

// Of the sum over the rows, in squared units of the nodes and of the greatest value.
template <class Law>
double PopulationSumInference<Law>::variance_of(Released released) const {
  if (sampled_ == 1) return 0;
  const SquareSums sums = square_sums(released);
  const ScaledBounds in = scaled(bounds_);
  const auto weight = static_cast<double>(nodes_.weight());
  const double width = in.upper - in.lower, rounding = nodes_.has_exact_squares() ? 0 : width * width / (2 * weight);
  const double squares = combined(in.squares(), sums) + rounding * sums.total + sum_error * sums.size;
  return weight * ((1 - sampled_) * (std::max(squares, 0.0) + squares_reach_) + guard_ * weight) * raised;
}

template <class Law>
Result<PopulationInterval> PopulationSumInference<Law>::from(Released released) const {
  if (released.size() != nodes_.count()) return wrong_number_of_sums(nodes_, released);
  const SquareSums sums = square_sums(released);
  const ScaledBounds in = scaled(bounds_);
  const Interval possible = possible_sums(bounds_);
  const double seen = std::clamp(combined(in.values(), sums), possible.low, possible.high);
  const double reach = noise_.reach(variance_of(released), sizes_of(in.values())) + sum_error * sums.size;
  const double unit = in.greatest / static_cast<double>(nodes_.weight()) / sampled_;
  const double value = seen * unit, half = numeric::multiply_up(reach * raised, unit) + std::abs(value) * 0x1p-48;
  const Interval interval{std::max(numeric::subtract_down(value, half), possible.low),
                          std::min(numeric::add_up(value, half), possible.high)};
  return PopulationInterval{value,    farthest_end(value, interval),
                            interval, Status::tested,
                            true,     may_have_no_rows(rows_, nodes_, sums.total)};
}

template class PopulationSumInference<noise::Geometric>;
template class PopulationSumInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
