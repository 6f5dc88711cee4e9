#include "vernier/interval/population/mean.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr std::size_t cells = 256;
constexpr double third = 1.0 / 3;
constexpr double raised = 1 + 0x1p-40;
constexpr double sum_error = 0x1p-48;  // of a combination with coefficients of at most 1, as part of all sums

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

SampleGuard SampleGuard::at(Alpha alpha) {
  const double logarithm = std::log(1 / alpha.value());
  return {.variance = logarithm / 2,
          .skew = std::min(2.0 / 3, 0.25 + logarithm / 60),
          .half_step = std::min(0.5, 0.0625 + alpha.value())};
}

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
  found.rounding_ = nodes.square_rounding();
  const Squares squares{rows, found.rounding_};
  if (assurance == Assurance::usual) {
    found.noise_ = reaches(law, chance, squares);
    found.sample_ = SampleGuard::at(alpha);
    found.guard_ = found.sample_.variance;
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

template <class Law>
typename SamplingVariance<Law>::Compared SamplingVariance<Law>::compared(double size, double variance,
                                                                         double distance) const {
  if (part_left_out_ == 0) return {size, variance};
  return {size - half_step(), (variance + sample_.skew * weight_ * distance * size) * raised};
}

template class SamplingVariance<noise::Geometric>;
template class SamplingVariance<noise::DiscreteGaussian>;

namespace {

constexpr double coefficient_raised = 1 + 0x1p-48;  // pays for the roundings of a coefficient
constexpr int finer_than_error = 9;                 // bits
constexpr double least_alpha = 1e-100;

// The sizes of the imbalance's coefficients anywhere in a cell: c is linear in r.
struct Sizes {
  Coefficients least, greatest;
};
Sizes sizes_in(const MeanNodes& nodes, Cell cell) {
  const Coefficients first = imbalance_coefficients(nodes, cell.first);
  const Coefficients last = imbalance_coefficients(nodes, cell.last);
  Sizes sizes{};
  for (std::size_t i = 0; i < most_nodes; ++i) {
    const double one_end = std::abs(first[i]), other_end = std::abs(last[i]);
    sizes.least[i] = first[i] * last[i] < 0 ? 0 : std::min(one_end, other_end) / coefficient_raised;
    sizes.greatest[i] = std::max(one_end, other_end) * coefficient_raised;
  }
  return sizes;
}

Fraction nearest_fraction(double place) { return static_cast<Fraction>(place * 0x1p60); }

// What is left of alpha for the imbalance.
double rest_of(Alpha alpha) { return numeric::multiply_down(alpha.value(), 1 - part_of_variance) * (1 - 0x1p-50); }

// The least ratio of a guaranteed variance to the square of a row's greatest distance: 2 ln(1 / chance).
double least_ratio(Alpha alpha) { return 2 * std::log(1 / (alpha.value() * part_of_variance)); }

}  // namespace

Result<void> check_design(const Design& design) {
  if (!(design.sampled >= 0 && design.sampled <= 1)) {
    return invalid("the sampled part of a population must lie between 0 and 1");
  }
  if (!(design.greatest_weight > 0) || std::isinf(design.greatest_weight)) {
    return invalid("the greatest weight must be finite and positive");
  }
  return {};
}

Result<void> check_population_alpha(Alpha alpha) {
  if (alpha.value() >= least_alpha) return {};
  return invalid("the alpha of a population's interval must be at least 1e-100; make it larger");
}

template <class Law>
ImbalanceTest<Law> ImbalanceTest<Law>::of(const Law& law, Alpha alpha, Assurance assurance) {
  const double rest = rest_of(alpha);
  if (assurance == Assurance::usual) return {SmoothedNoise<Law>::of(law, *Probability::of(rest)), std::nullopt};
  return {std::nullopt, BoundedSumAndNoise<Law>::of(law, *Probability::of(rest / 2), least_ratio(alpha))};
}

template <class Law>
Result<PopulationMeanInference<Law>> PopulationMeanInference<Law>::of(const Law& law, const MeanNodes& nodes,
                                                                      noise::ValueRange bounds, Alpha alpha,
                                                                      Assurance assurance, const Design& design) {
  if (nodes.basis() != Basis::bernstein) return invalid("a population mean needs node sums of the Bernstein basis");
  VERNIER_TRY(check_design(design));
  VERNIER_TRY(check_population_alpha(alpha));
  PopulationMeanInference found(CombinedNoise<Law>::of(law, alpha, nodes.count()),
                                SamplingVariance<Law>::of(law, nodes, alpha, assurance, design), nodes, bounds,
                                law.variance().upper);
  found.is_weighted_ = design.greatest_weight != 1;
  const auto test = ImbalanceTest<Law>::of(law, alpha, assurance);
  found.smoothed_ = test.usual;
  found.bound_ = test.guaranteed;
  return found;
}

template <class Law>
bool PopulationMeanInference<Law>::rejects(Released released, const SquareSums& sums, Cell cell) const {
  const Imbalance seen = least_imbalance(nodes_, released, cell);
  if (!(seen.size > 0)) return false;
  const double first = as_place(cell.first), last = as_place(cell.last);
  const double variance = variance_.greatest(sums, first, last);
  const Sizes sizes = sizes_in(nodes_, cell);
  const double both = std::max(1 - first, last);
  if (smoothed_) {
    const double missing = is_weighted_ ? both : (seen.is_positive ? last : 1 - first);
    const auto [size, granted] = variance_.compared(seen.size, variance, missing);
    return size > 0 && smoothed_->rarely_reaches(granted, sizes.greatest, size);
  }
  const double distance = is_weighted_ ? both : (seen.is_positive ? 1 - first : last);
  return bound_->rarely_reaches({variance, variance_.greatest_step(distance)}, sizes.least, sizes.greatest, seen.size);
}

template <class Law>
double PopulationMeanInference<Law>::reach_at(const SquareSums& sums, double place) const {
  const Fraction at = nearest_fraction(place);
  const Coefficients sizes = sizes_in(nodes_, {at, at}).greatest;
  const double variance = variance_.greatest(sums, place, place);
  if (smoothed_) {
    const auto reach = [&](double granted) { return smoothed_->reach(granted, sizes); };
    return variance_.usual_reach(reach, variance, std::max(place, 1 - place));
  }
  return bound_->reach({variance, variance_.greatest_step(std::max(place, 1 - place))}, sizes);
}

// What the test keeps, for sums whose total is above 0.
template <class Law>
Places PopulationMeanInference<Law>::kept_places(Released released, double total) const {
  const SquareSums sums = square_sums(released);
  const double middle = ratio_place(nodes_, released, total);
  const double error = std::sqrt(variance_.greatest(sums, middle, middle) + noise_variance_);
  const auto rejected = [&](Cell cell) { return rejects(released, sums, cell); };
  const Places places =
      places_of(kept_hull(rejected, resolution_for(error / std::max(total, error), finer_than_error)));
  if (lies_inside(places)) return places;
  return lengthened(places, middle, reach_at(sums, middle) / std::max(total, static_cast<double>(nodes_.weight())));
}

template <class Law>
Result<PopulationInterval> PopulationMeanInference<Law>::from(Released released) const {
  if (released.size() != nodes_.count()) return wrong_number_of_sums(nodes_, released);
  const double total = total_of(released);
  const Places places = total > 0 ? kept_places(released, total) : Places{0, 1};
  const Interval interval = values_of(bounds_, places);
  const double value = value_at(bounds_, shrunken_place(nodes_, released, noise_variance_), interval);
  return PopulationInterval{value,
                            farthest_end(value, interval),
                            interval,
                            smoothed_ ? Status::tested : Status::proven,
                            places.low > 0 || places.high < 1,
                            may_have_no_rows(noise_, nodes_, total)};
}

template struct ImbalanceTest<noise::Geometric>;
template struct ImbalanceTest<noise::DiscreteGaussian>;
template class PopulationMeanInference<noise::Geometric>;
template class PopulationMeanInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
