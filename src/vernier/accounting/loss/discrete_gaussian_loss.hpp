#pragma once

#include <array>
#include <complex>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/numeric/double_double.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// theta D = whole + part, exactly: the mean of the tilted noise, and where it lies between two integers.
struct LatticePlace {
  numeric::DoubleDouble whole;
  numeric::DoubleDouble part;  // between -1/2 and 1/2
};

// The loss of discrete Gaussian noise on an integer statistic of sensitivity D: (D^2 + 2 D x) / (2 scale^2) where x is
// the noise. For scales from 1/2 on the transform is summed over frequencies, by Poisson's formula, else over the few
// integers that matter; its time depends neither on scale nor on D. closed_forms.md has the proof of its errors.
class DiscreteGaussianLoss {
 public:
  DiscreteGaussianLoss(const noise::DiscreteGaussian& law, privacy::IntegerSensitivity sensitivity)
      : scale_(law.scale()), sensitivity_(static_cast<double>(sensitivity.value())) {}

  class Tilted {
   public:
    Tilted(const DiscreteGaussianLoss& loss, double theta);
    double centre() const { return centre_; }
    double spread() const { return spread_; }
    Frequency at(double t) const { return by_frequencies_ ? sum_of_frequencies(t) : sum_of_atoms(t); }
    double beyond(double) const { return 1; }  // a lattice law: phi comes back to 1

   private:
    static constexpr int most = 5;
    void prepare_frequencies(const DiscreteGaussianLoss& loss, double theta);
    void prepare_atoms(const DiscreteGaussianLoss& loss);
    Frequency sum_of_frequencies(double t) const;
    Frequency sum_of_atoms(double t) const;

    bool by_frequencies_;
    LatticePlace place_;
    double centre_ = 0, spread_ = 0;
    double offset_ = 0, offset_error_ = 0;  // of the base from the centre
    double step_;                           // of the lattice of losses: D / scale^2
    double mean_index_ = 0;                 // E abs(j), over atoms
    double width_;                          // 2 pi scale
    double inverse_total_ = 1;
    int terms_ = 0;                                            // on either side
    std::array<double, most + 1> above_{}, below_{};           // masses of the atoms j and -j
    std::array<std::complex<double>, 2 * most + 1> phases_{};  // e^(-2 pi i j part), from j = -terms_ on
  };

  Cumulants cumulants(double theta) const;
  Tilted tilted(double theta) const { return {*this, theta}; }
  double greatest() const;

 private:
  bool by_frequencies() const { return scale_ >= 0.5; }
  LatticePlace place_of(double theta) const;
  numeric::DoubleDouble loss_at(const numeric::DoubleDouble& x) const;  // within 2^-100 relatively
  Cumulants cumulants_by_frequencies(double theta) const;
  Cumulants cumulants_by_atoms(double theta) const;

  double scale_;
  double sensitivity_;
};

}  // namespace vernier::accounting
