#include <algorithm>
#include <cmath>
#include <vector>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/laws.hpp"
#include "vernier/accuracy/parameters.hpp"
#include "vernier/accuracy/questions.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accuracy {
namespace {

using numeric::Ball;
using numeric::Precision;

template <class Law>
using Groups = std::span<const Group<Law>>;

// Is the sum of cells * log1p(-outside) at least log1p(-alpha)? No summand is positive, so relative errors do not grow.
template <class Law>
struct AllWithin {
  Groups<Law> groups;
  Alpha alpha;

  std::optional<bool> by_doubles(Point<Law> a) const {
    Bounds sum{0, 0};
    for (const auto& [law, cells] : groups) {
      const Bounds probability = outside(law, a);
      const auto count = static_cast<double>(cells.value());
      sum = {sum.lower + count * std::log1p(-probability.upper), sum.upper + count * std::log1p(-probability.lower)};
    }
    const double log_inside = std::log1p(-alpha.value());
    if (sum.lower * (1 + error()) >= log_inside * (1 - error())) return true;
    if (sum.upper * (1 - error()) < log_inside * (1 + error())) return false;
    return std::nullopt;
  }

  std::optional<bool> by_balls(Point<Law> a, Precision precision) const {
    Ball sum = Ball::of(0, precision);
    for (const auto& [law, cells] : groups) {
      sum = sum + Ball::of(cells.value(), precision) * log1p(-outside(law, a, precision));
    }
    const std::optional<bool> falls_short = less(sum, log1p(Ball::of(-alpha.value(), precision)));
    if (!falls_short) return std::nullopt;
    return !*falls_short;
  }

  // 4 units of log1p, 1 of the product, 1 for each addition; 3 for forming the ends.
  double error() const { return (8 + static_cast<double>(groups.size())) * numeric::unit_roundoff; }
};

// log of (the sum / log1p(-alpha)) in plain doubles, for the laws over the reals: falls as a grows.
template <class Law>
double excess(Groups<Law> groups, double log_inside, double a) {
  double sum = 0;
  for (const auto& [law, cells] : groups) {
    const double probability = Unit<ContinuousLaw<Law>>::outside(a / law.scale());
    sum += static_cast<double>(cells.value()) * std::log1p(-std::min(probability, 1 - 0x1p-53));
  }
  return std::log(std::max(sum / log_inside, 1e-300));
}

// The largest of the groups' own accuracies, each with the threshold of `cells_of(group)` cells.
template <class Law, class CellsOf>
double largest_point(Groups<Law> groups, Alpha alpha, const CellsOf& cells_of) {
  double result = 0;
  for (const auto& group : groups) {
    const double probability = -std::expm1(std::log1p(-alpha.value()) / cells_of(group));
    result = std::max(result, group.law.scale() * Unit<ContinuousLaw<Law>>::point(probability));
  }
  return result;
}

// Where the excess is 0: regula falsi with Illinois' halving between what each group needs alone and what all cells at
// the largest scale need.
template <class Law>
double point_together(Groups<Law> groups, Alpha alpha) {
  const double log_inside = std::log1p(-alpha.value());
  double all = 0;
  for (const auto& group : groups) all += static_cast<double>(group.cells.value());
  double low = largest_point(groups, alpha, [](const auto& group) { return static_cast<double>(group.cells.value()); });
  double high = largest_point(groups, alpha, [all](const auto&) { return all; });
  double at_low = excess(groups, log_inside, low), at_high = excess(groups, log_inside, high);
  for (int step = 0; step < 60 && at_low > 0 && at_high < 0 && high - low > 1e-15 * high; ++step) {
    const double between = low + (high - low) * (at_low / (at_low - at_high));
    const double value = excess(groups, log_inside, between);
    if (std::abs(value) < 2e-15) return between;
    (value > 0 ? low : high) = between;
    (value > 0 ? at_low : at_high) = value;
    (value > 0 ? at_high : at_low) /= 2;
  }
  return at_low > 0 ? high : low;
}

template <class Law>
Result<double> real_accuracy(Groups<Law> groups, Alpha alpha, double guess) {
  return least_real(AllWithin<Law>{groups, alpha}, guess, {0, std::numeric_limits<double>::max()});
}

template <class Law>
Result<double> continuous_accuracy(Groups<Law> groups, Alpha alpha, double guess) {
  using Resembling = ContinuousLaw<Law>;
  std::vector<Group<Resembling>> continuous;
  for (const auto& [law, cells] : groups) continuous.push_back({law_at<Resembling>(law.scale()), cells});
  return real_accuracy(Groups<Resembling>(continuous), alpha, guess);
}

}  // namespace

template <class Law>
Result<Statement> of(std::span<const Group<Law>> groups, Alpha alpha) {
  if (groups.empty()) return invalid("an accuracy is asked for no cells at all", "give at least one group of cells");
  const double guess = point_together(groups, alpha);
  if constexpr (IntegerLaw<Law>) {
    VERNIER_TRY(const auto least, least_whole(AllWithin<Law>{groups, alpha}, guess - 0.5));
    const auto a = static_cast<double>(least);
    return continuous_accuracy(groups, alpha, guess).map([&](double continuous) {
      return Statement{a, a + 1, continuous};
    });
  } else {
    return real_accuracy(groups, alpha, guess).map([](double a) { return Statement{a, a, a}; });
  }
}

template Result<Statement> of(std::span<const Group<noise::Laplace>>, Alpha);
template Result<Statement> of(std::span<const Group<noise::Geometric>>, Alpha);
template Result<Statement> of(std::span<const Group<noise::Gaussian>>, Alpha);
template Result<Statement> of(std::span<const Group<noise::DiscreteGaussian>>, Alpha);

}  // namespace vernier::accuracy
