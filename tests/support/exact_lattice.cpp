#include "support/exact_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <arb_poly.h>

#include "support/two_values.hpp"

namespace vernier::test {
namespace {

using numeric::Ball;
using numeric::Precision;
using Kind = LatticeRelease::Kind;

class Polynomial {
 public:
  Polynomial(std::span<const Ball> coefficients) {
    arb_poly_init(value_);
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      arb_poly_set_coeff_arb(value_, static_cast<long>(i), coefficients[i].raw());
    }
  }
  ~Polynomial() { arb_poly_clear(value_); }
  Polynomial(const Polynomial&) = delete;
  Polynomial& operator=(const Polynomial&) = delete;

  void raise(unsigned long power, Precision precision) { arb_poly_pow_ui(value_, value_, power, precision.bits); }
  void multiply(const Polynomial& other, Precision precision) {
    arb_poly_mul(value_, value_, other.value_, precision.bits);
  }
  std::vector<Ball> coefficients(Precision precision) const {
    std::vector<Ball> result;
    for (long i = 0; i < arb_poly_length(value_); ++i) {
      result.push_back(Ball::from_raw(arb_poly_get_coeff_ptr(const_cast<arb_poly_struct*>(value_), i), precision));
    }
    return result;
  }

 private:
  arb_poly_t value_;
};

// Losses first + i step with masses[i].
struct Law {
  Ball first;
  Ball step;
  std::vector<Ball> masses;
};

Ball ball(double x, Precision precision) { return Ball::of(x, precision); }

// A whole law that is at least 0 and at most `most`.
Ball up_to(const Ball& most) {
  const Ball half = times_power_of_two(most, -1);
  return widened(half, half);
}

// Noise x under P, whose ratio to Q is e^((abs(x - D) - abs(x)) / scale): from -D to D in steps of 2, for x from D
// down.
Law geometric(double scale, long sensitivity, Precision precision) {
  const Ball a = ball(1, precision) / ball(scale, precision), d = ball(static_cast<double>(sensitivity), precision);
  const Ball tail = ball(1, precision) / (ball(1, precision) + exp(-a));  // P[X <= 0]
  Law law{-d * a, a + a, {}};
  for (long x = sensitivity; x >= 0; --x) {
    const Ball below = exp(-ball(static_cast<double>(x), precision) * a);
    const bool is_end = x == 0 || x == sensitivity;
    law.masses.push_back(is_end ? tail * below : tail * below * -expm1(-a));
  }
  return law;
}

// Noise x from -m to m, loss (D^2 + 2 D x) / (2 s^2); beyond m there is at most the integral of the weights.
Law discrete_gaussian(double scale, long sensitivity, double least, Precision precision) {
  const Ball s = ball(scale, precision), d = ball(static_cast<double>(sensitivity), precision);
  const Ball step = d / (s * s);
  const long m = static_cast<long>(std::ceil(scale * std::sqrt(-2 * std::log(least)))) + 1;
  std::vector<Ball> weights;
  const Ball beyond = s * sqrt(times_power_of_two(Ball::pi(precision), -1)) *
                      erfc(ball(static_cast<double>(m), precision) / (s * sqrt(ball(2, precision))));
  Ball total = up_to(beyond + beyond);
  for (long x = -m; x <= m; ++x) {
    const Ball ratio = ball(static_cast<double>(x), precision) / s;
    weights.push_back(exp(-times_power_of_two(ratio * ratio, -1)));
    total = total + weights.back();
  }
  for (Ball& weight : weights) weight = weight / total;
  return {times_power_of_two(step * d, -1) - ball(static_cast<double>(m), precision) * step, step, std::move(weights)};
}

Law response(const Response& response, Side side, Precision precision) {
  const TwoValues law = two_values(response, side, precision);
  return {law.low, law.high - law.low, {ball(1, precision) - law.chance, law.chance}};
}

Law law_of(const LatticeRelease& release, double least, Side side, Precision precision) {
  if (release.kind == Kind::geometric) return geometric(release.scale, release.sensitivity, precision);
  if (release.kind == Kind::response) return response(release.response, side, precision);
  return discrete_gaussian(release.scale, release.sensitivity, least, precision);
}

bool share_a_lattice(const LatticeRelease& a, const LatticeRelease& b) {
  if (a.kind != b.kind || a.scale != b.scale || a.kind == Kind::response) return false;
  return a.kind == Kind::geometric || a.sensitivity == b.sensitivity;
}

// The laws of all releases, one per lattice.
std::vector<Law> laws_of(std::span<const LatticeRelease> releases, double least, Side side, Precision precision) {
  std::vector<Law> laws;
  std::vector<LatticeRelease> lattices;
  for (const LatticeRelease& release : releases) {
    Law law = law_of(release, least, side, precision);
    Polynomial power(law.masses);
    power.raise(static_cast<unsigned long>(release.times), precision);
    law.first = law.first * ball(static_cast<double>(release.times), precision);
    const auto same = std::find_if(lattices.begin(), lattices.end(),
                                   [&](const LatticeRelease& other) { return share_a_lattice(other, release); });
    if (same == lattices.end()) {
      law.masses = power.coefficients(precision);
      laws.push_back(std::move(law));
      lattices.push_back(release);
      continue;
    }
    Law& merged = laws[static_cast<std::size_t>(same - lattices.begin())];
    power.multiply(Polynomial(merged.masses), precision);
    merged = {merged.first + law.first, merged.step, power.coefficients(precision)};
  }
  return laws;
}

// One sum of losses of all lattices but the longest.
struct Shift {
  Ball loss;
  Ball mass;
  Ball scaled;  // mass e^-loss
};

std::vector<Shift> shifts_of(std::span<const Law> laws, Precision precision) {
  std::vector<Shift> shifts{{ball(0, precision), ball(1, precision), ball(1, precision)}};
  for (const Law& law : laws) {
    std::vector<Shift> next;
    for (std::size_t i = 0; i < law.masses.size(); ++i) {
      const Ball loss = law.first + ball(static_cast<double>(i), precision) * law.step;
      const Ball scaled = law.masses[i] * exp(-loss);
      for (const Shift& shift : shifts)
        next.push_back({shift.loss + loss, shift.mass * law.masses[i], shift.scaled * scaled});
    }
    shifts = std::move(next);
  }
  return shifts;
}

// The longest lattice from each index on: its mass, and its mass times e^-loss.
class Tails {
 public:
  explicit Tails(const Law& law) : first_(law.first), step_(law.step) {
    const Precision precision = first_.precision();
    Ball whole = ball(0, precision), scaled = whole;
    whole_.assign(law.masses.size() + 1, whole);
    scaled_ = whole_;
    const Ball shrink = exp(-step_);
    Ball weight = exp(-first_ - ball(static_cast<double>(law.masses.size() - 1), precision) * step_);
    const Ball grow = ball(1, precision) / shrink;
    for (std::size_t i = law.masses.size(); i-- > 0; weight = weight * grow) {
      whole_[i] = whole = whole + law.masses[i];
      scaled_[i] = scaled = scaled + law.masses[i] * weight;
    }
  }

  // delta of `shift` and this lattice; `x` is e^epsilon.
  Ball hinge(const Shift& shift, const Ball& epsilon, const Ball& x) const {
    const std::size_t from = index_above(epsilon - shift.loss);
    return shift.mass * whole_[from] - x * shift.scaled * scaled_[from];
  }

 private:
  // A value that cannot be told from the threshold is taken in: what it adds is 0 within the ball.
  std::size_t index_above(const Ball& threshold) const {
    const Ball at = (threshold - first_) / step_;
    const Bounds where = at.bounds();
    const double last = static_cast<double>(whole_.size() - 1);
    if (where.upper < 0) return 0;
    if (where.lower >= last) return whole_.size() - 1;
    return static_cast<std::size_t>(std::clamp<double>(static_cast<double>(at.floor_down()) + 1, 0, last));
  }

  Ball first_, step_;
  std::vector<Ball> whole_, scaled_;
};

Ball failure_of(std::span<const LatticeRelease> releases, Precision precision) {
  Ball success = ball(1, precision);
  for (const LatticeRelease& release : releases) {
    success = success - success * any_failure(release.response.failure, release.times, precision);
  }
  return ball(1, precision) - success;
}

double total_times(std::span<const LatticeRelease> releases) {
  double total = 0;
  for (const LatticeRelease& release : releases) total += static_cast<double>(release.times);
  return total;
}

BallCurve curve_of(std::span<const LatticeRelease> releases, double least, Side side, Precision precision) {
  const double each = least / total_times(releases);
  std::vector<Law> laws = laws_of(releases, 1e-3 * each, side, precision);
  const auto by_length = [](const Law& a, const Law& b) { return a.masses.size() < b.masses.size(); };
  std::sort(laws.begin(), laws.end(), by_length);
  const bool is_cut = std::any_of(releases.begin(), releases.end(),
                                  [](const LatticeRelease& one) { return one.kind == Kind::discrete_gaussian; });
  const Ball cut = up_to(ball(is_cut ? least : 0, precision)), failure = failure_of(releases, precision);
  return [=, tails = Tails(laws.back()),
          shifts = shifts_of(std::span(laws).first(laws.size() - 1), precision)](double epsilon) {
    const Ball at = ball(epsilon, precision), x = exp(at);
    Ball sum = cut;
    for (const Shift& shift : shifts) sum = sum + tails.hinge(shift, at, x);
    return failure + (ball(1, precision) - failure) * sum;
  };
}

}  // namespace

Reference exact_lattice(std::vector<LatticeRelease> releases, double least, Side side) {
  return refined(
      [=, releases = std::move(releases)](Precision precision) { return curve_of(releases, least, side, precision); });
}

}  // namespace vernier::test
