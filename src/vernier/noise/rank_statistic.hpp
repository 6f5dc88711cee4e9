#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::noise {

// How many points there may be between a value and the ends of its interval: 0, 1, 2, ..., from 16 on an eighth more
// each time, and at last all of a grid with so many points.
class Margins {
 public:
  explicit Margins(std::int64_t points);

  std::int64_t count() const { return static_cast<std::int64_t>(all_.size()); }
  std::int64_t operator[](std::int64_t place) const { return all_[static_cast<std::size_t>(place)]; }

  // One more than the next smaller margin; 0 where there is none.
  std::int64_t beyond_smaller(std::int64_t place) const { return place == 0 ? 0 : (*this)[place - 1] + 1; }

  // The place of the first margin that is not smaller.
  std::int64_t first_from(std::int64_t margin) const;

 private:
  std::vector<std::int64_t> all_;
};

// Which ends of an interval are drawn; one that is not is the bound of the grid.
enum class Ends : std::uint8_t { both, lower, upper };

inline constexpr std::int64_t greatest_fraction_denominator = 1'000'000;
inline constexpr std::int64_t most_rank_points = std::int64_t{1} << 20;

// Values of 0 .. steps, as points of a grid with at most 2^20 of them: each is a run of 2^halvings values, the last
// perhaps a shorter one. A quantile of the points is the point of the quantile, since both keep the order.
class RankGrid {
 public:
  static Result<RankGrid> of(std::int64_t steps);  // from 1 to 2^53
  std::int64_t steps() const { return steps_; }
  int halvings() const { return halvings_; }
  std::int64_t points() const { return (steps_ >> halvings_) + 1; }
  std::int64_t first(std::int64_t point) const { return point << halvings_; }  // value
  std::int64_t last(std::int64_t point) const {
    const std::int64_t next = (point + 1) << halvings_;
    return next <= steps_ ? next - 1 : steps_;
  }

 private:
  RankGrid(std::int64_t steps, int halvings) : steps_(steps), halvings_(halvings) {}
  std::int64_t steps_;
  int halvings_;
};

// A quantile of rows that lie on a grid of points 0 .. points - 1, as a question about ranks: the least point t with
//     D(t) = denominator * #{rows <= t} - numerator * #{rows} - offset >= 0.
// Of the fraction a/b it is the least value that at least that part of the rows does not exceed. D is -infinite before
// the grid and +infinite at its last point, so that there is always an answer.
class RankStatistic {
 public:
  // The fraction parts / whole lies between 0 and 1, with whole at most 1,000,000; from 2 to 2^20 points.
  static Result<RankStatistic> quantile(std::int64_t parts, std::int64_t whole, std::int64_t points);
  // The same of rows that are a sample, of which two ends are chosen. D is twice what it would be, so that an odd
  // target lies between two ranks.
  static Result<RankStatistic> sample_quantile(std::int64_t parts, std::int64_t whole, std::int64_t points);
  static Result<RankStatistic> least(std::int64_t points);     // MIN: D = #{rows <= t} - 1, the upper end alone
  static Result<RankStatistic> greatest(std::int64_t points);  // MAX: D = -#{rows > t}, the lower end alone

  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }
  std::int64_t offset() const { return offset_; }
  std::int64_t points() const { return points_; }
  bool is_of_sample() const { return is_of_sample_; }
  Ends ends() const { return ends_; }

  // Whether a value is chosen together with the interval around it (value_choice.hpp), and not ends alone.
  bool has_value() const { return ends_ == Ends::both && !is_of_sample_; }

  // What a choice chooses from: points, pairs of them, or points with a margin to both sides or to one of them.
  std::int64_t candidates() const;

  // D with this many rows up to t, out of so many.
  std::int64_t at(std::int64_t up_to, std::int64_t rows) const {
    return denominator_ * up_to - numerator_ * rows - offset_;
  }

  // No distance from a target moves by more when a row comes or goes.
  std::int64_t row_moves() const { return std::max(numerator_, denominator_ - numerator_); }

  // With so many rows no D exceeds 2^61 in size.
  std::int64_t rows_that_fit() const { return (std::int64_t{1} << 61) / denominator_ - 1; }

 private:
  RankStatistic(std::int64_t numerator, std::int64_t denominator, std::int64_t offset, std::int64_t points, Ends ends)
      : numerator_(numerator), denominator_(denominator), offset_(offset), points_(points), ends_(ends) {}
  std::int64_t numerator_, denominator_, offset_, points_;
  bool is_of_sample_ = false;
  Ends ends_;
};

}  // namespace vernier::noise
