#include "vernier/accounting/loss/damped_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/wave_sum.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using Complex = std::complex<double>;

constexpr double move_units = 1.1;
constexpr double lost_share = 1e-40;  // as in mixture.cpp

double size_of(const Complex& z) { return std::sqrt(std::norm(z)); }

// e^m - 1. The real part is expm1(u) cos v - 2 sin(v/2)^2, whose terms are of one sign or no larger than the whole.
ComplexChange complex_expm1(const Complex& m) {
  const double u = m.real(), v = m.imag(), less_one = std::expm1(u), grown = std::exp(u);
  const double half = std::sin(v / 2), lowered = 2 * half * half, sine = std::sin(v);
  const Complex value{less_one * std::cos(v) - lowered, grown * sine};
  const double of_move = move_units * (std::abs(u) + std::abs(v)) * grown;
  return {value, of_move + 10 * std::abs(less_one) + 12 * lowered + 11 * grown * std::abs(sine) + size_of(value)};
}

// Log(1 + z), z with its error, where 1 + z is not near the negative half line.
ComplexChange complex_log1p(const ComplexChange& argument) {
  const double x = argument.value.real(), y = argument.value.imag(), twice = x * (2 + x), square = y * y;
  const double size = std::hypot(1 + x, y);
  const Complex value{0.5 * std::log1p(twice + square), std::atan2(y, 1 + x)};
  const double of_argument = 1.01 * argument.units / size;
  const double of_norm = 1.01 * (4 * std::abs(twice) + 3 * square) / (2 * size * size);
  return {value, of_argument + of_norm + 5 * (std::abs(value.real()) + std::abs(value.imag())) + lost_share};
}

ComplexChange scaled(const ComplexChange& change, double share) {
  const Complex value = share * change.value;
  return {value, share * change.units + (Mixture::share_units + 1) * size_of(value)};
}

ComplexChange plus(const ComplexChange& change, const Complex& move, double sign) {
  const Complex value = change.value + sign * move;
  const double of_move = move_units * (std::abs(move.real()) + std::abs(move.imag()));
  return {value, change.units + of_move + std::abs(value.real()) + std::abs(value.imag())};
}

// ln(outside + inside e^m) where m is far to the left, so that inside (e^m - 1) is of the size of outside - 1.
ComplexChange far_left(const Mixture& mixture, const Complex& m) {
  const double grown = mixture.inside() * std::exp(m.real());
  const Complex sum{mixture.outside() + grown * std::cos(m.imag()), grown * std::sin(m.imag())};
  const double size = size_of(sum);
  const double of_sum = (Mixture::share_units + 2) * mixture.outside() +
                        (24 + move_units * (std::abs(m.real()) + std::abs(m.imag()))) * grown;
  const Complex value{std::log(size), std::atan2(sum.imag(), sum.real())};
  return {value, 1.01 * of_sum / size + 4 + 5 * (std::abs(value.real()) + std::abs(value.imag()))};
}

}  // namespace

ComplexBend complex_bend(const Mixture& mixture, const Complex& move) {
  if (mixture.line() == 0) {
    const ComplexChange change = complex_log1p(scaled(complex_expm1(move), mixture.inside()));
    return {change, change};
  }
  if (move.real() < -1) {
    const ComplexChange change = far_left(mixture, move);
    return {change, plus(change, move, -1)};
  }
  const ComplexChange from_line = complex_log1p(scaled(complex_expm1(-move), mixture.outside()));
  return {plus(from_line, move, 1), from_line};
}

namespace {

using numeric::unit_roundoff;

constexpr double second_order = 1.2;         // as in nodes.cpp
constexpr double least_log_weight = -44;     // e^-44 < 1e-19
constexpr double dead_damping = 60;          // e^-60 < 1e-26
constexpr double sum_units = 36;             // of two exponentials, a wave, two products and the sum
constexpr double greatest_log_error = 0.05;  // of a node

}  // namespace

void DampedNodes::add(const ComplexChange& change, const ComplexChange& log_weight) {
  const double size = log_weight.value.real(), phase = log_weight.value.imag();
  greatest_units_ = std::max(greatest_units_, log_weight.units + sum_units + 2 * std::abs(phase));
  if (!(size >= least_log_weight)) return leave_out(2 * std::exp(size));
  const double offset = change.value.real() + shift_, damping = std::max(0.0, change.value.imag());
  weights_.push_back(std::exp(size));
  dampings_.push_back(damping);
  phases_.push_back(phase);
  offsets_.push_back(offset);
  units_.push_back(log_weight.units + sum_units + 2 * std::abs(phase));
  units_a_turn_.push_back(change.units + 2 * damping + 3 * std::abs(offset) + 4 * std::abs(shift_) +
                          shift_error_ / unit_roundoff);
  least_dampings_.push_back(std::max(0.0, damping - change.units * unit_roundoff) * (1 - 1e-12));
}

void DampedNodes::finish() {
  for (std::size_t i = count(); i-- > 1;) least_dampings_[i - 1] = std::min(least_dampings_[i - 1], least_dampings_[i]);
  for (std::size_t i = 0; i < count(); ++i) {
    const double before = i == 0 ? 0 : greatest_offsets_.back();
    greatest_offsets_.push_back(std::max(before, std::abs(offsets_[i])));
    greatest_phase_ = std::max(greatest_phase_, std::abs(phases_[i]));
    greatest_units_a_turn_ = std::max(greatest_units_a_turn_, units_a_turn_[i]);
    total_ += weights_[i];
  }
}

std::size_t DampedNodes::count(double t) const {
  const auto dead = std::lower_bound(least_dampings_.begin(), least_dampings_.end(), dead_damping / t);
  return static_cast<std::size_t>(dead - least_dampings_.begin());
}

bool DampedNodes::is_hopeless(double t) const {
  return !((greatest_units_ + t * greatest_units_a_turn_) * unit_roundoff < greatest_log_error);
}

Frequency DampedNodes::at(double t) const {
  if (is_hopeless(t)) return {0, 1};
  const std::size_t alive = count(t);
  const double farthest = alive == 0 ? 0 : greatest_offsets_[alive - 1];
  const DampedWaves waves{.weights = weights_.data(),
                          .dampings = dampings_.data(),
                          .phases = phases_.data(),
                          .offsets = offsets_.data(),
                          .units = units_.data(),
                          .units_a_turn = units_a_turn_.data(),
                          .count = alive,
                          .greatest_phase = greatest_phase_ + t * farthest};
  const DampedSum sum = damped_wave_sum(waves, t);
  const std::complex<double> value{scale_ * sum.real, sign_ * scale_ * sum.imaginary};
  const double lost = left_out_ + 1e-26 * total_;
  const double error = scale_ * (second_order * unit_roundoff * sum.units + lost) + missing_;
  const double size = std::abs(value.real()) + std::abs(value.imag());
  return known(value, 1.01 * (error + (scale_error_ + 4 * unit_roundoff) * size));
}

double DampedNodes::beyond(double t) const {
  if (is_hopeless(0)) return 1;
  double sum = 1e-26 * total_ + left_out_;
  const std::size_t alive = count(t);
  for (std::size_t i = 0; i < alive; ++i) sum += weights_[i] * std::exp(-t * least_dampings_[i]);
  const double growth = 1 + 2 * (scale_error_ + unit_roundoff * greatest_units_) + 1e-9;
  const double bound = (scale_ * sum + missing_) * growth;
  return bound < 1 ? bound : 1;  // 1 for NaN too
}

}  // namespace vernier::accounting
