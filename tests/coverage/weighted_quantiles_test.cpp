// Quantiles of a population from weighted rows, with the sampler that ships, over designs in which weights go with the
// values. Nowhere refuted at 1e-6 for all cells together; the rows as they are, and heavy rows that are taken for light
// ones, are.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/seeded_bits.hpp"
#include "vernier/coverage/share.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/noise/rank_choice.hpp"

namespace vernier::interval {
namespace {

using noise::Occupied;
using noise::RankGrid;
using noise::RankStatistic;
using testing::SeededBits;

constexpr std::int64_t heaviest = 20;
constexpr std::int64_t last_point = 400;
constexpr int members = 2000;
constexpr std::size_t family = 200;  // cells, in all tests of this file

struct Member {
  std::int64_t point, weight;
};

struct Shape {
  std::string name;
  Member (*member)(double part);  // at parts from 0 to 1 of the population
};

std::int64_t at(double place) { return std::llround(std::clamp(place, 0.0, 1.0) * last_point); }
std::int64_t heavy(double part) { return 1 + std::llround(part * (heaviest - 1)); }

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"weights rise with values",
       [](double u) {
         return Member{at(u), heavy(u)};
       }},
      {"weights fall with values",
       [](double u) {
         return Member{at(u * u), heavy(1 - u)};
       }},
      {"half of the members are heavy",
       [](double u) {
         return u < 0.5 ? Member{at(u), 1} : Member{at(0.3 + 0.2 * u), heaviest};
       }},
      {"one atom",
       [](double) {
         return Member{100, heaviest};
       }},
  };
  return all;
}

std::vector<Member> members_of(const Shape& shape) {
  std::vector<Member> all;
  for (int i = 0; i < members; ++i) all.push_back(shape.member((i + 0.5) / members));
  return all;
}

std::int64_t quantile_of(const std::vector<Member>& all, double p) {
  std::vector<std::int64_t> points;
  for (const Member& one : all) points.push_back(one.point);
  std::sort(points.begin(), points.end());
  return points[static_cast<std::size_t>(std::ceil(p * members - 1e-9)) - 1];
}

double uniform(SeededBits& bits) { return static_cast<double>(*bits.next() >> 11) * 0x1p-53; }

// Each member once, with a chance that is inversely proportional to its weight: so many rows are expected.
class Draw {
 public:
  Draw(const std::vector<Member>& all, double rows) : all_(all) {
    double chances = 0;
    for (const Member& one : all) chances += 1 / static_cast<double>(one.weight);
    rate_ = rows / chances;
  }
  std::vector<Occupied> rows(SeededBits& bits, bool takes_weights) const {
    std::map<std::int64_t, std::int64_t> weights;
    for (const Member& one : all_) {
      if (uniform(bits) * static_cast<double>(one.weight) < rate_) weights[one.point] += takes_weights ? one.weight : 1;
    }
    std::vector<Occupied> rows;
    for (const auto& [point, weight] : weights) rows.push_back({point, weight});
    return rows;
  }

 private:
  const std::vector<Member>& all_;
  double rate_;
};

struct Belief {
  std::int64_t heaviest_in_sample = heaviest;
  bool takes_weights = true;
};

struct Cell {
  double rows, epsilon;
  int hundredths;
};

coverage::Hits hits(const std::vector<Member>& all, const Cell& cell, std::int64_t trials, const Belief& belief = {}) {
  const RankStatistic statistic = *RankStatistic::sample_quantile(cell.hundredths, 100, last_point + 1);
  const std::int64_t moved = statistic.row_moves() * (belief.takes_weights ? heaviest : 1);
  const auto law = *noise::Exponential::of(*LaplaceScale::of(static_cast<double>(moved) / cell.epsilon));
  const auto inference = *PopulationQuantileInference::of(statistic, *RankGrid::of(last_point), law, *Alpha::of(0.05),
                                                          belief.takes_weights ? belief.heaviest_in_sample : 1);
  const std::int64_t truth = quantile_of(all, cell.hundredths / 100.0);
  const Draw draw(all, cell.rows);
  SeededBits bits(7);
  auto source = testing::seeded_source(8);
  coverage::Hits found{0, trials};
  for (std::int64_t i = 0; i < trials; ++i) {
    const auto rows = draw.rows(bits, belief.takes_weights);
    const auto told = *inference.from(*noise::draw_points(law, statistic, rows, inference.reach(), source));
    found.hits += told.low <= truth && truth <= told.high ? 1 : 0;
  }
  return found;
}

bool is_refuted(const coverage::Hits& found) {
  return coverage::is_refuted(found, 0.95, 1e-6 / static_cast<double>(family));
}

std::string refuted(std::int64_t trials, const std::vector<double>& sizes, const std::vector<double>& epsilons) {
  std::ostringstream cells;
  for (const Shape& shape : shapes()) {
    const std::vector<Member> all = members_of(shape);
    for (const double rows : sizes) {
      for (const double epsilon : epsilons) {
        for (const int hundredths : {50, 90, 10}) {
          const auto found = hits(all, {rows, epsilon, hundredths}, trials);
          if (!is_refuted(found)) continue;
          cells << shape.name << ", " << rows << " rows, epsilon " << epsilon << ", " << hundredths << ": "
                << found.hits << " of " << found.trials << "\n";
        }
      }
    }
  }
  return cells.str();
}

TEST(SlowWeightedQuantiles, AreNowhereRefuted) { EXPECT_EQ(refuted(500, {10, 100}, {0.5, 20}), ""); }

TEST(HeavyWeightedQuantiles, AreNowhereRefuted) { EXPECT_EQ(refuted(2000, {2, 10, 100}, {0.2, 2, 100}), ""); }

// The same harness sees intervals that are about something else.
TEST(SlowWeightedQuantiles, OfRowsAsTheyAreAreRefuted) {
  const std::vector<Member> all = members_of(shapes()[0]);
  EXPECT_TRUE(is_refuted(hits(all, {100, 100, 50}, 300, {.takes_weights = false})));
  EXPECT_FALSE(is_refuted(hits(all, {100, 100, 50}, 300)));
}

TEST(SlowWeightedQuantiles, OfHeavyRowsThatAreTakenForLightOnesAreRefuted) {
  const std::vector<Member> all = members_of(shapes()[2]);
  EXPECT_TRUE(is_refuted(hits(all, {100, 100, 50}, 300, {.heaviest_in_sample = 1})));
  EXPECT_FALSE(is_refuted(hits(all, {100, 100, 50}, 300)));
}

}  // namespace
}  // namespace vernier::interval
