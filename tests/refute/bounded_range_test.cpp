#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/noise/rank_choice.hpp"

// Mutant 15: the exponential mechanism has a bounded range, so that rho = epsilon^2 / 8 holds for it; permute-and-flip
// has none, and a library claimed it for that. Chances are enumerated, and nothing is drawn.
namespace vernier {
namespace {

using Chances = std::map<std::vector<std::int64_t>, double>;
constexpr double orders[] = {1.5, 2, 4, 16};
constexpr double epsilon = 1;

double renyi(const Chances& p, const Chances& q, double order) {
  double sum = 0;
  for (const auto& [outcome, chance] : p) sum += std::pow(chance, order) * std::pow(q.at(outcome), 1 - order);
  return std::log(sum) / (order - 1);
}

// What is claimed of a choice: no more than randomised response gives away.
double claimed(double order) {
  const double p = 1 / (1 + std::exp(-epsilon));
  return renyi({{{0}, p}, {{1}, 1 - p}}, {{{0}, 1 - p}, {{1}, p}}, order);
}
double bounded_range(double order) { return order * epsilon * epsilon / 8; }

// The number of orders at which two neighbours, in both directions, give away more than is claimed.
int refutations(const Chances& p, const Chances& q, double (*claim)(double)) {
  int refuted = 0;
  for (const double order : orders) {
    refuted += renyi(p, q, order) > claim(order) * (1 + 1e-12) ? 1 : 0;
    refuted += renyi(q, p, order) > claim(order) * (1 + 1e-12) ? 1 : 0;
  }
  return refuted;
}

// McKenna and Sheldon 2020, of two candidates: the worse one, at this distance, where it comes first and its coin says
// yes. One unit moves the distance by 2.
Chances permute_and_flip(double distance) {
  const double worse = 0.5 * std::exp(-epsilon * distance / 2);
  return {{{0}, 1 - worse}, {{1}, worse}};
}
Chances exponential(double distance) {
  const double worse = 1 / (1 + std::exp(epsilon * distance / 2));
  return {{{0}, 1 - worse}, {{1}, worse}};
}

TEST(BoundedRange, IsRefutedWhereAMechanismDoesNotHaveIt) {
  EXPECT_GT(refutations(permute_and_flip(0), permute_and_flip(2), bounded_range), 0);
  EXPECT_EQ(refutations(exponential(0), exponential(2), bounded_range), 0);
  EXPECT_EQ(refutations(permute_and_flip(0), permute_and_flip(2), claimed), 0);
}

// What a release chooses: the ends of a median over points 0 to 8.
Chances chosen(const std::vector<noise::Occupied>& rows) {
  const auto statistic = noise::RankStatistic::quantile(1, 2, 9).value();
  const auto law =
      noise::Exponential::of(LaplaceScale::of(static_cast<double>(statistic.row_moves()) / epsilon).value());
  const noise::RankChoice choice(statistic, rows, 2);
  Chances all;
  double total = 0;
  const auto levels = choice.levels();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double weight = law->weight(levels[i].distance, {64}).nearest();
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      const auto pair = choice.candidate(i, place);
      all[{pair[0], pair[1]}] = weight;
      total += weight;
    }
  }
  for (auto& [outcome, chance] : all) chance /= total;
  return all;
}

TEST(BoundedRange, OfAChoiceOfEndsIsNeverClaimedAndItsLossIsWithinTheClaim) {
  const std::vector<noise::Occupied> rows = {{1, 2}, {4, 3}, {7, 1}};
  int nearest = 0;
  for (std::int64_t point = 0; point <= 8; ++point) {
    std::map<std::int64_t, std::int64_t> more;
    for (const noise::Occupied& one : rows) more[one.point] += one.rows;
    ++more[point];
    std::vector<noise::Occupied> with;
    for (const auto& [at, number] : more) with.push_back({at, number});
    EXPECT_EQ(refutations(chosen(rows), chosen(with), claimed), 0) << point;
    nearest += refutations(chosen(rows), chosen(with), [](double order) { return claimed(order) / 100; });
  }
  EXPECT_GT(nearest, 0);  // the claim is not so far away that nothing could pass it
}

}  // namespace
}  // namespace vernier
