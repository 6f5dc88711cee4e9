#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "vernier/noise/rank_choice.hpp"
#include "vernier/noise/value_choice.hpp"

// Mutant 15: the exponential mechanism has a bounded range, so that rho = epsilon^2 / 8 holds for it; permute-and-flip
// has none, and a library claimed it for that. And what choices are charged together is never less than they give away;
// with the range halved it is. Chances are enumerated, and nothing is drawn.
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

using Rows = std::vector<noise::Occupied>;

template <class Choice>
Chances chances_of(const Choice& choice, double scale) {
  const auto law = noise::Exponential::of(LaplaceScale::of(scale).value());
  Chances all;
  double total = 0;
  const auto levels = choice.levels();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double weight = law->weight(levels[i].distance, {64}).nearest();
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      const auto points = choice.candidate(i, place);
      all[{points.begin(), points.end()}] = weight;
      total += weight;
    }
  }
  for (auto& [outcome, chance] : all) chance /= total;
  return all;
}

noise::RankStatistic quantile(std::int64_t a, std::int64_t b) {
  return noise::RankStatistic::quantile(a, b, 9).value();
}
double scale_of(const noise::RankStatistic& statistic) { return static_cast<double>(statistic.row_moves()) / epsilon; }

// What a release chooses, over points 0 to 8: the ends of a quantile.
Chances chosen(const Rows& rows, std::int64_t a = 1, std::int64_t b = 2) {
  return chances_of(noise::RankChoice(quantile(a, b), rows, 2), scale_of(quantile(a, b)));
}

// And a value with the interval around it.
Chances chosen_value(const Rows& rows, std::int64_t a, std::int64_t b) {
  const noise::RankStatistic statistic = quantile(a, b);
  const auto law = noise::Exponential::of(LaplaceScale::of(scale_of(statistic)).value());
  const auto reach = noise::value_reach_of(*law, statistic, Alpha::of(0.5).value());
  return chances_of(noise::ValueChoice(statistic, rows, *reach), scale_of(statistic));
}

Rows with_one_at(const Rows& rows, std::int64_t point) {
  std::map<std::int64_t, std::int64_t> more;
  for (const noise::Occupied& one : rows) more[one.point] += one.rows;
  ++more[point];
  Rows with;
  for (const auto& [at, number] : more) with.push_back({at, number});
  return with;
}

const std::vector<Rows> some_rows = {{{1, 2}, {4, 3}, {7, 1}}, {}, {{4, 6}}, {{0, 1}, {8, 1}}, {{2, 9}, {3, 1}}};

TEST(BoundedRange, OfAChoiceOfEndsIsNeverClaimedAndItsLossIsWithinTheClaim) {
  int nearest = 0;
  for (std::int64_t point = 0; point <= 8; ++point) {
    const Rows with = with_one_at(some_rows[0], point);
    EXPECT_EQ(refutations(chosen(some_rows[0]), chosen(with), claimed), 0) << point;
    nearest += refutations(chosen(some_rows[0]), chosen(with), [](double order) { return claimed(order) / 100; });
  }
  EXPECT_GT(nearest, 0);  // the claim is not so far away that nothing could pass it
}

// Losses with their chances under the first of two laws; those that agree to 1e-9 are one.
using Losses = std::map<std::int64_t, std::pair<double, double>>;

void add(Losses& losses, double loss, double chance) {
  auto& [value, sum] = losses[std::llround(loss * 1e9)];
  value = loss;
  sum += chance;
}
Losses losses_of(const Chances& p, const Chances& q) {
  Losses found;
  for (const auto& [outcome, chance] : p) add(found, std::log(chance / q.at(outcome)), chance);
  return found;
}
Losses together(const Losses& a, const Losses& b) {
  Losses sum;
  for (const auto& [i, one] : a) {
    for (const auto& [j, other] : b) add(sum, one.first + other.first, one.second * other.second);
  }
  return sum;
}
double delta_of(const Losses& losses, double at) {
  double delta = 0;
  for (const auto& [key, one] : losses) delta += one.first > at ? -one.second * std::expm1(at - one.first) : 0;
  return delta;
}

struct Seen {
  int wrong = 0;
  double nearest = 0;  // the greatest of exact over charged
};

constexpr int most_groups = 4;
constexpr double shares[] = {0.1, 0.3, 0.5, 0.8};

// What a plan charges for choices of this range in 1, 2, ... groups that one unit touches, at each share of the sum.
std::vector<double> charges(double range) {
  std::vector<double> all;
  for (int groups = 1; groups <= most_groups; ++groups) {
    for (const double share : shares) {
      const auto event = test::event(test::choice(range * epsilon), groups);
      all.push_back(test::delta_of({event}, share * groups * epsilon).bounds.upper);
    }
  }
  return all;
}

// Choices of two neighbours beside what is charged for them.
Seen charged(const Chances& p, const Chances& q, const std::vector<double>& charges) {
  Seen seen;
  Losses all = losses_of(p, q);
  auto charge = charges.begin();
  for (int groups = 1; groups <= most_groups; ++groups) {
    for (const double share : shares) {
      const double exact = delta_of(all, share * groups * epsilon), most = *charge++;
      if (exact > most * (1 + 1e-9) + 1e-15) ++seen.wrong;
      if (most > 0) seen.nearest = std::max(seen.nearest, exact / most);
    }
    all = together(all, losses_of(p, q));
  }
  return seen;
}

Seen charged_everywhere(double range) {
  Seen seen;
  const std::vector<double> most = charges(range);
  const auto take = [&](const Seen& one) {
    seen.wrong += one.wrong;
    seen.nearest = std::max(seen.nearest, one.nearest);
  };
  for (const Rows& rows : some_rows) {
    for (const std::int64_t point : {0, 3, 4, 8}) {
      const Rows with = with_one_at(rows, point);
      for (const auto& [a, b] : {std::pair{1, 2}, std::pair{9, 10}}) {
        for (const auto& [p, q] : {std::pair{chosen(rows, a, b), chosen(with, a, b)},
                                   std::pair{chosen_value(rows, a, b), chosen_value(with, a, b)}}) {
          take(charged(p, q, most));
          take(charged(q, p, most));
        }
      }
    }
  }
  return seen;
}

TEST(BoundedRange, OfReleasedChoicesIsChargedInFullByTheLossOfPlans) {
  const Seen seen = charged_everywhere(1);
  EXPECT_EQ(seen.wrong, 0);
  EXPECT_GT(seen.nearest, 0.6);
}

TEST(BoundedRange, HalvedIsCaught) { EXPECT_GT(charged_everywhere(0.5).wrong, 100); }

}  // namespace
}  // namespace vernier
