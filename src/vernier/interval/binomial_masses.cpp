#include "vernier/interval/binomial_masses.hpp"

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

Result<Chance> Chance::of(double value) {
  if (value > 0 && value <= 1) return Chance(value);
  return invalid("the part of the population that was drawn must be above 0 and at most 1");
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

}  // namespace vernier::interval
