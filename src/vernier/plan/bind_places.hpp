#pragma once

#include <algorithm>
#include <utility>

#include "vernier/plan/bound_study.hpp"

// Arguments and tallies of a statistic, each of them once.
namespace vernier::plan {

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
