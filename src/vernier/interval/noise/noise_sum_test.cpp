#include "vernier/interval/noise/noise_sum.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

noise::Geometric geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

// The law of a sum by convolution, from -reach to reach.
template <class Law>
std::vector<double> convolved(const Law& law, int count, int reach) {
  std::vector<double> one, sum(static_cast<std::size_t>(2 * reach + 1), 0.0);
  for (int x = -reach; x <= reach; ++x) one.push_back(law.mass(x).upper);
  sum[static_cast<std::size_t>(reach)] = 1;
  for (int i = 0; i < count; ++i) {
    std::vector<double> next(sum.size(), 0.0);
    for (int x = -reach; x <= reach; ++x) {
      for (int y = std::max(-reach, x - reach); y <= std::min(reach, x + reach); ++y) {
        next[static_cast<std::size_t>(x + reach)] +=
            sum[static_cast<std::size_t>(y + reach)] * one[static_cast<std::size_t>(x - y + reach)];
      }
    }
    sum = next;
  }
  return sum;
}

double tail_of(const std::vector<double>& masses, int t) {
  const int reach = static_cast<int>(masses.size() / 2);
  double sum = 0;
  for (int x = reach; x >= t; --x) sum += masses[static_cast<std::size_t>(x + reach)];
  return sum;
}

TEST(NoiseSum, OfGeometricDrawsHasTheTailOfTheConvolution) {
  for (const double scale : {0.3, 1.0, 4.0}) {
    for (const int count : {1, 2, 5, 12}) {
      const noise::Geometric law = geometric(scale);
      const std::vector<double> exact = convolved(law, count, 400);
      const GeometricSum sum(law, count);
      for (const int t : {1, 2, 7, 20, 60}) {
        if (tail_of(exact, t) < 1e-50) continue;  // what is left beyond counts there
        EXPECT_NEAR(sum.tail(t) / tail_of(exact, t), 1, 1e-7) << scale << " " << count << " " << t;
      }
    }
  }
}

TEST(NoiseSum, OfDiscreteGaussianDrawsIsNeverBelowTheConvolution) {
  for (const double scale : {0.7, 2.0, 9.0}) {
    for (const int count : {1, 2, 5, 12}) {
      const noise::DiscreteGaussian law = gaussian(scale);
      const std::vector<double> exact = convolved(law, count, 400);
      const DiscreteGaussianSum sum(law, count);
      for (const int t : {1, 2, 7, 20, 60}) {
        EXPECT_GE(sum.tail(t), tail_of(exact, t) * (1 - 1e-9)) << scale << " " << count << " " << t;
      }
    }
  }
}

TEST(NoiseSum, ByTheRealsIsNeverBelowTheLatticeAndComesNearIt) {
  const GeometricSum lattice(geometric(200), 30), reals(geometric(std::nextafter(200.0, 201.0)), 30);
  for (const int t : {200, 1000, 3000, 8000}) {
    EXPECT_GE(reals.tail(t) * (1 + 1e-8), lattice.tail(t)) << t;
    EXPECT_LE(reals.tail(t), lattice.tail(t) * 1.25) << t;
  }
}

TEST(NoiseSum, OfOneGeometricDrawReachesAsItsLawSays) {
  for (const double scale : {1.0, 10.0, 150.0}) {
    const noise::Geometric law = geometric(scale);
    const std::int64_t t = sum_reach(law, 1, *Probability::of(1e-4));
    EXPECT_LE(law.tail(t - 1).upper, 1e-4);
    EXPECT_GT(law.tail(t - 2).lower, 1e-4);
  }
}

TEST(NoiseSum, ReachesTheLeastPlaceThatIsCertain) {
  for (const int count : {3, 50, 128, 200}) {
    const noise::Geometric law = geometric(10);
    const std::int64_t t = sum_reach(law, count, *Probability::of(1e-5));
    EXPECT_LE(GeometricSum(law, count).tail(t), 1e-5);
    EXPECT_GT(GeometricSum(law, count).tail(t - 1), 1e-5);
    EXPECT_NEAR(static_cast<double>(t) / (10 * std::sqrt(2.0 * count)), 5, 1) << count;
  }
}

TEST(NoiseSum, OfNoDrawsReachesNothing) {
  EXPECT_EQ(sum_reach(geometric(10), 0, *Probability::of(1e-9)), 1);
  EXPECT_EQ(sum_reach(gaussian(10), 0, *Probability::of(1e-9)), 1);
}

TEST(NoiseSum, KeepsItsHeadAtExtremeScales) {
  for (const double scale : {1e-3, 0.1, 199.0, 1e4, 1e12}) {
    for (const int count : {1, 64, 128}) {
      const std::int64_t t = sum_reach(geometric(scale), count, *Probability::of(1e-12));
      EXPECT_GE(t, 1);
      EXPECT_LE(static_cast<double>(t), 1 + count + scale * (30 + 20 * std::sqrt(count)));
      EXPECT_GE(sum_reach(gaussian(scale), count, *Probability::of(1e-12)), 1);
    }
  }
}

}  // namespace
}  // namespace vernier::interval
