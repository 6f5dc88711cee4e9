#include "vernier/interval/population/sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_squares = 0.1;  // of alpha, for the noise of the squares
constexpr int reach_steps = 24;          // each halves what is missing, at least
constexpr double raised = 1 + 0x1p-40;
constexpr double sum_error = 0x1p-48;  // of a combination with coefficients of at most 1, as part of all sums
constexpr double unbounded = std::numeric_limits<double>::infinity();

// Where values of one sign can lie.
Interval possible_sums(noise::ValueRange bounds) {
  return {bounds.lower() >= 0 ? 0 : -unbounded, bounds.upper() <= 0 ? 0 : unbounded};
}

// Of three nodes: 1, p and p^2 are (1, 1, 1), (0, 1/2, 1) and (0, 0, 1) in their basis.
PopulationSumForm sum_form(const MeanNodes& nodes, noise::ValueRange bounds) {
  const double greatest = std::max(std::abs(bounds.lower()), std::abs(bounds.upper()));
  const double lower = bounds.lower() / greatest, upper = bounds.upper() / greatest, width = upper - lower;
  const auto row = static_cast<double>(nodes.weight());
  return {.sums = nodes.count(),
          .values = {lower, (lower + upper) / 2, upper},
          .squares = {lower * lower, lower * upper, upper * upper},
          .greatest = greatest,
          .row = row,
          .rounding = width * width * nodes.square_rounding(),
          .possible = possible_sums(bounds)};
}

constexpr PopulationSumForm count_form{.sums = 1,
                                       .values = {1, 0, 0},
                                       .squares = {1, 0, 0},
                                       .greatest = 1,
                                       .row = 1,
                                       .rounding = 0,
                                       .possible = {0, unbounded}};

Coefficients sizes_of(const Coefficients& c) {
  return {std::abs(c[0]) * raised, std::abs(c[1]) * raised, std::abs(c[2]) * raised};
}

struct Sums {
  double total = 0, size = 0, values = 0, squares = 0;
};
Sums sums_of(const PopulationSumForm& form, Released released) {
  Sums sums;
  for (std::size_t i = 0; i < form.sums; ++i) {
    const auto y = static_cast<double>(released[i]);
    sums.total += y;
    sums.size += std::abs(y);
    sums.values += form.values[i] * y;
    sums.squares += form.squares[i] * y;
  }
  return sums;
}

// For how many members a row stands, or a weight of 1, and the greatest chance of a member not to be among the rows.
struct Drawn {
  double members, left_out;
};
Result<Drawn> drawn_by(const Design& design) {
  if (design.members_of_weight > 0 && design.sampled == 0) {
    const double most = design.greatest_weight * design.members_of_weight;
    if (!(most >= 1)) {
      return invalid(
          "a total of the population needs weights that say for how many members a row stands, so that the greatest is "
          "1 or more");
    }
    return Drawn{design.members_of_weight, numeric::subtract_up(1, numeric::divide_down(1, most))};
  }
  if (!(design.sampled > 0 && design.sampled <= 1) || design.greatest_weight != 1 || design.members_of_weight != 0) {
    return invalid(
        "a sum over the population needs to know which part of it the table holds; declare `sampled` of the table, "
        "above 0 and at most 1, or `weight`");
  }
  return Drawn{1 / design.sampled, 1 - design.sampled};
}

}  // namespace

template <class Law>
Result<PopulationSumInference<Law>> PopulationSumInference<Law>::with(const Law& law, const PopulationSumForm& form,
                                                                      Alpha alpha, const Design& design) {
  VERNIER_TRY(const Drawn drawn, drawn_by(design));
  VERNIER_TRY(const auto of_noise, Alpha::of(std::min(2 * alpha.value() * part_of_squares, 0.999)));
  const double rest = alpha.value() * (1 - part_of_squares) * (1 - 0x1p-50);
  PopulationSumInference found(SmoothedNoise<Law>::of(law, *Probability::of(rest)),
                               CombinedNoise<Law>::of(law, alpha, most_nodes), form);
  found.left_out_ = drawn.left_out;
  found.members_ = drawn.members;
  found.heaviest_ = form.row * design.greatest_weight;
  found.squares_reach_ = CombinedNoise<Law>::of(law, of_noise, most_nodes).reach(sizes_of(form.squares));
  found.guard_ = SampleGuard::at(alpha);
  return found;
}

template <class Law>
Result<PopulationSumInference<Law>> PopulationSumInference<Law>::of(const Law& law, const MeanNodes& nodes,
                                                                    noise::ValueRange bounds, Alpha alpha,
                                                                    const Design& design) {
  if (nodes.basis() != Basis::bernstein) return invalid("a population sum needs node sums of the Bernstein basis");
  return with(law, sum_form(nodes, bounds), alpha, design);
}

template <class Law>
Result<PopulationSumInference<Law>> PopulationSumInference<Law>::of_count(const Law& law, Alpha alpha,
                                                                          const Design& design) {
  return with(law, count_form, alpha, design);
}

// Of the sum over the rows, in squared units of the released numbers and of the greatest value.
template <class Law>
double PopulationSumInference<Law>::variance_of(Released released) const {
  if (left_out_ == 0) return 0;
  const Sums sums = sums_of(form_, released);
  const double squares = sums.squares + form_.rounding * sums.total + sum_error * sums.size;
  return heaviest_ * (left_out_ * (std::max(squares, 0.0) + squares_reach_) + guard_.variance * heaviest_) * raised;
}

// The least distance that is not too far: with it the variance grows, since a sample that is short of rare values shows
// too little of it (population/mean.md).
template <class Law>
double PopulationSumInference<Law>::reach_of(Released released) const {
  const double variance = variance_of(released);
  const Coefficients sizes = sizes_of(form_.values);
  double found = noise_.reach(variance, sizes);
  if (left_out_ == 0) return found;
  for (int step = 0; step < reach_steps; ++step) {
    found = noise_.reach((variance + guard_.skew * heaviest_ * found) * raised, sizes) + guard_.half_step * heaviest_;
  }
  return found * raised;
}

template <class Law>
Result<PopulationInterval> PopulationSumInference<Law>::from(Released released) const {
  if (released.size() != form_.sums) {
    return invalid("a total of the population needs " + std::to_string(form_.sums) +
                   " released numbers, but there are " + std::to_string(released.size()));
  }
  const Sums sums = sums_of(form_, released);
  const double seen = std::clamp(sums.values, form_.possible.low, form_.possible.high);
  const double reach = reach_of(released) + sum_error * sums.size;
  const double unit = form_.greatest / form_.row * members_;
  const double value = seen * unit, half = numeric::multiply_up(reach * raised, unit) + std::abs(value) * 0x1p-48;
  const Interval interval{std::max(numeric::subtract_down(value, half), form_.possible.low),
                          std::min(numeric::add_up(value, half), form_.possible.high)};
  return PopulationInterval{value,    farthest_end(value, interval),
                            interval, Status::tested,
                            true,     may_have_no_rows(rows_, form_.sums, sums.total)};
}

template class PopulationSumInference<noise::Geometric>;
template class PopulationSumInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
