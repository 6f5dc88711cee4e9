#include "support/loss_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vernier::test {
namespace {

constexpr long double infinity = std::numeric_limits<long double>::infinity();
using Cells = std::vector<LossCell>;

// P[first < Z < last] of a standard normal Z, on the side where nothing cancels.
long double normal_between(long double first, long double last) {
  if (first < 0 && last > 0) return 1 - normal_between(-infinity, first) - normal_between(last, infinity);
  const long double near = std::min(std::fabs(first), std::fabs(last)),
                    far = std::max(std::fabs(first), std::fabs(last));
  constexpr long double root_half = std::numbers::sqrt2_v<long double> / 2;
  return (std::erfc(near * root_half) - std::erfc(far * root_half)) / 2;
}

// Q is normal(0, 1), P normal(mu, 1), the log ratio mu z - mu^2 / 2.
Cells gaussian(long double mu, int count, double least) {
  const long double reach = std::sqrt(-2 * std::log(static_cast<long double>(least)));
  const long double first = -reach, last = mu + reach, width = (last - first) / count;
  const auto log_ratio = [&](long double z) { return mu * (z - mu / 2); };
  Cells cells;
  const auto add = [&](long double a, long double b) {
    cells.push_back({normal_between(a - mu, b - mu), normal_between(a, b), log_ratio(a), log_ratio(b)});
  };
  add(-infinity, first);
  for (int i = 0; i < count; ++i) add(first + width * i, first + width * (i + 1));
  add(first + width * count, infinity);
  return cells;
}

// In units of the scale: Q at 0, P at c, the log ratio abs(z) - abs(z - c).
Cells laplace(long double c, int count) {
  const long double width = c / count, half = 0.5L;
  Cells cells{{half * std::exp(-c), half, -c, -c}};
  for (int i = 0; i < count; ++i) {
    const long double a = width * i;
    cells.push_back({half * std::exp(a - c) * std::expm1(width), -half * std::exp(-a) * std::expm1(-width), 2 * a - c,
                     2 * (a + width) - c});
  }
  cells.push_back({half, half * std::exp(-c), c, c});
  return cells;
}

LossCell atom(long double q, long double log_ratio) { return {q * std::exp(log_ratio), q, log_ratio, log_ratio}; }

Cells geometric(long double scale, long sensitivity) {
  const long double a = 1 / scale, tail = 1 / (1 + std::exp(-a)), d = static_cast<long double>(sensitivity);
  Cells cells{atom(tail, -d * a)};
  for (long x = 1; x < sensitivity; ++x) {
    const long double z = static_cast<long double>(x);
    cells.push_back(atom(-tail * std::expm1(-a) * std::exp(-z * a), (2 * z - d) * a));
  }
  cells.push_back(atom(tail * std::exp(-d * a), d * a));
  return cells;
}

Cells discrete_gaussian(long double scale, long sensitivity, double least) {
  const long double d = static_cast<long double>(sensitivity),
                    reach = std::sqrt(-2 * std::log(static_cast<long double>(least)));
  const long m = static_cast<long>(std::ceil(reach * scale));
  const auto weight = [&](long double x) { return std::exp(-x * x / (2 * scale * scale)); };
  long double total = 0;
  for (long x = m; x > 0; --x) total += 2 * weight(static_cast<long double>(x));
  total += 1;
  Cells cells;
  for (long x = -m; x <= m + sensitivity; ++x) {
    const long double z = static_cast<long double>(x), log_ratio = d * (2 * z - d) / (2 * scale * scale);
    cells.push_back({weight(z - d) / total, weight(z) / total, log_ratio, log_ratio});
  }
  const long double low = cells.front().lowest, high = cells.back().highest, rest = static_cast<long double>(least);
  cells.push_back({rest, rest, -infinity, low, true});
  cells.push_back({rest, rest, high, infinity, true});
  return cells;
}

Cells response(long double epsilon, long double failure) {
  const long double finite = 1 - failure, rare = finite / (1 + std::exp(epsilon));
  Cells cells{atom(finite - rare, -epsilon), atom(rare, epsilon)};
  if (failure > 0) {
    cells.push_back({failure, 0, infinity, infinity});
    cells.push_back({0, failure, -infinity, -infinity});
  }
  return cells;
}

struct BaseCells {
  int count;
  double least;

  Cells operator()(const mechanism::GaussianMechanism& release) const {
    return gaussian(release.sensitivity().value() / static_cast<long double>(release.law().scale()), count, least);
  }
  Cells operator()(const mechanism::LaplaceMechanism& release) const {
    return laplace(release.sensitivity().value() / static_cast<long double>(release.law().scale()), count);
  }
  Cells operator()(const mechanism::GeometricMechanism& release) const {
    return geometric(release.law().scale(), release.sensitivity().value());
  }
  Cells operator()(const mechanism::DiscreteGaussianMechanism& release) const {
    return discrete_gaussian(release.law().scale(), release.sensitivity().value(), least);
  }
  Cells operator()(const accounting::PureStatement& release) const { return response(release.epsilon.value(), 0); }
  Cells operator()(const accounting::ApproximateStatement& release) const {
    return response(release.epsilon.value(), release.delta.value());
  }
  Cells operator()(const accounting::ZcdpStatement&) const { return {}; }
  Cells operator()(const accounting::KeySelection&) const { return {}; }
  Cells operator()(const accounting::Choice&) const { return {}; }
};

// ln(1 - rate + rate e^w).
long double sampled(long double w, long double rate) {
  if (rate == 1) return w;
  // Small where the rate is: the sum of w and its logarithm would lose that.
  return w > 40 ? w + std::log(rate + (1 - rate) * std::exp(-w)) : std::log1p(rate * std::expm1(w));
}

// P becomes the mixture (1 - rate) Q + rate P; `add` swaps the two, whose pair is its own mirror image before.
LossCell on_sample(const LossCell& cell, long double rate, Side side) {
  const long double mixed = rate == 1 ? cell.p : (1 - rate) * cell.q + rate * cell.p;
  const long double low = sampled(cell.lowest, rate), high = sampled(cell.highest, rate);
  if (side == Side::remove) return {mixed, cell.q, low, high, cell.is_cut};
  return {cell.q, mixed, -high, -low, cell.is_cut};
}

}  // namespace

std::vector<LossCell> loss_cells(const accounting::Event& event, Side side, int count, double least) {
  Cells cells = std::visit(BaseCells{count, least}, event.release());
  for (LossCell& cell : cells) cell = on_sample(cell, event.sampling().value(), side);
  std::erase_if(cells, [](const LossCell& cell) { return !(cell.p > 0); });
  std::sort(cells.begin(), cells.end(), [](const LossCell& a, const LossCell& b) { return a.lowest < b.lowest; });
  return cells;
}

}  // namespace vernier::test
