#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <concepts>
#include <memory>
#include <utility>

#include "vernier/core/types.hpp"
#include "vernier/numeric/rounding.hpp"

// The privacy loss of one release, L = ln dP/dQ under P, for the pair (P, Q) that is hardest to tell apart, in one
// direction. Where P sees what Q never does the loss is infinite; that mass is kept beside the law (see LossPart), and
// the law here is that of the finite losses, of total mass 1. Losses of independent releases add, so all that a
// composition needs of a law is its transform E[e^(zL)]: docs/theory/accounting.md.
namespace vernier::accounting {

// K(theta) = ln E[e^(theta L)] for theta >= 0, with its first two derivatives: mean and variance of the tilted loss.
struct Cumulants {
  double value;
  double slope;
  double curvature;
  double error;  // abs(value - K) <= error; slope and curvature are guides, right to about 1e-6
};

// One value of a characteristic function: abs(value - exact) <= error.
struct Frequency {
  std::complex<double> value;
  double error;
};

// The law q = e^(theta L - K(theta)) P, seen through its characteristic function about a centre near its mean:
//     phi(t) = E_q[e^(it(L - centre))],  t >= 0
// A value type over any Law with the functions below; `cost` may be left out where it is 1. `at` may prepare itself for
// larger t as it goes, so it is quickest when t rises, and one object serves one thread.
class TiltedLoss {
 public:
  template <class Law>
  requires(!std::same_as<Law, TiltedLoss>) explicit TiltedLoss(Law law)
      : law_(std::make_unique<Held<Law>>(std::move(law))) {}

  double centre() const { return law_->centre(); }
  double spread() const { return law_->spread(); }  // at least E_q abs(L - centre), a Lipschitz constant of phi
  Frequency at(double t) { return law_->at(t); }
  double beyond(double t) const { return law_->beyond(t); }  // at least abs(phi(s)) for every s >= t; 1 always does
  double cost() const { return law_->cost(); }               // of the last `at`, in closed forms: some 50 ns each

 private:
  struct Any {
    virtual ~Any() = default;
    virtual double centre() const = 0;
    virtual double spread() const = 0;
    virtual Frequency at(double t) = 0;
    virtual double beyond(double t) const = 0;
    virtual double cost() const = 0;
  };
  template <class Law>
  struct Held final : Any {
    explicit Held(Law held) : law(std::move(held)) {}
    double centre() const override { return law.centre(); }
    double spread() const override { return law.spread(); }
    Frequency at(double t) override { return law.at(t); }
    double beyond(double t) const override { return law.beyond(t); }
    double cost() const override {
      if constexpr (requires { law.cost(); }) return law.cost();
      return 1;
    }
    Law law;
  };
  std::unique_ptr<Any> law_;
};

// The law of a finite loss. A value type over any Law with
//     Cumulants cumulants(double theta) const;     for 0 <= theta <= 1e12
//     <a law as TiltedLoss takes it> tilted(double theta) const;
//     double greatest() const;     the greatest loss there is, rounded up; infinite where there is none
class LossLaw {
 public:
  template <class Law>
  requires(!std::same_as<Law, LossLaw>) explicit LossLaw(Law law)
      : law_(std::make_shared<const Held<Law>>(std::move(law))) {}

  Cumulants cumulants(double theta) const { return law_->cumulants(theta); }
  TiltedLoss tilted(double theta) const { return law_->tilted(theta); }
  double greatest() const { return law_->greatest(); }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual Cumulants cumulants(double theta) const = 0;
    virtual TiltedLoss tilted(double theta) const = 0;
    virtual double greatest() const = 0;
  };
  template <class Law>
  struct Held final : Any {
    explicit Held(Law held) : law(std::move(held)) {}
    Cumulants cumulants(double theta) const override { return law.cumulants(theta); }
    TiltedLoss tilted(double theta) const override { return TiltedLoss(law.tilted(theta)); }
    double greatest() const override { return law.greatest(); }
    Law law;
  };
  std::shared_ptr<const Any> law_;
};

// What the closed forms share; closed_forms.md has the proofs.

// Added to errors for what underflows: k releases of it, k below 1e12, are still nothing.
inline constexpr double negligible = 1e-250;

// Variances are at least this, so that one may divide by them where the true one is below all doubles.
inline constexpr double least_variance = 1e-300;

// e^(i angle), within library_units * 2^-53.
inline std::complex<double> turn(double angle) { return {std::cos(angle), std::sin(angle)}; }

// a b, within 3 * 2^-53 of its size (Brent, Percival and Zimmermann 2007: sqrt(5)).
inline std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Where nothing is known, or nothing finite came out, 0 is within 1 of every characteristic function.
inline Frequency known(const std::complex<double>& value, double error) {
  return error < 1 ? Frequency{value, error} : Frequency{{0, 0}, 1};
}

// head + rest - centre with a relative error of at most 2 * 2^-53; head + rest is a number known to twice the digits.
inline double from_centre(double head, double rest, double centre) { return (head - centre) + rest; }

// Which of two neighbours P is: remove, the one that holds the unit more; add, the one without it. Each direction is
// composed by itself, and the larger answer counts; they are never mixed in one sum.
enum class Direction : std::uint8_t { remove, add };

// A number of independent releases of one loss law.
struct LossPart {
  LossLaw law;
  double times = 1;          // whole
  Bounds infinite = {0, 0};  // the chance of an infinite loss, in each of them
};

// The greatest loss of a sampled pair, rounded up, where the log ratios of the unsampled one lie in [-end, end], end >
// 0.
inline double greatest_sampled_loss(double rate, double end, Direction direction) {
  if (direction == Direction::remove) {
    return std::min(end, numeric::log1p_up(numeric::multiply_up(rate, numeric::expm1_up(end))));
  }
  return std::min(end, -numeric::log1p_down(numeric::multiply_down(rate, numeric::expm1_down(-end))));
}

}  // namespace vernier::accounting
