#include "vernier/noise/box.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "chi_square.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

using vernier::testing::chi_square_objection;

Box box_at(double scale) { return *Box::of(*LaplaceScale::of(scale)); }

// P[R > x] for R of the gamma law of a whole shape.
double gamma_tail(int shape, double x) {
  double term = 1, sum = 0;
  for (int k = 0; k < shape; ++k) {
    sum += term;
    term *= x / (k + 1);
  }
  return sum * std::exp(-x);
}

// P[abs(a U + b V) > s] for independent U and V, uniform between -1 and 1, a >= b.
double uniform_outside(double a, double b, double s) {
  if (s >= a + b) return 0;
  if (s <= a - b) return 1 - s / a;
  return (a + b - s) * (a + b - s) / (4 * a * b);
}

// P[R abs(a U + b V) > t] by the mean over R, of the gamma law with shape n + 1.
double outside_by_sums(int n, double a, double b, double t) {
  constexpr double step = 1e-3;
  double sum = 0, before = gamma_tail(n + 1, 0);
  for (double r = step; r < 120; r += step) {
    const double now = gamma_tail(n + 1, r);
    sum += (before - now) * uniform_outside(a, b, t / (r - step / 2));
    before = now;
  }
  return sum;
}

TEST(Box, HasTailsThatAreNoLessThanTheyAreAndHardlyMore) {
  for (const int n : {2, 3, 4, 11, 24}) {
    for (const double b : {0.0, 1e-6, 0.2, 0.7, 1.0}) {
      for (const double t : {0.1, 1.0, 4.0, 9.0, 25.0, 60.0}) {
        const double right = outside_by_sums(n, 1, b, t), found = box_outside(static_cast<std::size_t>(n), 1, b, t);
        EXPECT_GE(found, right * (1 - 2e-4)) << n << " " << b << " " << t;
        EXPECT_LE(found, right * 1.03 + 1e-12) << n << " " << b << " " << t;
      }
    }
  }
}

TEST(Box, OfOneNumberIsLaplace) {
  for (const double t : {0.0, 0.5, 3.0, 30.0, 700.0}) EXPECT_NEAR(box_outside(1, 1, 0, t) / std::exp(-t), 1, 1e-9);
}

// The margins of design and page: 95 in a hundred, of one number and of two together.
TEST(Box, HasTheMarginsOfTheTable) {
  const Alpha alpha = *Alpha::of(0.05);
  for (const auto& [n, margin] : std::vector<std::pair<std::size_t, double>>{
           {1, 3.0}, {2, 4.1}, {3, 5.2}, {5, 7.3}, {8, 10.3}, {12, 14.3}, {20, 22.0}}) {
    EXPECT_NEAR(box_reach(n, 1, 0, alpha), margin, 0.1) << n;
  }
  EXPECT_NEAR(box_reach(4, 1, 1, alpha), 9.3, 0.1);
  EXPECT_NEAR(box_reach(11, 1, 1, alpha), 20.3, 0.2);
}

TEST(Box, ReachesAsFarAsItMayMiss) {
  for (const double level : {0.5, 0.05, 1e-6, 1e-12, 1e-200}) {
    const Alpha alpha = *Alpha::of(level);
    for (const double b : {0.0, 0.5, 1.0}) {
      const double reach = box_reach(5, 2, 2 * b, alpha);
      EXPECT_LE(box_outside(5, 2, 2 * b, reach), level);
      EXPECT_GT(box_outside(5, 2, 2 * b, reach * (1 - 1e-9)), level);
    }
  }
}

TEST(Box, GrowsWithEitherSize) {
  for (const double t : {0.5, 5.0, 20.0}) {
    EXPECT_LT(box_outside(4, 1, 0.3, t), box_outside(4, 1, 0.5, t));
    EXPECT_LT(box_outside(4, 1, 0.5, t), box_outside(4, 1.2, 0.5, t));
    EXPECT_EQ(box_outside(4, 0.5, -1, t), box_outside(4, 1, 0.5, t));
  }
}

// ---- draws

// Cells of equal chance of a law over x >= 0, by its tail.
class CellsBy {
 public:
  template <class Tail>
  CellsBy(const Tail& tail, int count) : chances_(static_cast<std::size_t>(count), 1.0 / count) {
    for (int i = 1; i < count; ++i) {
      double low = 0, high = 1000;
      for (int step = 0; step < 80; ++step) {
        const double middle = (low + high) / 2;
        (tail(middle) > 1 - static_cast<double>(i) / count ? low : high) = middle;
      }
      ends_.push_back(high);
    }
  }
  std::size_t of(double x) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), x) - ends_.begin());
  }
  const std::vector<double>& chances() const { return chances_; }

 private:
  std::vector<double> ends_, chances_;
};

constexpr int draws = 40'000, cells = 50;
const std::vector<std::int64_t> halves = {1 << 20, 3 << 18, 64 << 12, 1 << 20};

std::vector<std::vector<double>> drawn(double scale) {
  auto source = vernier::testing::seeded_source(11);
  const BoxSampler sampler = *BoxSampler::of(box_at(scale), halves);
  std::vector<std::vector<double>> all;
  std::vector<std::int64_t> one(halves.size());
  for (int i = 0; i < draws; ++i) {
    EXPECT_TRUE(sampler.draw(source, one));
    std::vector<double>& row = all.emplace_back();
    for (std::size_t j = 0; j < one.size(); ++j) {
      row.push_back(static_cast<double>(one[j]) / static_cast<double>(halves[j]) / scale);
    }
  }
  return all;
}

template <class Tail, class Read>
testing::Objection objection(const std::vector<std::vector<double>>& all, const Tail& tail, const Read& read) {
  const CellsBy by(tail, cells);
  std::vector<std::size_t> places;
  for (const std::vector<double>& one : all) places.push_back(by.of(read(one)));
  return chi_square_objection(places, by.chances());
}

double greatest_size(const std::vector<double>& one) {
  double greatest = 0;
  for (const double x : one) greatest = std::max(greatest, std::abs(x));
  return greatest;
}
double middle_size(const std::vector<double>& one) {
  const auto [least, greatest] = std::minmax_element(one.begin(), one.end());
  return std::abs(*least + *greatest) / 2;
}

// The greatest of all has the gamma law; the middle between greatest and least is Laplace, which is why the box costs
// what one Laplace noise does; each by itself has the tail that intervals are made by.
TEST(Box, IsDrawnByItsLaw) {
  for (const double scale : {0.7, 5.0}) {
    const auto all = drawn(scale);
    EXPECT_EQ(objection(
                  all, [](double x) { return gamma_tail(4, x); }, greatest_size),
              "");
    EXPECT_EQ(objection(
                  all, [](double x) { return std::exp(-x); }, middle_size),
              "");
    const auto of_one = [](double x) { return box_outside(4, 1, 0, x); };
    const auto of_two = [](double x) { return outside_by_sums(4, 1, 0.5, x); };
    for (std::size_t j = 0; j < halves.size(); ++j) {
      EXPECT_EQ(objection(all, of_one, [j](const std::vector<double>& one) { return std::abs(one[j]); }), "");
    }
    if (scale > 1) {
      EXPECT_EQ(objection(all, of_two, [](const auto& one) { return std::abs(one[0] - one[3] / 2); }), "");
    }
  }
}

// What the other laws would be: numbers each by itself, a size of another shape, a scale that is a tenth off.
TEST(Box, IsToldFromItsNeighbours) {
  const auto all = drawn(2);
  EXPECT_NE(objection(
                all, [](double x) { return gamma_tail(5, x); }, greatest_size),
            "");
  EXPECT_NE(objection(
                all, [](double x) { return gamma_tail(3, x); }, greatest_size),
            "");
  EXPECT_NE(objection(
                all, [](double x) { return gamma_tail(4, x * 1.1); }, greatest_size),
            "");
  EXPECT_NE(objection(
                all, [](double x) { return std::exp(-x * 1.1); }, middle_size),
            "");
}

TEST(Box, SignsAreFairAndNumbersDependOnOneAnother) {
  const auto all = drawn(2);
  std::vector<std::size_t> first, second;
  for (const auto& one : all) {
    first.push_back(one[0] < 0 ? 0U : 1U);
    second.push_back(one[1] < 0 ? 0U : 1U);
  }
  const std::vector<double> fair = {0.5, 0.5};
  EXPECT_EQ(vernier::testing::dependence_objection(first, fair, second, fair), "");
  double squares = 0, products = 0;
  for (const auto& one : all) {
    squares += one[0] * one[0];
    products += one[0] * one[0] * one[1] * one[1];
  }
  EXPECT_NEAR(squares / draws, 10, 0.5);       // (n + 1)(n + 2) / 3
  EXPECT_GT(products / draws, 1.5 * 10 * 10);  // of independent ones it would be the square of that
}

TEST(Box, RefusesWhatItCannotDraw) {
  EXPECT_FALSE(BoxSampler::of(box_at(1), {}));
  EXPECT_FALSE(BoxSampler::of(box_at(1), {0}));
  EXPECT_FALSE(BoxSampler::of(box_at(1), std::vector<std::int64_t>(most_box_numbers + 1, 1)));
  EXPECT_FALSE(BoxSampler::of(box_at(1e12), {std::int64_t{1} << 30}));
}

}  // namespace
}  // namespace vernier::noise
