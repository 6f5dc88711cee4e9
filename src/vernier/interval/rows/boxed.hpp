#pragma once

#include <cstdint>
#include <span>

#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/noise/box.hpp"

// Counts, sums and means of the rows from numbers that were released together with the noise of a box: boxed.md.
namespace vernier::interval {

// A step of the released number of rows is this part of a row, so that its rounding is not felt.
inline constexpr std::int64_t box_parts = 64;

// Of a column whose values lie at 0..steps steps: how many times 2k - steps is released, so that its rounding is not
// felt either. A power of two.
std::int64_t box_times(std::int64_t steps);

// What a row moves these two by, at most.
struct BoxColumn {
  std::int64_t steps;
  std::int64_t half() const { return box_times(steps) * steps; }
};

// With noise of a box of so many numbers at this scale.
struct BoxNoise {
  noise::Box law;
  std::size_t numbers;
  Alpha alpha;
};

// The number of rows, from box_parts times it. Whole; further off with probability alpha at most.
std::int64_t boxed_count_accuracy(const BoxNoise& noise);
AdditiveInterval boxed_count(const BoxNoise& noise, PossibleRange possible, std::int64_t released);

// The sum of the rows in steps, the lower bound lying at `origin`, from the number of rows and the centred sum.
std::int64_t boxed_sum_accuracy(const BoxNoise& noise, BoxColumn column, std::int64_t origin);
AdditiveInterval boxed_sum(const BoxNoise& noise, BoxColumn column, std::int64_t origin, PossibleRange possible,
                           std::int64_t rows, std::int64_t centred);

// Scales at which these are at most so much: the greatest, but for one part in 2^30; 0 where no scale is.
double boxed_count_scale(std::size_t numbers, std::int64_t accuracy, Alpha alpha);
double boxed_sum_scale(std::size_t numbers, BoxColumn column, std::int64_t origin, std::int64_t accuracy, Alpha alpha);

// The half width of a mean times the number of rows, in ranges, where it is widest, for many rows; and back.
double boxed_mean_accuracy(const BoxNoise& noise, BoxColumn column);
double boxed_mean_scale(std::size_t numbers, BoxColumn column, double accuracy, Alpha alpha);

// The mean, valid at every number of rows. Built once for all groups.
class BoxedMean {
 public:
  BoxedMean(const BoxNoise& noise, BoxColumn column, noise::ValueRange bounds);
  MeanInterval from(std::int64_t rows, std::int64_t centred) const;

 private:
  struct Line;  // what is tested, at every place
  bool rejects(const Line& line, Cell cell) const;
  Places kept(const Line& line) const;

  BoxNoise noise_;
  BoxColumn column_;
  noise::ValueRange bounds_;
};

}  // namespace vernier::interval
