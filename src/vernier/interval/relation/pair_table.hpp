#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

#include "vernier/interval/relation/node_sizes.hpp"

// The released sums of a pair, and the test of every relation over them: relation.md. What is rejected, and by how much
// noise, is for whoever uses them: intervals of the rows, and of a population.
namespace vernier::interval {

inline constexpr double sums_error = 0x1p-44;  // of all sums, by which a test may be off; relation.md counts a quarter

// The released sums in rows, over columns between -1 and 1.
struct PairMoments {
  double n, x, y, xy, xx, yy;
  double size;  // of all sums
};
PairMoments moments_of(std::span<const std::int64_t> released, std::int64_t weight);

inline double greatest(const PairSizes& sizes) { return *std::max_element(sizes.begin(), sizes.end()); }

// theta is tested by abs(a - theta d), which the noise of combinations up to these sizes and the second order move.
struct TriedPair {
  PairSizes sizes;
  double second;
};
struct PairTest {
  double a, d;
  Ends possible;
  double scale = 1;  // of the numbers that it was made from
  std::function<std::optional<TriedPair>(const Ends& theta)> tried;
};

// The parts of one released table that all tests are made from.
struct PairTable {
  const PairShape& shape;
  const PairNodeNoise &main, &nuisance;
  PairMoments of;
  double cut;  // by which sums that were cut to whole numbers may move a combination of sizes up to 1

  double reach(const PairSizes& sizes) const { return nuisance.reach(sizes) + cut * greatest(sizes); }

  // A radius that a nuisance keeps to but for its part of alpha: `bound(R)` is from above what abs(divisor * distance)
  // reaches if the nuisance is no further than R away, and grows by no more than in proportion. None where there is no
  // such radius.
  template <class Bound>
  static std::optional<double> radius(double divisor, const Bound& bound) {
    if (!(divisor > 0)) return std::nullopt;
    double r = 0;
    constexpr int most_rounds = 40;
    for (int round = 0; round < most_rounds; ++round) {
      const double next = bound(r) / divisor * (1 + 0x1p-8);
      if (!std::isfinite(next)) return std::nullopt;
      if (round > 0 && next <= r * (1 + 0x1p-8)) return r;
      r = next;
    }
    return std::nullopt;
  }

  // Of the mean of one column.
  template <class Place>
  std::optional<double> mean_radius(double middle, const Place& place_of) const {
    return radius(of.n, [&](double r) {
      return reach(sizes_of([&](std::size_t i, std::size_t j) { return about(place_of(i, j) - middle, r); }));
    });
  }
  std::optional<double> x_radius() const {
    return mean_radius(of.x / of.n, [](std::size_t i, std::size_t) { return place(i); });
  }
  std::optional<double> y_radius() const {
    return mean_radius(of.y / of.n, [](std::size_t, std::size_t j) { return place(j); });
  }
};

// None where a nuisance may be anything.
std::optional<PairTest> test_of(const PairTable& table, Relation relation);

// Of all tables within the bounds, between -1 and 1.
Ends possible_of(const PairShape& shape, Relation relation);

// By what a test may be off by roundings, at theta.
double rounding_of(const PairTable& table, const PairTest& test, const Ends& theta);

// What is left of the possible numbers where all of a cell is rejected, from outside inward, at distances that the
// reach asks for.
Ends kept_by(const PairTest& test, double reach, const std::function<bool(const Ends&)>& rejects);

// A span that was cut to nothing or short by what is possible looks more certain than it is: it gets its reach back.
Ends lengthened(const Ends& kept, const Ends& possible, double middle, double reach);

// What the sums say of themselves, shrunken toward 0 by the noise.
double estimate(const PairTable& table, const PairTest& test);

// In units of the columns; outward, as roundings of a few operations ask for.
Interval outward(const Ends& kept, double middle, double factor);

// By which sums that were cut to whole numbers may move a combination of sizes up to 1, of at most so many rows.
double cut_of(const PairShape& shape, double rows);

}  // namespace vernier::interval
