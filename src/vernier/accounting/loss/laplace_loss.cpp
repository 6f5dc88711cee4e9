#include "vernier/accounting/loss/laplace_loss.hpp"

#include <cmath>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

namespace {

// kappa = 1/(2w), so that kappa(w) sinh(wc) = (c/2) sinh(wc)/(wc).
Interior interior_at(double c, double theta) {
  const double w = theta + 0.5;
  const double share = 0.5 / w;
  return {.share = share,
          .missing = theta / w,
          .share_slope = -share / w,
          .share_bend = 2 * share / w / w,
          .height = 0.5 * c,
          .bow = 1,
          .bow_rise = 0,
          .bow_slope = 0,
          .bow_bend = 0};
}

constexpr KappaUnits kappa_units = {.real = 2, .complex = 6, .per_t = 0};

}  // namespace

Cumulants LaplaceLoss::cumulants(double theta) const {
  return two_sided_cumulants(c_.head, theta, interior_at(c_.head, theta));
}

double LaplaceLoss::greatest() const { return numeric::add_up(c_.head, c_.rest); }

LaplaceLoss::Tilted::Tilted(const numeric::SplitQuotient& c, double theta)
    : theta_(theta), tilt_(c, theta, interior_at(c.head, theta), kappa_units) {}

Frequency LaplaceLoss::Tilted::at(double t) const {
  const double w = theta_ + 0.5;
  const double half = 0.5 / (w * w + t * t);
  return tilt_.at(t, {w * half, -t * half});
}

// abs(1 + kappa) = abs(z + 1) / abs(z + 1/2) falls with t, abs(1 - kappa) = abs(z) / abs(z + 1/2) is below 1.
double LaplaceLoss::Tilted::beyond(double t) const {
  return tilt_.at_most(std::hypot(theta_ + 1, t) / std::hypot(theta_ + 0.5, t), 1);
}

}  // namespace vernier::accounting
