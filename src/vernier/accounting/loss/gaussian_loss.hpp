#pragma once

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/core/types.hpp"
#include "vernier/numeric/double_double.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// mu^2 of Gaussian noise, (sensitivity / scale)^2, or of a list of such releases, whose mu^2 add.
struct GaussianSquare {
  double value;           // finite, and not negative
  double relative_error;  // abs(value - exact) <= relative_error * value + 1e-280; at most 2^-20
};

// Adds up the mu^2 of a list, of at most 2^40 entries.
class GaussianSum {
 public:
  void add(Sigma scale, privacy::L2Sensitivity sensitivity, double times);
  GaussianSquare square() const;  // its value is infinite where the sum is above all doubles

 private:
  numeric::DoubleDouble sum_ = {0, 0};
};

// The loss of Gaussian noise, which is itself Gaussian, of mean mu^2 / 2 and variance mu^2. closed_forms.md has the
// proof of its errors.
class GaussianLoss {
 public:
  explicit GaussianLoss(const GaussianSquare& square) : square_(square) {}

  class Tilted {
   public:
    Tilted(const GaussianSquare& square, double theta);
    double centre() const { return centre_; }
    double spread() const;
    Frequency at(double t) const;
    double beyond(double t) const;

   private:
    GaussianSquare square_;
    double centre_;
    double centre_error_;
  };

  Cumulants cumulants(double theta) const;
  Tilted tilted(double theta) const { return {square_, theta}; }
  double greatest() const;

 private:
  GaussianSquare square_;
};

}  // namespace vernier::accounting
