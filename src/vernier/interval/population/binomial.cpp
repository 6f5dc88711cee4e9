#include "vernier/interval/population/binomial.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/log_factorial.hpp"

namespace vernier::interval {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision fine{160};
constexpr double raised = 1 + 4e-9;  // pays for up to 4 million steps of 6 roundings each

// P[successes], 0 < chance < 1.
double mass_at(std::int64_t trials, std::int64_t successes, double chance) {
  const auto factorial = [](std::int64_t n) { return numeric::log_factorial(n, fine); };
  const Ball ways = factorial(trials) - factorial(successes) - factorial(trials - successes);
  const Ball drawn = Ball::of(successes, fine) * log(Ball::of(chance, fine));
  const Ball left = Ball::of(trials - successes, fine) * log1p(-Ball::of(chance, fine));
  return exp(ways + drawn + left).bounds().upper * raised;
}

// Masses from one on that is given, each from the one before by the ratio a / b of (more + 1) to (fewer): whoever is
// `fewer` becomes one less with every step, whoever is `more` one more.
struct Side {
  std::vector<double> masses;
  double beyond;
};
Side side_of(double mass, double fewer, double more, double odds, double rest) {
  Side side{{}, 0};
  for (; fewer > 0; --fewer, ++more) {
    const double ratio = fewer / (more + 1) * odds;
    if (ratio < 1 && mass * ratio <= rest * (1 - ratio)) {
      side.beyond = mass * ratio / (1 - ratio) * raised;
      break;
    }
    mass *= ratio;
    side.masses.push_back(mass);
  }
  return side;
}

}  // namespace

Result<void> Chance::check(double value) {
  if (value > 0 && value <= 1) return {};
  return invalid("the part of the population that was drawn", "must be above 0 and at most 1", {});
}

double binomial_variance(std::int64_t trials, Chance chance) {
  return static_cast<double>(trials) * chance.value() * (1 - chance.value());
}

BinomialMasses binomial_masses(std::int64_t trials, Chance chance, double rest) {
  if (chance.value() == 1 || trials == 0) return {trials, {1}, 0};
  const double n = static_cast<double>(trials), p = chance.value(), odds = p / (1 - p);
  const auto middle = std::clamp(static_cast<std::int64_t>((n + 1) * p), std::int64_t{0}, trials);
  const auto at = static_cast<double>(middle);
  const double mass = mass_at(trials, middle, p);
  const Side up = side_of(mass, n - at, at, odds, rest), down = side_of(mass, at, n - at, 1 / odds, rest);
  BinomialMasses all{middle - static_cast<std::int64_t>(down.masses.size()), {}, up.beyond + down.beyond};
  all.masses.assign(down.masses.rbegin(), down.masses.rend());
  all.masses.push_back(mass);
  all.masses.insert(all.masses.end(), up.masses.begin(), up.masses.end());
  return all;
}

namespace {

constexpr double blocks_in_a_deviation = 64;
constexpr double block_raised = 1 + 1e-9;  // the page counts the roundings

using Blocks = std::vector<BinomialBlocks::Block>;

// Masses beyond k to one side, relative to that at k, block by block until what is left is at most `enough`: they fall
// ever faster, so what is left is below the last one times ratio / (1 - ratio).
struct Masses {
  double sum = 0, rest = 0;
};
template <class Ratio>
Masses add_side(Blocks& blocks, double count, double width, double enough, const Ratio& ratio_at, bool is_upward,
                double from) {
  Masses found;
  double mass = 1, block = 0, in_block = 0, first = from + (is_upward ? 1 : -1);
  for (double i = 1; i <= count; ++i) {
    const double ratio = ratio_at(i);
    mass *= ratio;
    block += mass;
    if (++in_block == 1) first = is_upward ? from + i : from - i;
    const bool is_last = ratio < 1 && mass * ratio / (1 - ratio) <= enough;
    if (in_block < width && i < count && !is_last) continue;
    blocks.push_back({is_upward ? from + i : first, block});
    found.sum += block;
    block = in_block = 0;
    if (is_last && i < count) {
      found.rest = mass * ratio / (1 - ratio);
      break;
    }
  }
  return found;
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
  const Masses above = add_side(found.blocks, p < 1 ? n - mode : 0, width, enough, up, true, mode);
  const Masses below = add_side(found.blocks, p > 0 ? mode : 0, width, enough, down, false, mode);
  const double sum = (1 + above.sum + below.sum) / block_raised;
  for (Block& block : found.blocks) block.mass /= sum;
  found.rest = (above.rest + below.rest) / sum;
  return found;
}

}  // namespace vernier::interval
