#include "vernier/accounting/fourier/frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/numeric/double_double.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::fourier {
namespace {

using Complex = std::complex<double>;
using numeric::unit_roundoff;

// ln of a number of size at most about 1, within 2 units plus 2 units of its size; quicker than the C library.
Complex log_of(const Complex& z) { return {std::log(std::norm(z)) / 2, std::atan2(z.imag(), z.real())}; }

constexpr double term_cost = 8;  // of a term that is kept, in values of phi
constexpr int most_doublings = 1000;

// ln of a product of factors up to 1, with few logarithms.
class LogProduct {
 public:
  void multiply(double factor, double times) {
    if (times != 1) {
      log_ += times * std::log(factor);
    } else {
      product_ *= factor;
      if (product_ < 1e-200) fold();
    }
  }
  double value() {
    fold();
    return log_;
  }

 private:
  void fold() {
    log_ += std::log(product_);
    product_ = 1;
  }
  double log_ = 0;
  double product_ = 1;
};

// One part of the composition under the tilt, with its last value of phi.
struct Factor {
  TiltedLoss law;
  double times;
  double spread;
  Frequency phi{};
  double size = 0;  // at least abs(phi)
};

// psi(t), the product of all phi^times: abs(value - psi) <= error.
struct Product {
  Complex value;
  double error;
};

class Walk {
 public:
  Walk(std::span<const LossPart> parts, double theta, double log_tolerance) : log_tolerance_(log_tolerance) {
    for (const LossPart& part : parts) {
      TiltedLoss law = part.law.tilted(theta);
      add_to_centre(part.times, law.centre());
      const double spread = law.spread();
      factors_.push_back({std::move(law), part.times, spread});
    }
    // Those that kill first, first.
    std::sort(factors_.begin(), factors_.end(), [](const Factor& a, const Factor& b) {
      return a.times * a.spread * a.spread > b.times * b.spread * b.spread;
    });
  }

  const numeric::DoubleDouble& centre() const { return centre_; }
  double centre_error() const { return centre_error_; }
  double work() const { return work_; }

  // Evaluates phi at t, factor by factor, until the product is certainly below the tolerance.
  bool is_alive(double t) {
    LogProduct bound;
    used_ = 0;
    for (Factor& factor : factors_) {
      factor.phi = factor.law.at(t);
      factor.phi.error += 2 * unit_roundoff * t * factor.spread;  // t itself is a rounded multiple of the step
      factor.size = std::min(1.0, size_of(factor.phi.value) * (1 + 4 * unit_roundoff) + factor.phi.error);
      bound.multiply(factor.size, factor.times);
      ++used_;
      work_ += factor.law.cost();
      if ((used_ & 15) == 0 || factor.times != 1 || used_ == factors_.size()) {
        if (bound.value() < log_tolerance_) break;
      }
    }
    log_bound_ = bound.value();
    return !(log_bound_ < log_tolerance_);
  }

  // Of the frequency that was last seen alive. Where some phi is not known to its own size, psi is only known to its
  // bound.
  Product product() {
    work_ += term_cost;
    Complex plain = 1, logarithm = 0;
    double log_error = 16 * unit_roundoff;
    for (const Factor& factor : factors_) {
      const double relative = factor.phi.error / size_of(factor.phi.value) * (1 + 8 * unit_roundoff);
      if (!(relative < 0.5)) return {0, std::exp(log_bound_) * (1 + 1e-9)};
      log_error -= factor.times * std::log1p(-relative);
      if (factor.times == 1) {
        plain *= factor.phi.value;
        log_error += 4 * unit_roundoff;
      } else {
        const Complex log_phi = log_of(factor.phi.value);
        logarithm += factor.times * log_phi;
        log_error += factor.times * 4 * unit_roundoff * (1 + size_of(log_phi));
      }
    }
    log_error += (16 + static_cast<double>(factors_.size())) * unit_roundoff * size_of(logarithm);
    const Complex value = plain * std::exp(logarithm);
    return {value, size_of(value) * std::expm1(log_error) * (1 + 1e-9)};
  }

  // How far beyond the frequency that was last seen dead the product certainly stays below the tolerance.
  double dead_distance() const {
    if (used_ == 1) return dead_distance_of(factors_.front());
    double low = 0, width = first_guess();
    if (!(width > 0)) return 0;  // some spread is not known
    for (int doubling = 0; doubling < most_doublings && stays_dead(low + width); ++doubling) low += width, width *= 2;
    for (int halving = 0; halving < 3; ++halving) {
      width /= 2;
      if (stays_dead(low + width)) low += width;
    }
    return low;
  }

  // Whether the product certainly stays below the tolerance for ever after t.
  bool is_over(double t) const {
    LogProduct bound;
    for (const Factor& factor : factors_) bound.multiply(std::min(1.0, factor.law.beyond(t)), factor.times);
    return bound.value() < log_tolerance_;
  }

 private:
  void add_to_centre(double times, double centre) {
    const numeric::DoubleDouble term = numeric::two_product(times, centre);
    const numeric::DoubleDouble high = numeric::two_sum(centre_.hi, term.hi);
    centre_ = numeric::quick_two_sum(high.hi, high.lo + centre_.lo + term.lo);
    centre_error_ += 4 * unit_roundoff * unit_roundoff * (std::fabs(centre_.hi) + std::fabs(term.hi));
  }

  // (size + spread distance)^times = tolerance, a little less.
  double dead_distance_of(const Factor& factor) const {
    const double allowed = std::exp(log_tolerance_ / factor.times) * (1 - 1e-12);
    return std::max(0.0, (allowed - factor.size) / factor.spread * (1 - 1e-12));
  }

  bool stays_dead(double distance) const {
    LogProduct bound;
    for (std::size_t i = 0; i < used_; ++i) {
      const Factor& factor = factors_[i];
      bound.multiply(std::min(1.0, (factor.size + factor.spread * distance) * (1 + 1e-12)), factor.times);
    }
    return bound.value() < log_tolerance_;
  }

  double first_guess() const {
    double greatest = 0;
    for (std::size_t i = 0; i < used_; ++i) greatest = std::max(greatest, factors_[i].spread);
    return 0.01 / greatest;
  }

  std::vector<Factor> factors_;
  double log_tolerance_;
  numeric::DoubleDouble centre_{0, 0};
  double centre_error_ = 0;
  std::size_t used_ = 0;
  double log_bound_ = 0;
  double work_ = 0;
};

void append(Coefficients& coefficients, const Complex& value) {
  coefficients.cosines.push_back(value.real());
  coefficients.sines.push_back(value.imag());
}

void keep(Terms& terms, double t, const Product& psi, const Sandwich& sandwich) {
  const Sandwich::Values kernel = sandwich.at(t);
  const double weight = t == 0 ? 1 : 2;
  const double size = weight * (size_of(psi.value) + psi.error) * kernel.size;
  terms.frequencies.push_back(t);
  append(terms.above, weight * (psi.value * kernel.above));
  append(terms.below, weight * (psi.value * kernel.below));
  terms.size += size;
  terms.moment += size * t;
  terms.error += weight * psi.error * kernel.size + (kernel.error + 8 * unit_roundoff) * size;
}

// The frequency from which on the kernels alone are small enough, whatever psi is.
double last_frequency(const Sandwich& sandwich, double tolerance) {
  double t = 4 / sandwich.eta();
  for (int step = 0; step < most_doublings && sandwich.bound_beyond(t) > tolerance; ++step) t *= 1.1;
  return sandwich.bound_beyond(t) > tolerance ? std::numeric_limits<double>::infinity() : t;
}

}  // namespace

// Of the tolerance, a half goes to the terms that are skipped because psi is dead there, and a half to the kernels'
// tail. A sum over steps is at most its first term and the integral, since the bounds fall.
tl::expected<Terms, TooMuchWork> significant_terms(std::span<const LossPart> parts, double theta,
                                                   const Sandwich& sandwich, double step, double tolerance,
                                                   double most_work) {
  const double budget = tolerance * std::numbers::pi / 2;
  const double all_kernels = sandwich.bound_beyond(0) + step * sandwich.bound(0);
  const double log_tolerance = std::log(std::min(budget / all_kernels, 0.5));
  const double last = last_frequency(sandwich, budget);
  Walk walk(parts, theta, log_tolerance);
  Terms terms;
  terms.left_out = tolerance;
  terms.centre = walk.centre();
  terms.centre_error = walk.centre_error();
  double next_look_ahead = 0;
  for (double index = 0; index * step <= last + step;) {
    const double t = index * step;
    if (walk.work() > most_work) return tl::unexpected(TooMuchWork{t / last});
    if (walk.is_alive(t)) {
      keep(terms, t, walk.product(), sandwich);
      index += 1;
      continue;
    }
    if (t >= next_look_ahead) {
      if (walk.is_over(t)) break;
      next_look_ahead = 1.25 * t;
    }
    index += 1 + std::floor(walk.dead_distance() / step * (1 - 1e-12));
  }
  terms.work = walk.work();
  return terms;
}

}  // namespace vernier::accounting::fourier
