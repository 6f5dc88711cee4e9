#include "vernier/interval/variance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vernier/interval/kept_ends.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_mean = 0.1;    // of alpha
constexpr double raised = 1 + 0x1p-48;  // pays for the roundings of a coefficient, with the absolute part
constexpr double absolute = 0x1p-50;
constexpr double sum_error = 0x1p-48;         // of a combination, in the sizes of the sums; the page counts 2^-49
constexpr double cancelled = 0x1p-40;         // a total below so much of the sizes tells nothing
constexpr double tolerance = 0x1p-10;         // of the scale: what is not worth halving
constexpr double likely_variance = 1.0 / 16;  // of no rows at all: a deviation of a quarter of the range

using Released = std::span<const std::int64_t>;

struct Span {
  double least, greatest;
};

// The released sums as doubles, and what follows from them.
struct Sums {
  std::array<double, most_nodes> y;
  double weight;   // of one row
  double total;    // of all rows, noisy
  double divisor;  // total, or less one row
  double size;     // of all sums

  // The noisy sum of (place - r)^2: for total > 0 a parabola with its least value at `middle`.
  double squares(double r) const { return y[2] * (1 - r) * (1 - r) - y[1] * r * (1 - r) + y[0] * r * r; }
  double middle() const { return (y[2] + y[1] / 2) / total; }
  // Of any combination whose coefficients are at most 1.
  double error() const { return (size + weight) * sum_error; }
  bool tell_something() const { return divisor > cancelled * (size + weight); }
};

Sums sums_of(Released released, std::int64_t weight, Divisor divisor) {
  Sums sums{};
  sums.weight = static_cast<double>(weight);
  for (std::size_t i = 0; i < most_nodes; ++i) {
    sums.y[i] = static_cast<double>(released[i]);
    sums.total += sums.y[i];
    sums.size += std::abs(sums.y[i]);
  }
  sums.divisor = divisor == Divisor::rows ? sums.total : sums.total - sums.weight;
  return sums;
}

// Of the noisy squares over a range of means.
Span squares_between(const Sums& sums, double first, double last) {
  const double nearest = std::clamp(sums.middle(), first, last);
  return {sums.squares(nearest), std::max(sums.squares(first), sums.squares(last))};
}

// The greatest r (1 - r).
double greatest_product(double first, double last) {
  const double nearest = std::clamp(0.5, first, last);
  return nearest * (1 - nearest);
}

// The sizes of the noise's coefficients r^2 - v, -r (1 - r) - v, (1 - r)^2 - v anywhere in a box of means r = x and
// variances v = y.
Coefficients greatest_sizes(const Box& box) {
  const double r = box.x_first, s = box.x_last, v = box.y_first, w = box.y_last;
  return {(std::max(s * s - v, w - r * r) + absolute) * raised, (greatest_product(r, s) + w + absolute) * raised,
          (std::max((1 - r) * (1 - r) - v, w - (1 - s) * (1 - s)) + absolute) * raised};
}

// Tells of boxes of means and variances whether the released sums reject them.
template <class Law>
class BoxTest {
 public:
  BoxTest(const CombinedNoise<Law>& noise, const Sums& sums, Divisor divisor)
      : noise_(noise), sums_(sums), most_(4 * greatest_variance(divisor) * raised), scale_(noise.law().scale()) {}

  Trial operator()(const Box& box) const {
    const Span squares = squares_between(sums_, box.x_first, box.x_last);
    const double above = squares.least - box.y_last * sums_.divisor;
    const double below = box.y_first * sums_.divisor - squares.greatest;
    const double distance = std::max({above, below, 0.0});
    const double x_slack = squares.greatest - squares.least + 4 * scale_ * (box.x_last - box.x_first);
    const double y_slack = (sums_.divisor + 4 * scale_) * (box.y_last - box.y_first);
    return {is_impossible(box) || is_rejected(box, distance - sums_.error()),
            std::max(x_slack, y_slack) <= tolerance * scale_, x_slack > y_slack, distance};
  }

 private:
  // Rows with mean r have a variance of at most r (1 - r), and twice that in the sample form.
  bool is_impossible(const Box& box) const {
    return box.y_first > most_ * (greatest_product(box.x_first, box.x_last) + absolute);
  }
  bool is_rejected(const Box& box, double distance) const {
    const Coefficients sizes = greatest_sizes(box);
    return noise_.rarely_reaches({sizes, sizes}, distance);
  }

  const CombinedNoise<Law>& noise_;
  const Sums& sums_;
  double most_;
  double scale_;
};

// The ends of what the test keeps of variances up to `most`, for means between 0 and 1; of nothing kept the second lies
// below the first.
template <class Law>
Span kept_variances(const BoxTest<Law>& test, const Interval& means, double most) {
  const auto low = least_kept(test, {means.low, means.high, 0, most});
  if (!low) return {most, 0};
  const auto mirrored = [&](const Box& box) { return test({box.x_first, box.x_last, -box.y_last, -box.y_first}); };
  const auto high = least_kept(mirrored, {means.low, means.high, -most, 0});
  return {*low, high ? -*high : most};
}

// A span that the bounds have cut to nothing, or short, looks more certain than it is: it gets its reach back.
Span lengthened(const Span& span, double middle, double reach) {
  if (span.greatest - span.least >= reach) return span;
  return {std::min(span.least, middle - reach), std::max(span.greatest, middle + reach)};
}

// What the released sums say of themselves, shrunken toward `likely_variance` by the noise.
double estimate(const Sums& sums, double noise_variance) {
  if (!(sums.total > 0) || !(sums.divisor > 0)) return likely_variance;
  const double squares = std::max(sums.squares(std::clamp(sums.middle(), 0.0, 1.0)), 0.0);
  const double weight = 3 * noise_variance;
  return (squares * sums.divisor + likely_variance * weight) / (sums.divisor * sums.divisor + weight);
}

// Variances between 0 and `most` that are not rejected, for sums that tell something.
template <class Law>
Span variances_from(const CombinedNoise<Law>& noise, const Sums& sums, const Interval& means, Divisor divisor) {
  const double most = greatest_variance(divisor);
  const Span kept = kept_variances(BoxTest<Law>(noise, sums, divisor), means, most);
  if (kept.least > 0 && kept.greatest < most && kept.least <= kept.greatest) return kept;
  const double r = std::clamp(sums.middle(), 0.0, 1.0);
  const double v = std::clamp(sums.squares(r) / sums.divisor, 0.0, most);
  const double reach = noise.reach({r * r - v, r * (1 - r) + v, (1 - r) * (1 - r) - v});
  return lengthened(kept, v, reach / std::max(sums.divisor, sums.weight));
}

// By what the rounding of squares can move a variance; rows_less_one has up to twice as much.
double rounding_of(const MeanNodes& nodes, Divisor divisor) {
  if (nodes.has_exact_squares()) return 0;
  return 2 * greatest_variance(divisor) * raised / static_cast<double>(nodes.weight());
}

// Variances of places on the scale of the values, outward.
double down(double variance, double range, bool is_root) {
  if (is_root) return numeric::multiply_down(numeric::sqrt_down(variance), range);
  return numeric::multiply_down(numeric::multiply_down(variance, range), range);
}
double up(double variance, double range, bool is_root) {
  if (is_root) return numeric::multiply_up(numeric::sqrt_up(variance), range);
  return numeric::multiply_up(numeric::multiply_up(variance, range), range);
}

double farthest_end(double value, const Interval& interval) {
  return std::max(numeric::subtract_up(value, interval.low), numeric::subtract_up(interval.high, value));
}

// Whether the total may be noise on top of so few rows that the form is not defined.
template <class Law>
bool may_be_too_few(const CombinedNoise<Law>& noise, const Sums& sums) {
  return !noise.rarely_reaches({{1, 1, 1}, {1, 1, 1}}, sums.divisor - sums.error());
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
  const Result<MeanInterval> mean = mean_.from(released);
  if (!mean) return Failure(mean.error());
  const Sums sums = sums_of(released, nodes_.weight(), form_.divisor);
  const double most = greatest_variance(form_.divisor), rounding = rounding_of(nodes_, form_.divisor);
  Span found{0, most};
  if (sums.tell_something()) found = variances_from(noise_, sums, mean->interval, form_.divisor);
  found = {std::max(found.least - rounding, 0.0), std::min(found.greatest + rounding, most)};
  const Interval interval{down(found.least, range_, form_.is_root), up(found.greatest, range_, form_.is_root)};
  const double variance = estimate(sums, variance_) * range_ * range_;
  const double value = std::clamp(form_.is_root ? std::sqrt(variance) : variance, interval.low, interval.high);
  return SpreadInterval{value, farthest_end(value, interval), interval, found.least > 0 || found.greatest < most,
                        may_be_too_few(noise_, sums)};
}

template class SpreadInference<noise::Geometric>;
template class SpreadInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
