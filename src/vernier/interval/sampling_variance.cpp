#include "vernier/interval/sampling_variance.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::interval {
namespace {

constexpr std::size_t cells = 256;
constexpr double third = 1.0 / 3;
constexpr double raised = 1 + 0x1p-40;
constexpr double sum_error = 0x1p-48;  // of a combination with coefficients of at most 1, as part of all sums
constexpr double guard_of_usual = 2;   // times ln(1 / alpha): population_mean.md

double greatest_product(double first, double last) {
  const double nearest = std::clamp(0.5, first, last);
  return nearest * (1 - nearest);
}

// What the noise of the squares is made of.
struct Squares {
  RowCount rows;
  double rounding;  // of a square, as part of a node
};

// The sizes of r^2, r (1 - r), (1 - r)^2 over the places of a cell, with the rounding of squares in each; with a known
// total those of r - 1/3, 1/3, 2/3 - r.
Coefficients greatest_sizes(double first, double last, const Squares& squares) {
  if (squares.rows == RowCount::known) {
    return {std::max(std::abs(first - third), std::abs(last - third)) * raised, third * raised,
            std::max(std::abs(2 * third - first), std::abs(2 * third - last)) * raised};
  }
  return {(last * last + squares.rounding) * raised, (greatest_product(first, last) + squares.rounding) * raised,
          ((1 - first) * (1 - first) + squares.rounding) * raised};
}

std::size_t cell_at(double place) { return std::min(static_cast<std::size_t>(place * cells), cells - 1); }

// Of every cell: what the noise of the squares stays above, reflected, but for `chance`.
template <class Law>
std::vector<double> reaches(const Law& law, double chance, const Squares& squares) {
  const auto noise = CombinedNoise<Law>::of(law, *Alpha::of(std::min(2 * chance, 0.999)), most_nodes);
  std::vector<double> found;
  for (std::size_t i = 0; i < cells; ++i) {
    const auto at = static_cast<double>(i);
    found.push_back(noise.reach(greatest_sizes(at / cells, (at + 1) / cells, squares)));
  }
  return found;
}

// Of every cell: the deviation of the noise of the squares.
std::vector<double> deviations(const noise::DiscreteGaussian& law, const Squares& squares) {
  std::vector<double> found;
  for (std::size_t i = 0; i < cells; ++i) {
    const auto at = static_cast<double>(i);
    const Coefficients c = greatest_sizes(at / cells, (at + 1) / cells, squares);
    found.push_back(std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) * law.scale() * raised);
  }
  return found;
}

// What a guaranteed bound spends on the noise of the squares and on the sample, apart or together.
struct Spend {
  std::vector<double> noise;
  double logarithm;
  bool is_joint;
};
Spend spend_of(const noise::Geometric& law, double chance, const Squares& squares) {
  return {reaches(law, chance / 2, squares), std::log(2 / chance) * raised, false};
}
Spend spend_of(const noise::DiscreteGaussian& law, double chance, const Squares& squares) {
  return {deviations(law, squares), std::log(1 / chance) * raised, true};
}

}  // namespace

SquareSums square_sums(Released released) {
  SquareSums sums{};
  for (std::size_t i = 0; i < most_nodes; ++i) {
    sums.y[i] = static_cast<double>(released[i]);
    sums.total += sums.y[i];
    sums.size += std::abs(sums.y[i]);
  }
  return sums;
}

SquareSums square_sums(Released released, double total) {
  SquareSums sums = square_sums(released);
  const double move = (total - sums.total) / 3;
  for (double& sum : sums.y) sum += move;
  sums.total = total;
  sums.size += total;
  return sums;
}

template <class Law>
SamplingVariance<Law> SamplingVariance<Law>::of(const Law& law, const MeanNodes& nodes, Alpha alpha,
                                                Assurance assurance, const Design& design, RowCount rows) {
  SamplingVariance found;
  const double chance = alpha.value() * part_of_variance;
  found.assurance_ = assurance;
  found.weight_ = static_cast<double>(nodes.weight()) * design.greatest_weight * raised;
  found.rounding_ = nodes.has_exact_squares() ? 0 : 0.5 / static_cast<double>(nodes.weight());
  const Squares squares{rows, found.rounding_};
  if (assurance == Assurance::usual) {
    found.noise_ = reaches(law, chance, squares);
    found.guard_ = guard_of_usual * std::log(1 / alpha.value());
    found.part_left_out_ = 1 - design.sampled;
    return found;
  }
  Spend spend = spend_of(law, chance, squares);
  found.noise_ = std::move(spend.noise);
  found.guard_ = spend.logarithm;
  found.noise_factor_ = spend.is_joint ? 2 * spend.logarithm : 0;
  return found;
}

template <class Law>
double SamplingVariance<Law>::noise_between(double first, double last) const {
  const auto begin = noise_.begin() + static_cast<std::ptrdiff_t>(cell_at(first));
  return *std::max_element(begin, noise_.begin() + static_cast<std::ptrdiff_t>(cell_at(last)) + 1);
}

template <class Law>
double SamplingVariance<Law>::greatest(const SquareSums& sums, double first, double last) const {
  const double farthest = std::max(1 - first, last);
  const double guard = guard_ * weight_ * farthest * farthest;
  const double noise = noise_between(first, last);
  const double squares = std::max(sums.at(first), sums.at(last)) + rounding_ * sums.total + sum_error * sums.size;
  if (assurance_ == Assurance::usual) {
    if (part_left_out_ == 0) return 0;
    return weight_ * ((std::max(squares, 0.0) + noise) * part_left_out_ + guard) * raised;
  }
  const bool is_joint = noise_factor_ > 0;
  const double seen = std::max(squares + (is_joint ? 0 : noise), 0.0);
  const double under_root = guard * guard + 2 * guard * seen + noise_factor_ * noise * noise;
  return weight_ * (seen + guard + std::sqrt(under_root)) * raised;
}

template class SamplingVariance<noise::Geometric>;
template class SamplingVariance<noise::DiscreteGaussian>;

}  // namespace vernier::interval
