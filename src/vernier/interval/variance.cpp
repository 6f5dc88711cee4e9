#include "vernier/interval/variance.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/spread_sums.hpp"
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
  const Alpha of_mean = *Alpha::of(alpha.value() * part_of_mean);
  const Alpha of_squares = *Alpha::of(numeric::subtract_down(alpha.value(), of_mean.value()));
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

}  // namespace vernier::interval
