#include "vernier/noise/value_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/occupied_rows.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

using Rows = std::vector<Occupied>;
using vernier::testing::random_rows;
using vernier::testing::with_one_more;

constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max() / 4;

RankStatistic quantile(double fraction, std::int64_t points) {
  return *RankStatistic::quantile(std::llround(fraction * 1000), 1000, points);
}

// ---- the definition, candidate by candidate

// D point by point; infinite before the grid and at its last point.
class Heights {
 public:
  Heights(const RankStatistic& statistic, const Rows& rows) {
    for (std::int64_t t = 0; t < statistic.points(); ++t) {
      std::int64_t up_to = 0;
      for (const Occupied& each : rows) up_to += each.point <= t ? each.rows : 0;
      at_.push_back(statistic.at(up_to, number_of(rows)));
    }
  }

  std::int64_t last() const { return static_cast<std::int64_t>(at_.size()) - 1; }
  std::int64_t operator()(std::int64_t t) const {
    if (t < 0) return -infinite;
    return t >= last() ? infinite : at_[static_cast<std::size_t>(t)];
  }
  std::int64_t rows_above() const { return at_[at_.size() - 2]; }
  std::int64_t rows_below() const { return -at_.front(); }

 private:
  std::vector<std::int64_t> at_;
};

struct Candidate {
  std::int64_t distance;
  ChosenValue points;
};

// In an order that does not depend on the rows.
std::vector<Candidate> all_candidates(const RankStatistic& statistic, const Rows& rows, const ValueReach& reach) {
  const Heights d(statistic, rows);
  const Margins margins(statistic.points());
  const std::int64_t last = d.last();
  std::vector<Candidate> all;
  for (std::int64_t v = 0; v <= last; ++v) {
    // `reached(m)` is how far a margin m reaches, which takes `needless` more to be of any use.
    const auto add = [&](const auto& reached, std::int64_t needless, bool has_lower, bool has_upper) {
      for (std::int64_t i = 0; i < margins.count(); ++i) {
        const std::int64_t too_long = i == 0 ? -infinite : reached(margins[i - 1]) - reach.greatest();
        const std::int64_t wrong = std::max({-d(v), d(v - 1), reach.least - reached(margins[i]), too_long, needless});
        all.push_back({std::clamp(wrong, -reach.slack, reach.farthest),
                       {has_lower ? std::max<std::int64_t>(v - margins[i], 0) : 0, v,
                        has_upper ? std::min(v + margins[i], last) : last}});
      }
    };
    add([&](std::int64_t m) { return std::min(-d(v - m - 1), d(v + m)); }, -infinite, true, true);
    add([&](std::int64_t m) { return -d(v - m - 1); }, d.rows_above() - reach.least, true, false);
    add([&](std::int64_t m) { return d(v + m); }, d.rows_below() - reach.least, false, true);
  }
  return all;
}

// How often each outcome is a candidate at each distance, counted from the least one.
using Listed = std::map<std::pair<std::int64_t, ChosenValue>, std::int64_t>;

Listed defined(const RankStatistic& statistic, const Rows& rows, const ValueReach& reach) {
  const std::vector<Candidate> all = all_candidates(statistic, rows, reach);
  const auto nearer = [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; };
  const std::int64_t least = std::min_element(all.begin(), all.end(), nearer)->distance;
  Listed found;
  for (const Candidate& each : all) ++found[{each.distance - least, each.points}];
  return found;
}

Listed listed(const ValueChoice& choice) {
  Listed found;
  const random::Wiped<Level> levels = choice.levels();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      ++found[{levels[i].distance, choice.candidate(i, place)}];
    }
  }
  return found;
}

void expect_as_defined(const RankStatistic& statistic, const Rows& rows, const ValueReach& reach) {
  const ValueChoice choice(statistic, rows, reach);
  const random::Wiped<Level> levels = choice.levels();
  EXPECT_EQ(levels.front().distance, 0);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_GE(levels[i].candidates, 1);
    EXPECT_TRUE(i == 0 || levels[i - 1].distance < levels[i].distance);
  }
  EXPECT_EQ(listed(choice), defined(statistic, rows, reach))
      << "points " << statistic.points() << ", rows " << rows.size() << ", reach " << reach.least << " to "
      << reach.greatest() << ", at most " << reach.farthest;
}

TEST(ValueChoice, ListsEveryCandidateAtItsDistance) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const auto points = static_cast<std::int64_t>(2 + random() % (round % 10 == 0 ? 60 : 12));
    const auto least = static_cast<std::int64_t>(1 + random() % 30), slack = static_cast<std::int64_t>(random() % 20);
    const ValueReach reach{least, slack, least + static_cast<std::int64_t>(random() % 60)};
    const Rows rows = random_rows(random, points);
    for (const double fraction : {0.5, 0.1, 0.75}) expect_as_defined(quantile(fraction, points), rows, reach);
  }
}

TEST(ValueChoice, HasAnAnswerForNoRowsAndForTies) {
  for (const std::int64_t points : {2, 3, 9}) {
    for (const ValueReach& reach : {ValueReach{1, 0, 2}, ValueReach{5, 3, 40}, ValueReach{1000, 700, 3000}}) {
      expect_as_defined(quantile(0.5, points), {}, reach);
      expect_as_defined(quantile(0.9, points), {{0, 1}}, reach);
      expect_as_defined(quantile(0.9, points), {{points - 1, 1}}, reach);
      expect_as_defined(quantile(0.25, points), {{1, 500}}, reach);
    }
  }
}

// Rows that are far from the quantile bring no levels, nor do points without rows.
TEST(ValueChoice, CostsByTheValuesNearTheQuantile) {
  Rows rows;
  for (std::int64_t t = 0; t < most_rank_points; t += 4) rows.push_back({t, 1});
  const ValueReach reach{40, 20, 200};
  const ValueChoice choice(quantile(0.5, most_rank_points), rows, reach);
  EXPECT_LE(choice.levels().size(), 300U);
  std::int64_t candidates = 0;
  for (const Level& level : choice.levels()) candidates += level.candidates;
  EXPECT_EQ(candidates, 3 * most_rank_points * Margins(most_rank_points).count());
}

TEST(ValueChoice, MovesNoDistanceByMoreThanOneRowCan) {
  std::mt19937_64 random(8);
  std::int64_t greatest = 0;
  for (int round = 0; round < 200; ++round) {
    const auto points = static_cast<std::int64_t>(2 + random() % 10);
    const ValueReach reach{static_cast<std::int64_t>(1 + random() % 20), static_cast<std::int64_t>(random() % 9), 60};
    const Rows rows = random_rows(random, points);
    const Rows with = with_one_more(rows, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(points)));
    for (const double fraction : {0.5, 0.1, 0.7}) {
      const RankStatistic statistic = quantile(fraction, points);
      const auto before = all_candidates(statistic, rows, reach), after = all_candidates(statistic, with, reach);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const std::int64_t moved = std::abs(before[i].distance - after[i].distance);
        EXPECT_LE(moved, statistic.row_moves());
        greatest = std::max(greatest, moved - statistic.row_moves());
      }
    }
  }
  EXPECT_EQ(greatest, 0);  // it is reached
}

// ---- the draws, by simulation

void expect_law(const RankStatistic& statistic, const Rows& rows, double scale, const ValueReach& reach) {
  constexpr std::uint64_t trials = 15'000;
  const Exponential law = *Exponential::of(*LaplaceScale::of(scale));
  std::map<ChosenValue, double> weights;
  double total = 0;
  for (const auto& [each, times] : defined(statistic, rows, reach)) {
    const double weight = static_cast<double>(times) * std::exp(-static_cast<double>(each.first) / (2 * scale));
    weights[each.second] += weight;
    total += weight;
  }
  std::map<ChosenValue, std::uint64_t> counts;
  auto source = vernier::testing::seeded_source(21);
  for (std::uint64_t i = 0; i < trials; ++i) ++counts[*draw_points(law, statistic, rows, reach, source)];
  const double level = vernier::testing::false_alarm / static_cast<double>(weights.size());
  for (const auto& [points, weight] : weights) {
    EXPECT_TRUE(vernier::testing::unsurprising_counts(trials, weight / total, level).contains(counts[points]))
        << points[0] << ' ' << points[1] << ' ' << points[2] << " drawn " << counts[points] << ", expected "
        << weight / total * trials;
  }
}

TEST(ValueChoice, DrawsByTheLaw) {
  const Rows rows{{1, 3}, {2, 1}, {6, 4}};
  for (const double scale : {0.001, 0.7, 5.0, 1e6}) {
    expect_law(quantile(0.5, 8), rows, scale, {3, 2, 30});
    expect_law(quantile(0.9, 8), rows, scale, {12, 5, 60});
  }
  expect_law(quantile(0.5, 5), {}, 1, {4, 2, 20});
  expect_law(quantile(0.5, 5), {{2, 100}}, 1, {4, 2, 20});
}

// ---- how far it reaches

TEST(ValueReach, IsKnownBeforeAnyData) {
  const Exponential law = *Exponential::of(*LaplaceScale::of(1));
  const RankStatistic median = quantile(0.5, 200'001);
  const double margins = 99, candidates = 3 * 200'001 * margins;
  EXPECT_EQ(Margins(200'001).count(), margins);
  const ValueReach reach = *value_reach_of(law, median, *Alpha::of(0.05));
  EXPECT_EQ(reach.least, std::ceil(2 * std::log((4 * margins + 1) * 19)));
  EXPECT_EQ(reach.least + reach.slack, std::ceil(2 * std::log((candidates - 1) * 19)));
  EXPECT_EQ(reach.farthest - reach.least, std::ceil(2 * std::log(candidates)));
}

TEST(Margins, GrowByAnEighthUpToTheGrid) {
  for (const std::int64_t points : {2, 3, 17, 18, 1001, 200'001, 1 << 20}) {
    const Margins margins(points);
    EXPECT_EQ(margins[0], 0);
    EXPECT_EQ(margins[margins.count() - 1], points - 1);
    EXPECT_EQ(margins.beyond_smaller(0), 0);
    for (std::int64_t i = 1; i < margins.count(); ++i) {
      const std::int64_t before = margins[i - 1];
      EXPECT_GT(margins[i], before);
      EXPECT_LE(margins[i], before + std::max<std::int64_t>(before / 8, 1));
      EXPECT_EQ(margins.beyond_smaller(i), before + 1);
      EXPECT_EQ(margins.first_from(margins[i]), i);
      EXPECT_EQ(margins.first_from(before + 1), i);
    }
    EXPECT_EQ(margins.first_from(points), margins.count());
  }
}

}  // namespace
}  // namespace vernier::noise
