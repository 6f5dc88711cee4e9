#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

// What bounding.md claims of two moves and of one, summed outcome by outcome. Masses are plain doubles: their errors
// are below 1e-12, and the claims are tested with that much to spare.
namespace vernier::plan {
namespace {

constexpr long reach = 60;
constexpr double slack = 1e-12;

// Masses of -reach to reach.
using Masses = std::vector<double>;

Masses normalised(Masses masses) {
  double total = 0;
  for (const double mass : masses) total += mass;
  for (double& mass : masses) mass /= total;
  return masses;
}

Masses geometric(double scale) {
  Masses masses;
  for (long k = -reach; k <= reach; ++k) masses.push_back(std::exp(-static_cast<double>(std::abs(k)) / scale));
  return normalised(masses);
}

Masses discrete_gaussian(double sigma) {
  Masses masses;
  for (long k = -reach; k <= reach; ++k) masses.push_back(std::exp(-static_cast<double>(k * k) / (2 * sigma * sigma)));
  return normalised(masses);
}

double at(const Masses& masses, long k) {
  return std::abs(k) > reach ? 0 : masses[static_cast<std::size_t>(k + reach)];
}

// The sum of (P - x Q)+ for X + d against X.
double one_move(const Masses& law, int d, double x) {
  double sum = 0;
  for (long k = -2 * reach; k <= 2 * reach; ++k) sum += std::max(at(law, k - d) - x * at(law, k), 0.0);
  return sum;
}

// The same for (X + d, Y + e) against (X, Y).
double two_moves(const Masses& law, int d, int e, double x) {
  double sum = 0;
  for (long i = -reach - 5; i <= reach + 5; ++i) {
    for (long j = -reach - 5; j <= reach + 5; ++j) {
      sum += std::max(at(law, i - d) * at(law, j - e) - x * at(law, i) * at(law, j), 0.0);
    }
  }
  return sum;
}

const std::vector<Masses> laws = {geometric(0.6), geometric(1.7), discrete_gaussian(0.8), discrete_gaussian(2.5)};
const std::vector<double> ratios = {0.05, 0.3, 0.8, 1, 1.2, 2, 5, 20, 100};

TEST(Charged, TwoMovesGiveAwayNoMoreThanOneOfTheirSum) {
  for (const Masses& law : laws) {
    for (const auto& [d, e] : {std::pair{1, 1}, {2, 1}, {3, 2}, {1, -2}, {-2, -1}}) {
      for (const double x : ratios) {
        const double together = two_moves(law, d, e, x);
        EXPECT_LE(together, one_move(law, std::abs(d) + std::abs(e), x) + slack) << d << " " << e << " " << x;
        EXPECT_GE(together, one_move(law, std::max(std::abs(d), std::abs(e)), x) - slack) << d << " " << e << " " << x;
      }
    }
  }
}

// No shorter move would do: the charge is not merely large enough.
TEST(Charged, AShorterMoveWouldNotDo) {
  for (const double scale : {0.6, 1.7}) {
    EXPECT_GT(two_moves(geometric(scale), 1, 1, std::exp(1 / scale)),
              one_move(geometric(scale), 1, std::exp(1 / scale)));
  }
  const Masses law = discrete_gaussian(2.5);
  EXPECT_GT(two_moves(law, 2, 2, 1), one_move(law, 2, 1) + 0.01);
}

TEST(Charged, ALongerMoveGivesAwayMore) {
  for (const Masses& law : laws) {
    for (const double x : ratios) {
      for (int d = 1; d < 5; ++d) EXPECT_LE(one_move(law, d, x), one_move(law, d + 1, x) + slack);
    }
  }
}

}  // namespace
}  // namespace vernier::plan
