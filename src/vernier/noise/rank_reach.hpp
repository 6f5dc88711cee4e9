#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/numeric/rational.hpp"

// How far from a quantile the ends of its interval are wanted, in units of 1 / denominator of a rank: known before any
// data. interval/rows/quantile.md has the proofs.
namespace vernier::noise {

// A reach for every number of rows: one for all, or one that grows as an error of sampling does,
//     reach + constant + root * sqrt(rows), rounded up,
// where that grows by less than `growth` with a row, and by `growth` with each before: never less than the formula, and
// in no place steeper than `growth`, a whole number above 0 (interval/population/quantile.md). root / growth is at most
// 2^20.25, and constant / growth at most 2^37.
class RankReach {
 public:
  RankReach(std::int64_t reach) : reach_(reach) {}  // NOLINT(google-explicit-constructor): a number is one for all
  RankReach(std::int64_t reach, double constant, double root, std::int64_t growth);

  std::int64_t at(std::int64_t rows) const;

 private:
  std::int64_t formula(std::int64_t rows) const;

  std::int64_t reach_;
  double constant_ = 0, root_ = 0;
  std::int64_t growth_ = 0;
  std::int64_t turn_ = 0;  // the number of rows from which on the formula grows by less than `growth`
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
