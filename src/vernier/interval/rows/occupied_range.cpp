#include "vernier/interval/rows/occupied_range.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vernier/interval/noise/noise_sum.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t greatest_count = std::int64_t{1} << 53;
constexpr std::size_t longest_step = 8;  // of the runs by which the range is extended

std::int64_t held(Int128 count) {
  return static_cast<std::int64_t>(std::clamp(count, Int128{0}, Int128{greatest_count}));
}

// The lengths of the runs that are looked at: 1, 2, 4, ...
std::vector<std::size_t> lengths_of_runs(std::size_t bins) {
  std::vector<std::size_t> lengths;
  for (std::size_t length = 1; length <= bins; length *= 2) lengths.push_back(length);
  return lengths;
}

// A quarter of alpha each for the runs, the tails below, the tails above and the total, shared out evenly.
template <class Law>
RangeMargins margins_of(std::size_t bins, const Law& law, double level) {
  const auto reach = [&](std::size_t length, std::size_t statements) {
    const double part = level / static_cast<double>(std::max<std::size_t>(statements, 1));
    return sum_reach(law, static_cast<std::int64_t>(length), *Probability::of(part));
  };
  RangeMargins margins{{}, {}, reach(bins, 2)};
  std::size_t runs = 0;
  for (const std::size_t length : lengths_of_runs(bins)) runs += bins - length + 1;
  for (const std::size_t length : lengths_of_runs(bins)) margins.runs.push_back(reach(length, runs));
  for (std::size_t length = 0; length < bins; ++length) margins.tails.push_back(reach(length, bins));
  return margins;
}

class Search {
 public:
  Search(NoisyCounts noisy, const RangeMargins& margins) : margins_(margins) {
    sums_.push_back(0);
    for (const std::int64_t count : noisy) sums_.push_back(sums_.back() + count);
  }

  std::optional<BinRange> occupied() const {
    const std::optional<BinRange> certain = certain_range();
    return certain ? std::optional(extended(*certain)) : std::nullopt;
  }

  RangeStatement about(BinRange range) const {
    return {at_most(sums_[range.first], range.first), at_most(total() - sums_[range.last + 1], bins() - range.last - 1),
            held(total() - margins_.total + 1), held(total() + margins_.total - 1)};
  }

 private:
  std::size_t bins() const { return sums_.size() - 1; }
  Int128 total() const { return sums_.back(); }

  // The exact number in a tail of `length` bins, whose noisy one this is.
  std::int64_t at_most(Int128 noisy, std::size_t length) const {
    return length == 0 ? 0 : held(noisy + margins_.tails[length] - 1);
  }

  // In a run that stands out there is a value: the last bin that is kept is not before its first one, and the first not
  // behind its last.
  std::optional<BinRange> certain_range() const {
    std::size_t first = bins(), last = 0;
    std::size_t length = 1;
    for (const std::int64_t margin : margins_.runs) {
      for (std::size_t place = 0; place + length <= bins(); ++place) {
        if (sums_[place + length] - sums_[place] < margin) continue;
        first = std::min(first, place + length - 1);
        last = std::max(last, place);
      }
      length *= 2;
    }
    if (first == bins()) return std::nullopt;
    return BinRange{std::min(first, last), std::max(first, last)};
  }

  // Whether a short run from this bin on reaches half of its margin; `forward`, or backward.
  bool seems_occupied(std::size_t bin, bool forward) const {
    std::size_t length = 1;
    for (const std::int64_t margin : margins_.runs) {
      if (length > longest_step || (forward ? bin + length > bins() : length > bin + 1)) break;
      const std::size_t first = forward ? bin : bin + 1 - length;
      if (sums_[first + length] - sums_[first] >= (margin + 1) / 2) return true;
      length *= 2;
    }
    return false;
  }

  // Outward as long as there seem to be values: runs that are certain end too early where a tail is thin.
  BinRange extended(BinRange range) const {
    while (range.first > 0 && seems_occupied(range.first - 1, false)) --range.first;
    while (range.last + 1 < bins() && seems_occupied(range.last + 1, true)) ++range.last;
    return range;
  }

  const RangeMargins& margins_;
  std::vector<Int128> sums_;  // of the noisy counts before each bin
};

}  // namespace

double RangeStatement::share_outside_at_most() const {
  if (outside_at_most() == 0) return 0;
  if (total_at_least <= outside_at_most()) return 1;
  return numeric::divide_up(static_cast<double>(outside_at_most()), static_cast<double>(total_at_least));
}

RangeMargins range_margins(std::size_t bins, const noise::Geometric& law, Alpha alpha) {
  return margins_of(bins, law, alpha.value() / 4);
}

RangeMargins range_margins(std::size_t bins, const noise::DiscreteGaussian& law, Alpha alpha) {
  return margins_of(bins, law, alpha.value() / 4);
}

std::optional<BinRange> occupied_bins(NoisyCounts noisy, const RangeMargins& margins) {
  return Search(noisy, margins).occupied();
}

RangeStatement statement_about(BinRange range, NoisyCounts noisy, const RangeMargins& margins) {
  return Search(noisy, margins).about(range);
}

}  // namespace vernier::interval
