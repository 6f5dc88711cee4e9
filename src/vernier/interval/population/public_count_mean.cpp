#include "vernier/interval/population/public_count_mean.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/mean.hpp"

namespace vernier::interval {
namespace {

constexpr std::int64_t greatest_steps = std::int64_t{1} << 53;
constexpr std::int64_t greatest_sum = std::int64_t{1} << 62;
constexpr double sum_error = 0x1p-48;       // of a combination with coefficients of at most 1, as part of all sums
constexpr int finer_than_error = 9;         // bits
constexpr Coefficients sizes{0.5, 0, 0.5};  // of the noise in half the upper less half the lower sum

Failure wrong_number_of_rows(std::int64_t rows, std::int64_t most) {
  return invalid("a public number of rows must lie between 1 and " + std::to_string(most) + ", but it is " +
                 std::to_string(rows));
}

// Sums and rows times steps are below 2^62 in size: their quotients round once more than they should.
double down(std::int64_t sum, std::int64_t all) {
  if (sum == 0) return 0;
  return std::clamp(static_cast<double>(sum) / static_cast<double>(all) * (1 - 0x1p-50), 0.0, 1.0);
}
double up(std::int64_t sum, std::int64_t all) {
  return std::clamp(static_cast<double>(sum) / static_cast<double>(all) * (1 + 0x1p-50), 0.0, 1.0);
}

}  // namespace

template <class Law>
Result<PublicCountMeanInference<Law>> PublicCountMeanInference<Law>::of(const Law& law, std::int64_t steps,
                                                                        noise::ValueRange bounds, Alpha alpha) {
  if (steps < 1 || steps > greatest_steps) {
    return invalid("the bounds must be 1 to 2^53 steps of the grid apart, but they are " + std::to_string(steps));
  }
  VERNIER_TRY(const std::int64_t accuracy, additive_accuracy(law, alpha));
  return PublicCountMeanInference(steps, bounds, accuracy);
}

template <class Law>
Result<MeanInterval> PublicCountMeanInference<Law>::from(std::int64_t released, std::int64_t rows) const {
  if (rows < 1 || rows > greatest_sum / steps_) return wrong_number_of_rows(rows, greatest_sum / steps_);
  const std::int64_t all = rows * steps_;
  const AdditiveInterval sum = additive(released, accuracy_, *PossibleRange::of(0, all));
  const Places places{down(sum.low, all), up(sum.high, all)};
  const Interval interval = values_of(bounds_, places);
  const double value = value_at(bounds_, static_cast<double>(sum.value) / static_cast<double>(all), interval);
  return MeanInterval{value, farthest_end(value, interval), interval, places.low > 0 || places.high < 1, false};
}

template <class Law>
Result<PublicCountPopulationMean<Law>> PublicCountPopulationMean<Law>::of(const Law& law, const MeanNodes& nodes,
                                                                          noise::ValueRange bounds, Alpha alpha,
                                                                          Assurance assurance, const Design& design) {
  if (nodes.basis() != Basis::bernstein) return invalid("a population mean needs node sums of the Bernstein basis");
  VERNIER_TRY(check_design(design));
  VERNIER_TRY(check_population_alpha(alpha));
  if (design.greatest_weight != 1) {
    return invalid("with weights the number of rows does not say their weight; leave public_count out");
  }
  PublicCountPopulationMean found(SamplingVariance<Law>::of(law, nodes, alpha, assurance, design, RowCount::known),
                                  nodes, bounds, law.variance().upper);
  const ImbalanceTest<Law> test = ImbalanceTest<Law>::of(law, alpha, assurance);
  found.smoothed_ = test.usual;
  found.bound_ = test.guaranteed;
  return found;
}

// The imbalance at r is (upper - lower) / 2 + (1/2 - r) total, and falls as r grows.
template <class Law>
bool PublicCountPopulationMean<Law>::rejects(const SquareSums& sums, Cell cell) const {
  const double first = as_place(cell.first), last = as_place(cell.last);
  const double half = (sums.y[2] - sums.y[0]) / 2, error = sum_error * sums.size;
  const double above = half + (0.5 - last) * sums.total - error, below = (first - 0.5) * sums.total - half - error;
  const double seen = std::max(above, below);
  if (!(seen > 0)) return false;
  const double variance = variance_.greatest(sums, first, last);
  if (smoothed_) {
    const auto [size, granted] = variance_.compared(seen, variance, above > 0 ? last : 1 - first);
    return size > 0 && smoothed_->rarely_reaches(granted, sizes, size);
  }
  const double distance = above > 0 ? 1 - first : last;
  return bound_->rarely_reaches({variance, variance_.greatest_step(distance)}, sizes, sizes, seen);
}

template <class Law>
double PublicCountPopulationMean<Law>::reach_at(const SquareSums& sums, double place) const {
  const double variance = variance_.greatest(sums, place, place);
  if (smoothed_) {
    const auto reach = [&](double granted) { return smoothed_->reach(granted, sizes); };
    return variance_.usual_reach(reach, variance, std::max(place, 1 - place));
  }
  return bound_->reach({variance, variance_.greatest_step(std::max(place, 1 - place))}, sizes);
}

template <class Law>
Places PublicCountPopulationMean<Law>::kept_places(const SquareSums& sums) const {
  const double middle = std::clamp(0.5 + (sums.y[2] - sums.y[0]) / 2 / sums.total, 0.0, 1.0);
  const double error = std::sqrt(variance_.greatest(sums, middle, middle) + noise_variance_ / 2) / sums.total;
  const auto rejected = [&](Cell cell) { return rejects(sums, cell); };
  const Places places = places_of(kept_hull(rejected, resolution_for(error, finer_than_error)));
  if (lies_inside(places)) return places;
  return lengthened(places, middle, reach_at(sums, middle) / sums.total);
}

template <class Law>
Result<PopulationInterval> PublicCountPopulationMean<Law>::from(Released released, std::int64_t rows) const {
  if (released.size() != nodes_.count()) return wrong_number_of_sums(nodes_, released);
  if (rows < 1 || rows > nodes_.rows_that_fit()) return wrong_number_of_rows(rows, nodes_.rows_that_fit());
  const double total = static_cast<double>(rows) * static_cast<double>(nodes_.weight());
  const SquareSums sums = square_sums(released, total);
  const Places places = kept_places(sums);
  const Interval interval = values_of(bounds_, places);
  const double value = value_at(bounds_, 0.5 + (sums.y[2] - sums.y[0]) / 2 / total, interval);
  const Status status = smoothed_ ? Status::tested : Status::proven;
  return PopulationInterval{value,  farthest_end(value, interval),     interval,
                            status, places.low > 0 || places.high < 1, false};
}

template class PublicCountMeanInference<noise::Geometric>;
template class PublicCountMeanInference<noise::DiscreteGaussian>;
template class PublicCountPopulationMean<noise::Geometric>;
template class PublicCountPopulationMean<noise::DiscreteGaussian>;

}  // namespace vernier::interval
