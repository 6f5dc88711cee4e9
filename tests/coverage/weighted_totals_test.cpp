// Counts and sums of a population from weighted rows, over designs in which weights go with the values: each member is
// drawn with a chance of one over its weight. Nowhere refuted at 1e-6 for all cells together; what takes no notice of
// the weights, takes heavy rows for light ones, or has no guard is.
#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/coverage/share.hpp"
#include "vernier/interval/population/sum.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using testing::law_at;
using testing::SeededBits;
using Sums = std::vector<std::int64_t>;

constexpr std::int64_t heaviest = 40;  // steps
constexpr double members_of_step = 0.25;
constexpr double false_refutation = 1e-6;
constexpr std::size_t family = 1500;  // cells, in all tests of this file
const MeanNodes nodes = MeanNodes::of(Basis::bernstein, 40).value();

struct Member {
  std::int64_t place;   // of 40 steps
  std::int64_t weight;  // from 4 steps, one member, to the heaviest
};

struct Shape {
  std::string name;
  Member (*member)(double part);  // at parts from 0 to 1 of the population
};

std::int64_t at(double place) { return std::llround(std::clamp(place, 0.0, 1.0) * 40); }
std::int64_t heavy(double part) { return 4 + std::llround(part * (heaviest - 4)); }

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
      {"the upper bound is rare and heavy",
       [](double u) {
         return u < 0.02 ? Member{40, heaviest} : Member{at(0.1 + 0.2 * u), 5};
       }},
      {"all are as heavy as can be",
       [](double u) {
         return Member{at(u), heaviest};
       }},
      {"few are not there for certain",
       [](double u) {
         return u < 0.05 ? Member{at(20 * u), heaviest} : Member{at(u), 4};
       }},
  };
  return all;
}

// Members at the upper bound, as heavy as can be, and nothing of all others.
const Shape rare{"rare", [](double u) { return u < 0.005 ? Member{40, heaviest} : Member{0, 4}; }};

enum class Claim : std::uint8_t { count, sum_above_zero, sum_around_zero };

noise::ValueRange bounds_of(Claim claim) {
  const bool is_around = claim == Claim::sum_around_zero;
  return *noise::ValueRange::of(*Real::of(is_around ? -10 : 0), *Real::of(is_around ? 4 : 10));
}

double value_of(Claim claim, const Member& one) {
  if (claim == Claim::count) return 1;
  const noise::ValueRange bounds = bounds_of(claim);
  return bounds.lower() + (bounds.upper() - bounds.lower()) * static_cast<double>(one.place) / 40;
}

double uniform(SeededBits& bits) { return static_cast<double>(*bits.next() >> 11) * 0x1p-53; }

std::vector<Member> members_of(const Shape& shape, int size) {
  std::vector<Member> all;
  for (int i = 0; i < size; ++i) all.push_back(shape.member((i + 0.5) / size));
  return all;
}

struct Belief {
  Design design = {0, heaviest, members_of_step};
  bool takes_weights = true;
};

void add(Sums& sums, const Member& one, Claim claim, std::int64_t weight) {
  const auto row = nodes.row(one.place);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * (claim == Claim::count ? 1 : row[i]);
}

// The released sums of a sample, without noise.
Sums drawn_from(const std::vector<Member>& all, Claim claim, bool takes_weights, SeededBits& bits) {
  Sums sums(claim == Claim::count ? 1 : 3);
  for (const Member& one : all) {
    if (uniform(bits) * members_of_step * static_cast<double>(one.weight) >= 1) continue;
    add(sums, one, claim, takes_weights ? one.weight : 1);
  }
  return sums;
}

using Method = std::function<Interval(const Sums&)>;

template <class Law>
Method shipped(const Law& law, Claim claim, const Design& design) {
  const Alpha alpha = *Alpha::of(0.05);
  const auto made = claim == Claim::count
                        ? PopulationSumInference<Law>::of_count(law, alpha, design)
                        : PopulationSumInference<Law>::of(law, nodes, bounds_of(claim), alpha, design);
  return [found = *made](const Sums& released) { return found.from(released)->interval; };
}

template <class Law>
Law law_for(double epsilon, Claim claim, bool takes_weights) {
  const double row = claim == Claim::count ? 1 : static_cast<double>(nodes.weight());
  return law_at<Law>(testing::scale_in_rows(static_cast<const Law*>(nullptr), epsilon) * row *
                     (takes_weights ? heaviest : 1));
}

template <class Law>
coverage::Hits hits(const std::vector<Member>& all, const Law& law, Claim claim, bool takes_weights,
                    const Method& method, std::int64_t trials) {
  const noise::IntegerSampler<Law> sampler(law);
  double truth = 0;
  for (const Member& one : all) truth += value_of(claim, one);
  SeededBits bits(7);
  auto source = testing::seeded_source(8);
  coverage::Hits found{0, trials};
  for (std::int64_t i = 0; i < trials; ++i) {
    Sums released = drawn_from(all, claim, takes_weights, bits);
    for (std::int64_t& sum : released) sum += *sampler.draw(source);
    const Interval interval = method(released);
    const double slack = 1e-9 * std::abs(truth);
    found.hits += interval.low <= truth + slack && truth <= interval.high + slack ? 1 : 0;
  }
  return found;
}

template <class Law>
coverage::Hits hits_of(const Shape& shape, int size, double epsilon, Claim claim, std::int64_t trials,
                       const Belief& belief = {}) {
  const Law law = law_for<Law>(epsilon, claim, belief.takes_weights);
  return hits(members_of(shape, size), law, claim, belief.takes_weights, shipped(law, claim, belief.design), trials);
}

bool is_refuted(const coverage::Hits& found) {
  return coverage::is_refuted(found, 0.95, false_refutation / static_cast<double>(family));
}

// The cells that are, one a line.
template <class Law>
std::string refuted(Claim claim, std::int64_t trials, const std::vector<int>& sizes,
                    const std::vector<double>& epsilons) {
  std::ostringstream cells;
  std::vector<Shape> all = shapes();
  all.push_back(rare);
  for (const Shape& shape : all) {
    for (const int size : sizes) {
      for (const double epsilon : epsilons) {
        const auto found = hits_of<Law>(shape, size, epsilon, claim, trials);
        if (!is_refuted(found)) continue;
        cells << shape.name << ", " << size << " members, epsilon " << epsilon << ": " << found.hits << " of "
              << found.trials << "\n";
      }
    }
  }
  return cells.str();
}

template <class Law>
class SlowWeightedTotals : public ::testing::Test {};
template <class Law>
class HeavyWeightedTotals : public ::testing::Test {};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(SlowWeightedTotals, Laws);
TYPED_TEST_SUITE(HeavyWeightedTotals, Laws);

TYPED_TEST(SlowWeightedTotals, OfCountsAreNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Claim::count, 2000, {5, 40, 400}, {0.2, 2, 20, 1000}), "");
}

TYPED_TEST(SlowWeightedTotals, OfSumsAreNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Claim::sum_above_zero, 2000, {5, 40, 400}, {0.2, 2, 20, 1000}), "");
  EXPECT_EQ(refuted<TypeParam>(Claim::sum_around_zero, 2000, {5, 40, 400}, {0.2, 2, 20, 1000}), "");
}

TYPED_TEST(HeavyWeightedTotals, AreNowhereRefuted) {
  for (const Claim claim : {Claim::count, Claim::sum_above_zero, Claim::sum_around_zero}) {
    EXPECT_EQ(refuted<TypeParam>(claim, 10'000, {1, 5, 40, 1000}, {0.2, 1, 10, 1000}), "");
  }
}

// The same harness sees intervals that are about something else.
TYPED_TEST(SlowWeightedTotals, OfRowsAsTheyAreAreRefuted) {
  const Shape& rising = shapes()[0];
  double chance = 0;
  for (const Member& one : members_of(rising, 400)) {
    chance += 1 / (400 * members_of_step * static_cast<double>(one.weight));
  }
  const Belief no_weights{.design = {chance, 1}, .takes_weights = false};
  EXPECT_TRUE(is_refuted(hits_of<TypeParam>(rising, 400, 100, Claim::sum_above_zero, 1000, no_weights)));
  EXPECT_FALSE(is_refuted(hits_of<TypeParam>(rising, 400, 100, Claim::sum_above_zero, 1000)));
}

TYPED_TEST(SlowWeightedTotals, OfHeavyRowsThatAreTakenForLightOnesAreRefuted) {
  const Belief light{.design = {0, 5, members_of_step}, .takes_weights = true};
  for (const Claim claim : {Claim::count, Claim::sum_above_zero, Claim::sum_around_zero}) {
    EXPECT_TRUE(is_refuted(hits_of<TypeParam>(shapes()[3], 400, 1000, claim, 1000, light)));
  }
}

// The variance of what was seen, and nothing for what was not.
TYPED_TEST(SlowWeightedTotals, WithoutTheirGuardAreRefuted) {
  const TypeParam law = law_for<TypeParam>(1000, Claim::sum_above_zero, true);
  const double left_out = 1 - 1 / (heaviest * members_of_step), row = static_cast<double>(nodes.weight());
  const Method unguarded = [&](const Sums& released) {
    const double seen = (static_cast<double>(released[1]) / 2 + static_cast<double>(released[2])) / row;
    const double squares = std::max(static_cast<double>(released[2]) / row, 0.0);
    const double half = 1.96 * std::sqrt(heaviest * left_out * squares);
    return Interval{(seen - half) * 10 * members_of_step, (seen + half) * 10 * members_of_step};
  };
  const std::vector<Member> all = members_of(rare, 400);
  EXPECT_TRUE(is_refuted(hits(all, law, Claim::sum_above_zero, true, unguarded, 1000)));
}

}  // namespace
}  // namespace vernier::interval
