#include "vernier/accounting/loss/discrete_gaussian_loss.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/accounting/loss/loss_law.hpp"

namespace vernier::accounting {

using numeric::DoubleDouble;

namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double pi = std::numbers::pi;
constexpr double loss_error = 0x1p-100;

// SideSums over m = 1..3 of q^(m^2) times what is named, q = e^(-2 pi^2 scale^2) <= e^-4.9, part = f. What is left out
// is below e^-78.
struct ThetaSums {
  double at_zero = 1;  // 1 + 2 sum q^(m^2)
  double here = 1;     // 1 + 2 sum q^(m^2) cos(2 pi m f)
  double drop = 0;     // at_zero - here = 4 sum q^(m^2) sin^2(pi m f)
  double slope = 0;    // 4 pi sum m q^(m^2) sin(2 pi m f)
  double bend = 0;     // 8 pi^2 sum m^2 q^(m^2) cos(2 pi m f)
};
ThetaSums theta_sums(double scale, double part) {
  ThetaSums sums;
  for (double m = 1; m <= 3; ++m) {
    const double mass = std::exp(-2 * pi * pi * scale * scale * m * m);
    const double sine = std::sin(pi * m * part), cosine = std::cos(pi * m * part);
    sums.at_zero += 2 * mass;
    sums.here += 2 * mass * (1 - 2 * sine * sine);
    sums.drop += 4 * mass * sine * sine;
    sums.slope += 8 * pi * m * mass * sine * cosine;
    sums.bend += 8 * pi * pi * m * m * mass * (1 - 2 * sine * sine);
  }
  return sums;
}

// The weights e^(-j(j - 2f)/(2 scale^2)) of the atoms j = -5..5 about the nearest integer, for scales below 1/2; what
// is left out is below e^-59.
double weight_of(double j, const DoubleDouble& part, double scale) {
  const double distance = (j - 2 * part.hi) - 2 * part.lo;
  return std::exp(-j * distance / (2 * scale * scale));
}

// SideSums over the atoms j = -5..5.
struct AtomSums {
  double total = 0, mean = 0, square = 0;
};
AtomSums atom_sums(const DoubleDouble& part, double scale) {
  AtomSums sums;
  for (double j = -5; j <= 5; ++j) {
    const double weight = weight_of(j, part, scale);
    sums.total += weight;
    sums.mean += j * weight;
    sums.square += j * j * weight;
  }
  sums.mean /= sums.total;
  sums.square /= sums.total;
  return sums;
}

// ln of the weights' sum at part over that at 0, by positive terms: e^(-j(j - 2f)/(2 s^2)) (1 - e^(-jf/s^2))^2.
double log_weight_rise(const DoubleDouble& part, double scale) {
  const DoubleDouble f = part.hi < 0 ? DoubleDouble{-part.hi, -part.lo} : part;
  double rise = 0, total = 1;
  for (double j = 5; j >= 1; --j) {
    const double gap = std::expm1(-j * f.hi / (scale * scale));
    rise += weight_of(j, f, scale) * gap * gap;
    total += 2 * weight_of(j, {0, 0}, scale);
  }
  return std::log1p(rise / total);
}

struct SideSums {
  double total = 0, distance = 0;
};

// The sum over j = 1..20 of abs(j - mean) times the weight of j, and of the weights; each weight from the one before.
SideSums sums_to_one_side(double scale, double part, double mean) {
  const double fall = std::exp(-1 / (scale * scale));
  double ratio = std::exp((part - 0.5) / (scale * scale)), weight = 1;
  SideSums sums;
  for (double j = 1; j <= 20; ++j, ratio *= fall) {
    weight *= ratio;
    sums.total += weight;
    sums.distance += weight * std::abs(j - mean);
  }
  return sums;
}

// E abs(X - E X) of the tilted noise, for scales from 1/2 on. Up to 2 it is summed; from there on it is that of a
// Gaussian, sqrt(2/pi) scale, but for 0.34 / scale^2 of it.
double distance_from_mean(double scale, double part) {
  if (scale >= 2) return 0.797885 * scale * (1 + 0.34 / (scale * scale));
  const ThetaSums theta = theta_sums(scale, part);
  const double mean = part - scale * scale * theta.slope / theta.here;
  const SideSums above = sums_to_one_side(scale, part, mean), below = sums_to_one_side(scale, -part, -mean);
  return (above.distance + std::abs(mean) + below.distance) / (above.total + 1 + below.total);
}

}  // namespace

LatticePlace DiscreteGaussianLoss::place_of(double theta) const {
  const DoubleDouble product = numeric::two_product(theta, sensitivity_);
  const double first = std::nearbyint(product.hi), second = std::nearbyint(product.lo);
  const DoubleDouble rest = numeric::two_sum(product.hi - first, product.lo - second);
  const double third = std::nearbyint(rest.hi);
  return {numeric::two_sum(first, second + third), numeric::two_sum(rest.hi - third, rest.lo)};
}

DoubleDouble DiscreteGaussianLoss::loss_at(const DoubleDouble& x) const {
  const DoubleDouble square = numeric::two_product(scale_, scale_);
  const DoubleDouble doubled = numeric::product(numeric::sum({2 * x.hi, 2 * x.lo}, sensitivity_), sensitivity_);
  return numeric::quotient(doubled, {2 * square.hi, 2 * square.lo});
}

Cumulants DiscreteGaussianLoss::cumulants(double theta) const {
  return by_frequencies() ? cumulants_by_frequencies(theta) : cumulants_by_atoms(theta);
}

double DiscreteGaussianLoss::greatest() const { return std::numeric_limits<double>::infinity(); }

// K = mu^2 (theta + theta^2) / 2 + ln(Theta(theta D) / Theta(0)).
Cumulants DiscreteGaussianLoss::cumulants_by_frequencies(double theta) const {
  const double mu = sensitivity_ / scale_;
  const ThetaSums sums = theta_sums(scale_, place_of(theta).part.hi);
  const double value = 0.5 * mu * mu * (theta * (1 + theta)) + std::log1p(-sums.drop / sums.at_zero);
  const double drift = sums.slope / sums.here;
  const double variance = mu * mu - sensitivity_ * sensitivity_ * (sums.bend / sums.here + drift * drift);
  return {value, mu * mu * (theta + 0.5) - sensitivity_ * drift, variance, 24 * u * value + negligible};
}

// K = mu^2 theta / 2 + n (2 theta D - n) / (2 s^2) + ln of the weights' sums, n the integer nearest to theta D.
Cumulants DiscreteGaussianLoss::cumulants_by_atoms(double theta) const {
  const LatticePlace place = place_of(theta);
  const double mu = sensitivity_ / scale_, n = place.whole.hi;
  const double half = 0.5 * n * (n + 2 * place.part.hi) / (scale_ * scale_);
  const double value = 0.5 * mu * mu * theta + half + log_weight_rise(place.part, scale_);
  const AtomSums atoms = atom_sums(place.part, scale_);
  const double step = mu / scale_;
  const double variance = step * step * (atoms.square - atoms.mean * atoms.mean);
  return {value, 0.5 * mu * mu + step * (n + atoms.mean), std::max(variance, least_variance),
          40 * u * value + negligible};
}

DiscreteGaussianLoss::Tilted::Tilted(const DiscreteGaussianLoss& loss, double theta)
    : by_frequencies_(loss.by_frequencies()),
      place_(loss.place_of(theta)),
      step_(loss.sensitivity_ / (loss.scale_ * loss.scale_)),
      width_(2 * pi * loss.scale_) {
  if (by_frequencies_) {
    prepare_frequencies(loss, theta);
  } else {
    prepare_atoms(loss);
  }
}

void DiscreteGaussianLoss::Tilted::prepare_frequencies(const DiscreteGaussianLoss& loss, double theta) {
  const Cumulants cumulants = loss.cumulants_by_frequencies(theta);
  const DoubleDouble base = loss.loss_at(numeric::two_product(theta, loss.sensitivity_));
  centre_ = cumulants.slope;
  offset_ = from_centre(base.hi, base.lo, centre_);
  offset_error_ = base.hi * loss_error;
  spread_ = step_ * distance_from_mean(loss.scale_, place_.part.hi) * (1 + 1e-9) + 32 * u * centre_;
  inverse_total_ = 1 / theta_sums(loss.scale_, place_.part.hi).here;
  terms_ = loss.scale_ < 1 ? 3 : 1;
  for (int j = -terms_; j <= terms_; ++j) phases_[j + terms_] = turn(-2 * pi * j * place_.part.hi);
}

void DiscreteGaussianLoss::Tilted::prepare_atoms(const DiscreteGaussianLoss& loss) {
  const AtomSums atoms = atom_sums(place_.part, loss.scale_);
  const DoubleDouble base = loss.loss_at(place_.whole);
  centre_ = base.hi + step_ * atoms.mean;
  offset_ = from_centre(base.hi, base.lo, centre_);
  offset_error_ = base.hi * loss_error;
  above_[0] = 1 / atoms.total;
  spread_ = above_[0] * std::abs(offset_);
  for (int j = 1; j <= most; ++j) {
    above_[j] = weight_of(j, place_.part, loss.scale_) / atoms.total;
    below_[j] = weight_of(-j, place_.part, loss.scale_) / atoms.total;
    mean_index_ += j * (above_[j] + below_[j]);
    spread_ += above_[j] * std::abs(offset_ + j * step_) + below_[j] * std::abs(offset_ - j * step_);
    if (above_[j] + below_[j] > 0x1p-64) terms_ = j;
  }
  spread_ = spread_ * (1 + 1e-9) + 1e-20 * step_ + 2 * offset_error_;
}

// e^(i t offset) times the sum over j of e^(-Y^2/2) e^(-2 pi i (m + j) part), Y = 2 pi scale (tau - m - j), where
// tau = t D / (2 pi scale^2) and m is the integer nearest to it.
Frequency DiscreteGaussianLoss::Tilted::sum_of_frequencies(double t) const {
  const double tau = t * step_ * (0.5 / pi);
  const double blur = 8 * u * width_ * tau;  // of Y, from the rounding of tau
  if (!(blur < 0x1p-10)) return {{0, 0}, 1};
  const double m = std::nearbyint(tau);
  std::complex<double> sum = 0;
  double units = 0, blurred = 0, size = 0;
  for (int j = -terms_; j <= terms_; ++j) {
    const double y = width_ * ((tau - m) - j);
    if (y * y > 90) continue;
    const double term = std::exp(-0.5 * y * y);
    sum += term * phases_[j + terms_];
    size += term;
    units += term * (48 + 6 * y * y);
    blurred += term * (std::abs(y) + blur);
  }
  const DoubleDouble cycles = numeric::two_product(m, place_.part.hi);
  const double cycle = (cycles.hi - std::nearbyint(cycles.hi)) + (cycles.lo + m * place_.part.lo);
  const std::complex<double> base = turn(t * offset_ - 2 * pi * cycle);
  const double angle_error = t * (4 * u * std::abs(offset_) + offset_error_);
  const double error = u * units + 1.1 * blur * blurred + 1.1 * angle_error * size + 0x1p-62;
  return known(times(base, sum) * inverse_total_, error);
}

// e^(i t offset) times the sum over j of mass(j) z^j, z = e^(i t step).
Frequency DiscreteGaussianLoss::Tilted::sum_of_atoms(double t) const {
  const std::complex<double> z = turn(t * step_), back = std::conj(z);
  std::complex<double> up = 0, down = 0;
  for (int j = terms_; j >= 1; --j) {
    up = times(up + above_[j], z);
    down = times(down + below_[j], back);
  }
  const std::complex<double> sum = above_[0] + (up + down);
  const double reach = std::abs(offset_) + mean_index_ * step_;
  const double error = u * (40 + 12 * mean_index_ + 5 * t * reach) + t * offset_error_;
  return known(times(turn(t * offset_), sum), error);
}

}  // namespace vernier::accounting
