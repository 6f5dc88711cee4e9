#include "vernier/interval/rows/variance.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_mean = 0.1;   // of alpha
constexpr double tolerance = 0x1p-10;  // of the scale: what is not worth halving

// Tells of boxes of means and variances whether the released sums reject them.
template <class Law>
class BoxTest {
 public:
  BoxTest(const CombinedNoise<Law>& noise, const SpreadSums& sums, Divisor divisor)
      : noise_(noise), sums_(sums), divisor_(divisor), scale_(noise.law().scale()) {}

  Trial operator()(const Box& box) const {
    const BoxDistance found = distance_of(sums_, box, scale_);
    return {is_impossible(box, divisor_) || is_rejected(box, found.distance - sums_.error()),
            std::max(found.x_slack, found.y_slack) <= tolerance * scale_, found.x_slack > found.y_slack,
            found.distance};
  }

 private:
  bool is_rejected(const Box& box, double distance) const {
    const Coefficients sizes = greatest_sizes(box);
    return noise_.rarely_reaches({sizes, sizes}, distance);
  }

  const CombinedNoise<Law>& noise_;
  const SpreadSums& sums_;
  Divisor divisor_;
  double scale_;
};

// Variances between 0 and `most` that are not rejected, for sums that tell something.
template <class Law>
Span variances_from(const CombinedNoise<Law>& noise, const SpreadSums& sums, const Interval& means, Divisor divisor) {
  const double most = greatest_variance(divisor);
  const Span kept = kept_variances(BoxTest<Law>(noise, sums, divisor), means, most);
  if (kept.least > 0 && kept.greatest < most && kept.least <= kept.greatest) return kept;
  const double r = std::clamp(sums.middle(), 0.0, 1.0);
  const double v = std::clamp(sums.squares(r) / sums.divisor, 0.0, most);
  const double reach = noise.reach({r * r - v, r * (1 - r) + v, (1 - r) * (1 - r) - v});
  return lengthened(kept, v, reach / std::max(sums.divisor, sums.weight));
}

}  // namespace

template <class Law>
Result<SpreadInference<Law>> SpreadInference<Law>::of(const Law& law, const MeanNodes& nodes, Real range, Alpha alpha,
                                                      SpreadForm form) {
  if (nodes.basis() != Basis::bernstein) return invalid("a variance needs node sums of the Bernstein basis");
  VERNIER_TRY(const Alpha of_mean, Alpha::of(alpha.value() * part_of_mean));
  VERNIER_TRY(const Alpha of_squares, Alpha::of(numeric::subtract_down(alpha.value(), of_mean.value())));
  const auto places = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  return SpreadInference(MeanInference<Law>::of(law, nodes, places, of_mean),
                         CombinedNoise<Law>::of(law, of_squares, nodes.count()), nodes, range.value(), form,
                         law.variance().upper);
}

template <class Law>
Result<SpreadInterval> SpreadInference<Law>::from(Released released) const {
  VERNIER_TRY(const MeanInterval mean, mean_.from(released));
  const SpreadSums sums = spread_sums(released, nodes_.weight(), form_.divisor);
  const double most = greatest_variance(form_.divisor), rounding = rounding_of(nodes_, form_.divisor);
  Span found{0, most};
  if (sums.tell_something()) found = variances_from(noise_, sums, mean.interval, form_.divisor);
  found = {std::max(found.least - rounding, 0.0), std::min(found.greatest + rounding, most)};
  const Interval interval = spreads_of(found, range_, form_.is_root);
  const double variance = estimate(sums, variance_) * range_ * range_;
  const double value = std::clamp(form_.is_root ? std::sqrt(variance) : variance, interval.low, interval.high);
  return SpreadInterval{value, farthest_end(value, interval), interval, found.least > 0 || found.greatest < most,
                        may_be_too_few(noise_, sums)};
}

template class SpreadInference<noise::Geometric>;
template class SpreadInference<noise::DiscreteGaussian>;

namespace {

constexpr double raised = 1 + 0x1p-48;  // pays for the roundings of a coefficient, with the absolute part
constexpr double absolute = 0x1p-50;
constexpr double likely_variance = 1.0 / 16;  // of no rows at all: a deviation of a quarter of the range

double down(double variance, double range, bool is_root) {
  if (is_root) return numeric::multiply_down(numeric::sqrt_down(variance), range);
  return numeric::multiply_down(numeric::multiply_down(variance, range), range);
}
double up(double variance, double range, bool is_root) {
  if (is_root) return numeric::multiply_up(numeric::sqrt_up(variance), range);
  return numeric::multiply_up(numeric::multiply_up(variance, range), range);
}

}  // namespace

SpreadSums spread_sums(Released released, std::int64_t weight, Divisor divisor) {
  SpreadSums sums{};
  sums.weight = static_cast<double>(weight);
  for (std::size_t i = 0; i < most_nodes; ++i) {
    sums.y[i] = static_cast<double>(released[i]);
    sums.total += sums.y[i];
    sums.size += std::abs(sums.y[i]);
  }
  sums.divisor = divisor == Divisor::rows ? sums.total : sums.total - sums.weight;
  return sums;
}

Span squares_between(const SpreadSums& sums, double first, double last) {
  const double nearest = std::clamp(sums.middle(), first, last);
  return {sums.squares(nearest), std::max(sums.squares(first), sums.squares(last))};
}

double greatest_product(double first, double last) {
  const double nearest = std::clamp(0.5, first, last);
  return nearest * (1 - nearest);
}

Coefficients greatest_sizes(const Box& box) {
  const double r = box.x_first, s = box.x_last, v = box.y_first, w = box.y_last;
  return {(std::max(s * s - v, w - r * r) + absolute) * raised, (greatest_product(r, s) + w + absolute) * raised,
          (std::max((1 - r) * (1 - r) - v, w - (1 - s) * (1 - s)) + absolute) * raised};
}

BoxDistance distance_of(const SpreadSums& sums, const Box& box, double scale) {
  const Span squares = squares_between(sums, box.x_first, box.x_last);
  const double above = squares.least - box.y_last * sums.divisor;
  const double below = box.y_first * sums.divisor - squares.greatest;
  return {std::max({above, below, 0.0}), squares.greatest - squares.least + 4 * scale * (box.x_last - box.x_first),
          (sums.divisor + 4 * scale) * (box.y_last - box.y_first)};
}

bool is_impossible(const Box& box, Divisor divisor) {
  const double most = 4 * greatest_variance(divisor) * raised;
  return box.y_first > most * (greatest_product(box.x_first, box.x_last) + absolute);
}

Span lengthened(const Span& span, double middle, double reach) {
  if (span.greatest - span.least >= reach) return span;
  return {std::min(span.least, middle - reach), std::max(span.greatest, middle + reach)};
}

double estimate(const SpreadSums& sums, double noise_variance) {
  if (!(sums.total > 0) || !(sums.divisor > 0)) return likely_variance;
  const double squares = std::max(sums.squares(std::clamp(sums.middle(), 0.0, 1.0)), 0.0);
  const double weight = 3 * noise_variance;
  return (squares * sums.divisor + likely_variance * weight) / (sums.divisor * sums.divisor + weight);
}

// rows_less_one has up to twice as much.
double rounding_of(const MeanNodes& nodes, Divisor divisor) {
  return 4 * greatest_variance(divisor) * raised * nodes.square_rounding();
}

Interval spreads_of(const Span& variances, double range, bool is_root) {
  return {down(variances.least, range, is_root), up(variances.greatest, range, is_root)};
}

}  // namespace vernier::interval
