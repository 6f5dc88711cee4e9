#include "vernier/plan/sensitivity.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::plan {
namespace {

using privacy::Neighbours;
using Vector = std::vector<std::int64_t>;

struct Norms {
  std::int64_t l0 = 0, linf = 0;
  Int128 l1 = 0, l2_squared = 0;
};

Norms worst(const Norms& a, const Norms& b) {
  return {std::max(a.l0, b.l0), std::max(a.linf, b.linf), std::max(a.l1, b.l1), std::max(a.l2_squared, b.l2_squared)};
}

Norms norms_of_difference(const Vector& a, const Vector& b) {
  Norms norms;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t size = std::abs(a[i] - b[i]);
    norms.l0 += size > 0 ? 1 : 0;
    norms.linf = std::max(norms.linf, size);
    norms.l1 += size;
    norms.l2_squared += Int128{size} * size;
  }
  return norms;
}

// Every vector that a unit can add: in each group nothing, or one of the parts; at most max_groups groups are touched.
std::vector<Vector> contributions(const std::vector<Vector>& parts, std::int64_t cells, std::int64_t max_groups) {
  std::vector<Vector> all;
  const Vector nothing(parts.front().size(), 0);
  const std::function<void(Vector, std::int64_t, std::int64_t)> extend = [&](const Vector& begun, std::int64_t left,
                                                                             std::int64_t touches) {
    if (left == 0) return all.push_back(begun);
    const auto with = [&](const Vector& part) {
      Vector longer = begun;
      longer.insert(longer.end(), part.begin(), part.end());
      return longer;
    };
    extend(with(nothing), left - 1, touches);
    if (touches == 0) return;
    for (const Vector& part : parts) extend(with(part), left - 1, touches - 1);
  };
  extend({}, cells, max_groups);
  return all;
}

// The worst that two units, or a unit and nobody, can do: by trying all of them.
Norms worst_of_all(const std::vector<Vector>& parts, std::int64_t cells, std::int64_t m, Neighbours neighbours) {
  const std::vector<Vector> all = contributions(parts, cells, m);
  const std::vector<Vector> nobody{Vector(parts.front().size() * static_cast<std::size_t>(cells), 0)};
  Norms found;
  for (const Vector& a : all) {
    for (const Vector& b : neighbours == Neighbours::replace ? all : nobody) {
      found = worst(found, norms_of_difference(a, b));
    }
  }
  return found;
}

void expect_exactly(const Sensitivity& stated, const Norms& found, const std::string& what) {
  EXPECT_EQ(stated.l0, found.l0) << what;
  EXPECT_EQ(stated.linf, found.linf) << what;
  EXPECT_TRUE(stated.l1 == found.l1) << what;
  EXPECT_TRUE(stated.l2_squared == found.l2_squared) << what;
}

void for_small_cases(const std::function<void(Contribution, Groups, Neighbours, const std::string&)>& check) {
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace}) {
    for (std::int64_t cells = 1; cells <= 4; ++cells) {
      for (std::int64_t m = 1; m <= 5; ++m) {
        for (std::int64_t r = 1; r <= 2; ++r) {
          check({m, r}, {true, cells}, neighbours,
                std::string(privacy::name_of(neighbours)) + " cells " + std::to_string(cells) + " m " +
                    std::to_string(m) + " r " + std::to_string(r));
        }
      }
    }
  }
}

std::vector<Vector> numbers(std::int64_t lower, std::int64_t upper) {
  std::vector<Vector> all;
  for (std::int64_t x = lower; x <= upper; ++x) all.push_back({x});
  return all;
}

TEST(Sensitivity, OfCountsIsTheWorstOfAllSmallCases) {
  for_small_cases([](Contribution unit, Groups groups, Neighbours neighbours, const std::string& what) {
    const Norms found = worst_of_all(numbers(0, unit.max_rows), groups.count, unit.max_groups, neighbours);
    const Sensitivity stated = count_sensitivity(unit, groups, neighbours).value();
    expect_exactly(stated, found, what);
    EXPECT_EQ(stated.shift, unit.max_rows) << what;
    EXPECT_EQ(stated.coordinates, found.l0) << what;
  });
}

TEST(Sensitivity, OfSumsIsTheWorstOfAllSmallCases) {
  for (const Steps steps : {Steps{0, 2}, Steps{-2, 0}, Steps{1, 2}, Steps{-1, 1}, Steps{-1, 2}, Steps{-3, 1}}) {
    for_small_cases([&](Contribution unit, Groups groups, Neighbours neighbours, const std::string& what) {
      const std::int64_t lower = unit.max_rows * std::min<std::int64_t>(steps.lower, 0);
      const std::int64_t upper = unit.max_rows * std::max<std::int64_t>(steps.upper, 0);
      std::vector<Vector> ends{{lower}, {upper}, {upper > 0 ? 1 : -1}};  // the norms are convex: their worst is here
      const Norms found = worst_of_all(ends, groups.count, unit.max_groups, neighbours);
      expect_exactly(sum_sensitivity(steps, unit, groups, neighbours).value(), found, what);
    });
  }
}

TEST(Sensitivity, OfMeansIsTheWorstOfAllSmallCases) {
  const std::int64_t steps = 2;
  for_small_cases([&](Contribution unit, Groups groups, Neighbours neighbours, const std::string& what) {
    if (groups.count == 4 && neighbours == Neighbours::replace) return;  // as three do, and far more of them
    std::vector<Vector> nodes;
    const std::int64_t full = unit.max_rows * steps;
    for (const std::int64_t s : {std::int64_t{0}, std::int64_t{1}, full}) nodes.push_back({full - s, s});
    const Norms found = worst_of_all(nodes, groups.count, unit.max_groups, neighbours);
    expect_exactly(mean_sensitivity(steps, unit, groups, neighbours).value(), found, what);
  });
}

TEST(Sensitivity, OfMomentsIsTheWorstOfAllSmallCases) {
  const std::int64_t weight = 3;
  for_small_cases([&](Contribution unit, Groups groups, Neighbours neighbours, const std::string& what) {
    if (groups.count >= 3 && neighbours == Neighbours::replace) return;  // as two do, and far more of them
    const std::int64_t full = unit.max_rows * weight;
    const std::vector<Vector> nodes{{full, 0, 0}, {0, full, 0}, {0, 0, full}, {1, full - 2, 1}};
    const Norms found = worst_of_all(nodes, groups.count, unit.max_groups, neighbours);
    const Sensitivity stated = moment_sensitivity(weight, unit, groups, neighbours).value();
    EXPECT_EQ(pair_sensitivity(weight, unit, groups, neighbours).value().l1, stated.l1);
    EXPECT_EQ(pair_sensitivity(weight, unit, groups, neighbours).value().l0, 3 * stated.l0);
    expect_exactly(stated, found, what);
    EXPECT_EQ(stated.shift, full) << what;
    EXPECT_TRUE(Int128{stated.coordinates} * stated.shift == found.l1) << what;
  });
}

TEST(Sensitivity, ChargesNoLessThanTheNormsAsk) {
  // A vector of `coordinates` shifts has the L1 norm coordinates * shift, and what is charged must not be less.
  for (const Steps steps : {Steps{0, 2}, Steps{-5, -1}, Steps{-1, 1}, Steps{-1, 9}}) {
    for_small_cases([&](Contribution unit, Groups groups, Neighbours neighbours, const std::string& what) {
      const Sensitivity s = sum_sensitivity(steps, unit, groups, neighbours).value();
      EXPECT_TRUE(Int128{s.coordinates} * s.shift >= s.l1) << what;
      EXPECT_TRUE(Int128{s.coordinates} * s.shift * s.shift >= s.l2_squared) << what;
      EXPECT_GE(s.shift, s.linf) << what;
    });
  }
}

TEST(Sensitivity, OfSignedSumsUnderReplaceChargesWhatThePageSays) {
  const auto charged = [](Contribution unit, Groups groups) {
    const Sensitivity s = sum_sensitivity({-10, 4}, unit, groups, Neighbours::replace).value();
    return std::pair{s.shift, s.coordinates};
  };
  EXPECT_EQ(charged({1, 1}, {true, 1}), (std::pair<std::int64_t, std::int64_t>{14, 1}));
  EXPECT_EQ(charged({3, 2}, {true, 3}), (std::pair<std::int64_t, std::int64_t>{28, 3}));
  EXPECT_EQ(charged({2, 2}, {true, 3}), (std::pair<std::int64_t, std::int64_t>{40, 2}));
  EXPECT_EQ(charged({2, 2}, {false, 0}), (std::pair<std::int64_t, std::int64_t>{40, 2}));
}

TEST(Sensitivity, OfMeansChargesBothNodesAtOnce) {
  const Sensitivity one = mean_sensitivity(100, {3, 2}, {true, 2}, Neighbours::add_remove).value();
  EXPECT_EQ(one.shift, 200);
  EXPECT_EQ(one.coordinates, 2);
  const Sensitivity two = mean_sensitivity(100, {3, 2}, {true, 2}, Neighbours::replace).value();
  EXPECT_EQ(two.shift, 200);
  EXPECT_EQ(two.coordinates, 4);
}

TEST(Sensitivity, OfPrivateGroupsDoesNotDependOnTheirNumber) {
  const Sensitivity one = count_sensitivity({7, 3}, {false, 0}, Neighbours::add_remove).value();
  EXPECT_EQ(one.coordinates, 7);
  EXPECT_EQ(one.l0, 7);
  const Sensitivity two = count_sensitivity({7, 3}, {false, 0}, Neighbours::replace).value();
  EXPECT_EQ(two.coordinates, 14);
  EXPECT_EQ(mean_sensitivity(5, {7, 3}, {false, 0}, Neighbours::replace).value().l0, 28);
}

TEST(Sensitivity, EndsAt2To53) {
  const std::int64_t most = std::int64_t{1} << 53;
  EXPECT_EQ(sum_sensitivity({0, most}, {1000000, 1}, {false, 0}, Neighbours::replace).value().shift, most);
  EXPECT_FALSE(sum_sensitivity({0, most}, {1, 2}, {false, 0}, Neighbours::add_remove));
  EXPECT_FALSE(sum_sensitivity({-most, most}, {1, 1}, {true, 1}, Neighbours::replace));
  EXPECT_FALSE(mean_sensitivity(INT64_MAX, {1, 1000000000}, {true, 1}, Neighbours::add_remove));
  const Sensitivity nothing = sum_sensitivity({0, 0}, {1, 1}, {true, 1}, Neighbours::add_remove).value();
  EXPECT_EQ(nothing.shift, 1);
}

}  // namespace
}  // namespace vernier::plan
