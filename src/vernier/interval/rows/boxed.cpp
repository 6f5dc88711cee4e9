#include "vernier/interval/rows/boxed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double shorter = 1 - 0x1p-31;  // of scales that are found from accuracies
constexpr double last_digits = 0x1p-48;  // of sums of a few products
constexpr double in_rows = 1.0 / static_cast<double>(box_parts);

// What the rounding of released numbers adds to a combination of them with these coefficients, in rows and half ranges.
double rounding_of(double rows, double values, BoxColumn column) {
  return (std::abs(rows) * in_rows + std::abs(values) / static_cast<double>(column.half())) / 2;
}

// How far rows * (noise of the number of rows) + values * (noise of the centred sum in half ranges) reaches.
struct Combination {
  double rows, values;
  double rounding;

  double reach(const BoxNoise& noise) const {
    const double reach = noise::box_reach(noise.numbers, rows, values, noise.alpha) * noise.law.scale();
    return (reach + rounding) * (1 + last_digits);
  }
  // The scale of that reach.
  double scale(std::size_t numbers, double reach, Alpha alpha) const {
    const double left = reach / (1 + last_digits) - rounding;
    return std::max(0.0, left / noise::box_reach(numbers, rows, values, alpha) * shorter);
  }
};

Combination of_count() { return {1, 0, in_rows / 2}; }

// In steps: (origin + steps / 2) rows, and half of the steps for each half range.
Combination of_sum(BoxColumn column, std::int64_t origin) {
  const double half = static_cast<double>(column.steps) / 2, middle = static_cast<double>(origin) + half;
  return {middle, half, rounding_of(middle, half, column)};
}

// At a bound, in half ranges.
Combination of_mean(BoxColumn column) { return {1, 1, rounding_of(1, 1, column)}; }

}  // namespace

std::int64_t box_times(std::int64_t steps) {
  const std::int64_t times = (box_parts + steps - 1) / std::max<std::int64_t>(steps, 1);
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(times, 1))));
}

std::int64_t boxed_count_accuracy(const BoxNoise& noise) { return accuracy_from(of_count().reach(noise), true); }

AdditiveInterval boxed_count(const BoxNoise& noise, PossibleRange possible, std::int64_t released) {
  return additive(nearest_quotient(released, box_parts), boxed_count_accuracy(noise), possible);
}

std::int64_t boxed_sum_accuracy(const BoxNoise& noise, BoxColumn column, std::int64_t origin) {
  return accuracy_from(of_sum(column, origin).reach(noise), true);
}

// (2 origin + K) C / (2 parts) + V / (2 times), all over one divisor.
AdditiveInterval boxed_sum(const BoxNoise& noise, BoxColumn column, std::int64_t origin, PossibleRange possible,
                           std::int64_t rows, std::int64_t centred) {
  __extension__ using Wide = __int128;
  const std::int64_t times = box_times(column.steps);
  const Wide sum = Wide{2 * origin + column.steps} * times * rows + Wide{box_parts} * centred;
  return additive(nearest_quotient(sum, 2 * box_parts * times), boxed_sum_accuracy(noise, column, origin), possible);
}

namespace {

// accuracy_from() makes `accuracy` of reaches up to this.
double reach_for(std::int64_t accuracy) { return std::nextafter(static_cast<double>(accuracy) + 0.5, 0); }

}  // namespace

double boxed_count_scale(std::size_t numbers, std::int64_t accuracy, Alpha alpha) {
  return of_count().scale(numbers, reach_for(accuracy), alpha);
}

double boxed_sum_scale(std::size_t numbers, BoxColumn column, std::int64_t origin, std::int64_t accuracy, Alpha alpha) {
  return of_sum(column, origin).scale(numbers, reach_for(accuracy), alpha);
}

double boxed_mean_accuracy(const BoxNoise& noise, BoxColumn column) { return of_mean(column).reach(noise) / 2; }

double boxed_mean_scale(std::size_t numbers, BoxColumn column, double accuracy, Alpha alpha) {
  return of_mean(column).scale(numbers, 2 * accuracy, alpha);
}

// In half ranges: T(r) = centred sum + (1 - 2r) rows, which at the true place is noise alone.
struct BoxedMean::Line {
  double rows, centred;

  double at(double r) const { return centred + (1 - 2 * r) * rows; }
  double error() const { return (std::abs(centred) + std::abs(rows)) * 0x1p-49; }
  // The least size over a cell, from below; a line has it at an end, or crosses 0.
  double least_size(double first, double last) const {
    const double at_first = at(first), at_last = at(last);
    if ((at_first <= 0) != (at_last <= 0)) return 0;
    return std::max(0.0, std::min(std::abs(at_first), std::abs(at_last)) - error());
  }
};

BoxedMean::BoxedMean(const BoxNoise& noise, BoxColumn column, noise::ValueRange bounds)
    : noise_(noise), column_(column), bounds_(bounds) {}

bool BoxedMean::rejects(const Line& line, Cell cell) const {
  const double first = as_place(cell.first), last = as_place(cell.last);
  const double rows = std::max(std::abs(1 - 2 * first), std::abs(1 - 2 * last));
  const double left = line.least_size(first, last) - rounding_of(rows, 1, column_);
  if (!(left > 0)) return false;
  return noise::box_outside(noise_.numbers, rows, 1, left * (1 - last_digits) / noise_.law.scale()) <=
         noise_.alpha.value();
}

namespace {

constexpr int finer_than_noise = 12;  // bits

}  // namespace

Places BoxedMean::kept(const Line& line) const {
  const double scale = noise_.law.scale();
  const double length = scale / std::max(line.rows, scale);
  const auto rejected = [&](Cell cell) { return rejects(line, cell); };
  const Places places = places_of(kept_hull(rejected, resolution_for(length, finer_than_noise)));
  if (lies_inside(places)) return places;
  const double middle = std::clamp(0.5 + line.centred / line.rows / 2, 0.0, 1.0);
  const double of_rows = 1 - 2 * middle;
  const Combination at_middle{of_rows, 1, rounding_of(of_rows, 1, column_)};
  return lengthened(places, middle, at_middle.reach(noise_) / 2 / std::max(line.rows, 1.0));
}

MeanInterval BoxedMean::from(std::int64_t rows, std::int64_t centred) const {
  const double scale = noise_.law.scale(), n = static_cast<double>(noise_.numbers);
  const Line line{static_cast<double>(rows) * in_rows,
                  static_cast<double>(centred) / static_cast<double>(column_.half())};
  const Places places = line.rows > 0 ? kept(line) : Places{0, 1};
  const Interval interval = values_of(bounds_, places);
  const double variance = (n + 1) * (n + 2) / 3 * scale * scale;  // of either number
  const double upper = std::max(line.rows + line.centred, 0.0) / 2, lower = std::max(line.rows - line.centred, 0.0) / 2;
  const double total = upper + lower;
  const double value = value_at(bounds_, 0.5 + 0.5 * (upper - lower) * total / (total * total + variance), interval);
  const double nothing = (line.rows - in_rows / 2) * (1 - last_digits);
  const bool may_be_empty =
      !(nothing > 0 && noise::box_outside(noise_.numbers, 1, 0, nothing / scale) <= noise_.alpha.value());
  return MeanInterval{value, farthest_end(value, interval), interval, places.low > 0 || places.high < 1, may_be_empty};
}

}  // namespace vernier::interval
