#include "vernier/interval/binomial_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::interval {
namespace {

constexpr double blocks_in_a_deviation = 64;
constexpr double raised = 1 + 1e-9;  // the page counts the roundings

using Blocks = std::vector<BinomialBlocks::Block>;

// Masses beyond k to one side, relative to that at k, block by block until what is left is at most `enough`: they fall
// ever faster, so what is left is below the last one times ratio / (1 - ratio).
struct Side {
  double sum = 0, rest = 0;
};
template <class Ratio>
Side add_side(Blocks& blocks, double count, double width, double enough, const Ratio& ratio_at, bool is_upward,
              double from) {
  Side side;
  double mass = 1, block = 0, in_block = 0, first = from + (is_upward ? 1 : -1);
  for (double i = 1; i <= count; ++i) {
    const double ratio = ratio_at(i);
    mass *= ratio;
    block += mass;
    if (++in_block == 1) first = is_upward ? from + i : from - i;
    const bool is_last = ratio < 1 && mass * ratio / (1 - ratio) <= enough;
    if (in_block < width && i < count && !is_last) continue;
    blocks.push_back({is_upward ? from + i : first, block});
    side.sum += block;
    block = in_block = 0;
    if (is_last && i < count) {
      side.rest = mass * ratio / (1 - ratio);
      break;
    }
  }
  return side;
}

}  // namespace

BinomialBlocks BinomialBlocks::of(std::int64_t trials, double p, double rest) {
  const auto n = static_cast<double>(trials);
  const double mode = std::clamp(std::floor((n + 1) * p), 0.0, n), odds = p / (1 - p);
  const double deviation = std::sqrt(n * p * (1 - p));
  const double width = std::max(std::floor(deviation / blocks_in_a_deviation), 1.0);
  const double enough = rest / 4;  // the sum is at least 1
  BinomialBlocks found{{{mode, 1}}, 0};
  const auto up = [&](double i) { return (n - mode - i + 1) / (mode + i) * odds; };
  const auto down = [&](double i) { return (mode - i + 1) / (n - mode + i) / odds; };
  const Side above = add_side(found.blocks, p < 1 ? n - mode : 0, width, enough, up, true, mode);
  const Side below = add_side(found.blocks, p > 0 ? mode : 0, width, enough, down, false, mode);
  const double sum = (1 + above.sum + below.sum) / raised;
  for (Block& block : found.blocks) block.mass /= sum;
  found.rest = (above.rest + below.rest) / sum;
  return found;
}

}  // namespace vernier::interval
