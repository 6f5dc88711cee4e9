#pragma once

#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/combined_noise.hpp"

// How far a sum of bounded variables, of which only a bound on the variance is known, and noise together reach to one
// side: Bentkus 2004, in the Poisson form that needs no number of summands. population/mean.md has the proof.
namespace vernier::interval {

// The law of a variable Y that a sum of independent, centred summands is stochastically below: P[sum >= x] <= P[Y >= x]
// for all x. Y has finitely many values; what is left is at infinity.
class BentkusLaw {
 public:
  struct Atom {
    double place;  // in units of the greatest summand
    double mass;
  };
  // `ratio` is the sum's variance over the square of its greatest summand. What is below `least` of a tail is not
  // resolved.
  static BentkusLaw of(double ratio, double least);
  double ratio() const { return ratio_; }
  double at_infinity() const { return at_infinity_; }
  const std::vector<Atom>& atoms() const { return atoms_; }  // by ascending place

 private:
  double ratio_ = 0, at_infinity_ = 1;
  std::vector<Atom> atoms_;
};

template <class Law>
class BoundedSumAndNoise {
 public:
  // For sums with a variance of at least `least_ratio` times the square of their greatest summand.
  static BoundedSumAndNoise of(const Law& law, Probability rare, double least_ratio);

  struct Sum {
    double variance;  // at most
    double step;      // no summand exceeds this
  };
  // Whether P[sum + c . X >= t] <= rare is certain for every c whose sizes lie between the two.
  bool rarely_reaches(const Sum& sum, const Coefficients& least_sizes, const Coefficients& greatest_sizes,
                      double t) const;
  double reach(const Sum& sum, const Coefficients& sizes) const;

 private:
  BoundedSumAndNoise(const Law& law, double rare) : law_(law), rare_(rare) {}
  const BentkusLaw& law_for(double ratio) const;
  Law law_;
  double rare_;
  std::vector<BentkusLaw> laws_;  // by ascending ratio
};

extern template class BoundedSumAndNoise<noise::Geometric>;
extern template class BoundedSumAndNoise<noise::DiscreteGaussian>;

}  // namespace vernier::interval
