#include "vernier/interval/population/spread.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/rows/variance.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_mean = 0.02;  // of alpha
constexpr double part_of_rows = 0.02;  // of alpha, for the greatest number of rows
constexpr double part_of_squares = 0.96;
constexpr double tolerance = 0x1p-8;  // of the error: what is not worth halving
constexpr double raised = 1 + 0x1p-40;

constexpr Coefficients every{1, 1, 1};

// The greatest squared distance from a mean of the box.
double greatest_square(const Box& box) {
  const double farthest = std::max({1 - box.x_first, box.x_last, 0.5});
  return farthest * farthest;
}

// What the tests grant a sample beyond the normal law: the page has how it was found.
SquaresError error_of(Alpha alpha) {
  const double point = numeric::normal_upper_point(std::log(alpha.value() * part_of_squares / 2));
  SquaresError error{};
  error.guard = std::log(1 / alpha.value()) / 4;
  error.skew = std::max(point * point - 1, 0.0) / 6;
  error.half_step = std::min(0.5, 0.0625 + alpha.value());
  return error;
}

// At most the variance of a sum of squares about the mean, for means and variances of a box.
double sampling_variance(const SquaresError& error, double total, const Box& box) {
  const double square = greatest_square(box);
  const double v = std::clamp(square / 2, box.y_first, box.y_last);
  const double rows = std::max(total, 0.0) + error.total_reach;
  return (error.row * rows * error.left_out * v * (square - v) +
          error.guard * error.row * error.row * square * square) *
         raised;
}

// Tells of boxes of means and variances whether the released sums reject them.
template <class Law>
class BoxTest {
 public:
  BoxTest(const SmoothedNoise<Law>& noise, const SpreadSums& sums, const SquaresError& error, double scale)
      : noise_(noise), sums_(sums), error_(error), scale_(scale) {}

  Trial operator()(const Box& box) const {
    const BoxDistance found = distance_of(sums_, box, scale_);
    return {is_impossible(box, Divisor::rows) || is_rejected(box, found.distance - sums_.error()),
            std::max(found.x_slack, found.y_slack) <= tolerance * scale_, found.x_slack > found.y_slack,
            found.distance};
  }

 private:
  bool is_rejected(const Box& box, double distance) const {
    const double left = distance - granted(box);
    return left > 0 && noise_.rarely_reaches(sampling_variance(error_, sums_.total, box), greatest_sizes(box), left);
  }

  // Squares that are too large have too many of the largest in them, others too many of the least.
  double granted(const Box& box) const {
    const double square = greatest_square(box);
    const bool is_large = squares_between(sums_, box.x_first, box.x_last).least > box.y_last * sums_.total;
    const double step = is_large ? square - box.y_first : std::min(box.y_last, square);
    return error_.row * (error_.skew * step + error_.half_step * square) * raised;
  }

  const SmoothedNoise<Law>& noise_;
  const SpreadSums& sums_;
  const SquaresError& error_;
  double scale_;
};

// Variances between 0 and 1/4 that are not rejected, for sums that tell something.
template <class Law>
Span variances_from(const SmoothedNoise<Law>& noise, const SpreadSums& sums, const Interval& means,
                    const SquaresError& error) {
  constexpr double most = greatest_variance(Divisor::rows);
  const double r = std::clamp(sums.middle(), 0.0, 1.0);
  const double v = std::clamp(sums.squares(r) / sums.divisor, 0.0, most);
  const Box middle{r, r, v, v};
  const double square = greatest_square(middle), row = error.row * square;
  const double reach = noise.reach(sampling_variance(error, sums.total, middle), greatest_sizes(middle)) +
                       row * (error.skew * std::max(v, square - v) / square + error.half_step);
  const Span kept = kept_variances(BoxTest<Law>(noise, sums, error, reach / 2), means, most);
  if (kept.least > 0 && kept.greatest < most && kept.least <= kept.greatest) return kept;
  return lengthened(kept, v, reach / std::max(sums.divisor, sums.weight));
}

}  // namespace

template <class Law>
Result<PopulationSpreadInference<Law>> PopulationSpreadInference<Law>::of(const Law& law, const MeanNodes& nodes,
                                                                          Real range, Alpha alpha, SpreadForm form,
                                                                          const Design& design) {
  const auto places = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  const auto of_mean = Alpha::of(alpha.value() * part_of_mean), of_rows = Alpha::of(alpha.value() * 2 * part_of_rows);
  if (!of_mean || !of_rows) return invalid("the alpha of a population variance must be at least 1e-298");
  VERNIER_TRY(auto mean, PopulationMeanInference<Law>::of(law, nodes, places, *of_mean, Assurance::usual, design));
  SquaresError error = error_of(alpha);
  error.row = static_cast<double>(nodes.weight()) * design.greatest_weight;
  error.total_reach = CombinedNoise<Law>::of(law, *of_rows, most_nodes).reach(every);
  error.left_out = 1 - design.sampled;
  PopulationSpreadInference found(mean, SmoothedNoise<Law>::of(law, *Probability::of(alpha.value() * part_of_squares)),
                                  CombinedNoise<Law>::of(law, alpha, most_nodes), nodes, error);
  found.range_ = range.value();
  found.form_ = form;
  found.variance_ = law.variance().upper;
  return found;
}

template <class Law>
Result<PopulationInterval> PopulationSpreadInference<Law>::from(Released released) const {
  VERNIER_TRY(const PopulationInterval mean, mean_.from(released));
  const SpreadSums sums = spread_sums(released, nodes_.weight(), Divisor::rows);
  const SpreadSums as_asked = spread_sums(released, nodes_.weight(), form_.divisor);
  constexpr double most = greatest_variance(Divisor::rows);
  const double rounding = rounding_of(nodes_, Divisor::rows);
  Span found{0, most};
  if (sums.tell_something()) found = variances_from(noise_, sums, mean.interval, error_);
  found = {std::max(found.least - rounding, 0.0), std::min(found.greatest + rounding, most)};
  const Interval interval = spreads_of(found, range_, form_.is_root);
  const double variance = estimate(as_asked, variance_) * range_ * range_;
  const double value = std::clamp(form_.is_root ? std::sqrt(variance) : variance, interval.low, interval.high);
  return PopulationInterval{value,
                            farthest_end(value, interval),
                            interval,
                            Status::tested,
                            found.least > 0 || found.greatest < most,
                            may_be_too_few(rows_, as_asked)};
}

template class PopulationSpreadInference<noise::Geometric>;
template class PopulationSpreadInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
