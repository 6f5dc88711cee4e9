#pragma once

#include <algorithm>
#include <utility>

#include "vernier/plan/bound_study.hpp"

// Arguments of statistics as integers on a grid.
namespace vernier::plan {

// Of COUNT(x): only whether it is NULL is asked.
Argument presence_of(const query::Expression& x);

// Of COUNT(DISTINCT x): the values themselves, as GROUP BY would tell them apart.
Argument value_of(const query::Expression& x);

// Of SUM: integers as they are, a real column in steps of its declared granularity, any other real in steps of the
// greatest power of two of which its span has 2^20. The subject of an error, the column, is for the caller to add.
Result<Argument> summed(const query::Expression& x, const query::Table& table);

// Of AVG: the same, counted from the lower bound on; refuses what is the same in all rows.
Result<Argument> averaged(const query::Expression& x, const query::Table& table);

// The same argument in finer steps, where values may lie between steps (`is_rounded`) or parts of units do: as fine as
// max_rows values of the larger bound stay within 2^26 steps, and all rows within 62 bits. Noise is as wide as before,
// and what rounding moves is 2^-26 of what a unit can.
enum class CountsFrom { zero, lower_bound };
Argument refined(Argument x, const BoundStatistic& statistic, CountsFrom from);

// Whether values of it may lie between the steps of its grid: reals whose granularity nobody declared.
bool is_rounded(const query::Expression& x, const query::Table& table);

// Of a quantile: the same, of which no sum is taken.
Result<Argument> ranked(const query::Expression& x, const query::Table& table);

// The square of an argument that counts from its lower bound on, for the node sums of moments.
Argument squared(const Argument& x, std::int64_t fineness, bool is_from_above);

// Arguments and tallies of a statistic, each of them once.

class Places {
 public:
  explicit Places(BoundStatistic& statistic) : statistic_(statistic) {}

  // The place in the list, into which it is put if it is not there yet.
  std::size_t argument(Argument x) { return place_of(statistic_.arguments, std::move(x)); }
  std::size_t tally(Tally x) { return place_of(statistic_.tallies, x); }
  std::size_t histogram(Histogram x) { return place_of(statistic_.histograms, x); }

 private:
  static bool same(const Argument& a, const Argument& b) {
    return a.is_number == b.is_number && a.is_value == b.is_value && a.granularity == b.granularity &&
           a.origin == b.origin && a.square == b.square && a.weight == b.weight && a.expression == b.expression;
  }
  static bool same(const Tally& a, const Tally& b) { return a == b; }
  static bool same(const Histogram& a, const Histogram& b) { return a == b; }

  template <class Item>
  static std::size_t place_of(std::vector<Item>& list, Item item) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Item& other) { return same(other, item); });
    const auto place = static_cast<std::size_t>(found - list.begin());
    if (found == list.end()) list.push_back(std::move(item));
    return place;
  }

  BoundStatistic& statistic_;
};

}  // namespace vernier::plan
