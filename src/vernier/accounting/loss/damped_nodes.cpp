#include "vernier/accounting/loss/damped_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/accounting/loss/damped_wave_sum.hpp"
#include "vernier/accounting/loss/transform.hpp"
#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting {
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
