#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/numeric/rational.hpp"

// How far from a quantile the ends of its interval are wanted, in units of 1 / denominator of a rank: known before any
// data. interval/rows/quantile.md has the proofs.
namespace vernier::noise {

// By how much more an end of an interval is wanted away from the quantile, the more rows lie beyond it, as the error of
// a sample asks for (interval/population/quantile.md). Whole numbers that never fall, and rise by `slope` at most with
// each row, so that privacy does not pay for them: no rounding of a double has a part in that.
class EndReach {
 public:
  // At least constant + sqrt(square * rows); no more where `square` allows for it, which rises by less than `slope`
  // with a row from square / (2 slope)^2 rows on, and along its tangent there with fewer. For the first rows `needed`
  // takes its place, as far as that rises slowly enough. slope >= 1, square up to 2^74, rows up to 2^60; square * rows
  // up to 2^116.
  EndReach(double constant, double square, std::int64_t slope, std::span<const std::int64_t> needed = {});

  std::int64_t at(std::int64_t rows) const;

 private:
  std::int64_t formula(std::int64_t rows) const;

  std::int64_t constant_, slope_;
  __extension__ __int128 parts_of_square_;
  std::int64_t intercept_, turn_;
  std::vector<std::int64_t> table_;
};

// A reach that is one for all data, or one that grows with the rows beyond either end.
class RankReach {
 public:
  RankReach(std::int64_t reach) : reach_(reach) {}  // NOLINT(google-explicit-constructor): a number is one for all
  // Those of the ends in units of the fraction's lowest terms, of which a sample_quantile has two in each.
  RankReach(std::int64_t reach, const EndReach& lower, const EndReach& upper)
      : reach_(reach), lower_(lower), upper_(upper) {}

  std::int64_t of_choice() const { return reach_; }
  std::int64_t of_lower(std::int64_t rows_above) const { return lower_ ? 2 * lower_->at(rows_above) : 0; }
  std::int64_t of_upper(std::int64_t rows_up_to) const { return upper_ ? 2 * upper_->at(rows_up_to) : 0; }

  // Of both together, to the side where it is greater, with so many rows that have the quantile where it should be.
  std::int64_t at(std::int64_t rows, const RankStatistic& statistic) const;

 private:
  std::int64_t reach_;
  std::optional<EndReach> lower_, upper_;
};

// How far to either side of its value the interval of a quantile is to reach, where both are chosen together; known
// before any data, as well.
struct ValueReach {
  std::int64_t least;     // with this one it covers
  std::int64_t slack;     // up to twice so much more is as good
  std::int64_t farthest;  // no distance is counted beyond this one

  std::int64_t greatest() const { return least + 2 * slack; }
};
Result<ValueReach> value_reach_of(const Exponential& law, const RankStatistic& statistic, Alpha alpha);

// The least reach that the choice of this law keeps with probability 1 - alpha: with it the ends cover; where a value
// is chosen, it is less far than this from the quantile.
Result<std::int64_t> reach_of(const Exponential& law, const RankStatistic& statistic, Alpha alpha);

// With the same probability no number between the ends, or the value, is further than this from the quantile, in ranks:
// exactly.
numeric::Rational ranks_of(std::int64_t reach, const RankStatistic& statistic);

// The greatest reach with at most so many ranks; 1 at least, where it is more than so many.
std::int64_t reach_for(const numeric::Rational& ranks, const RankStatistic& statistic);

// The largest scale with this reach, rounded down; the end of the range of scales where it is beyond that.
double scale_for(std::int64_t reach, const RankStatistic& statistic, Alpha alpha);

}  // namespace vernier::noise
