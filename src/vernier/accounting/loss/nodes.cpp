#include "vernier/accounting/loss/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/accounting/loss/wave_sum.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::unit_roundoff;

constexpr double second_order = 1.2;  // (e^x - 1) / x for x up to 0.1, and the rounding of the errors themselves

}  // namespace

void Nodes::reserve(std::size_t count) {
  offsets_.reserve(count);
  weights_.reserve(count);
}

void Nodes::add(const Change& offset, const Change& log_weight) { add(offset, log_weight, std::exp(log_weight.value)); }

double Nodes::variance() const {
  const double sum = total(), middle = offset_sum_ / sum;
  return std::max(0.0, square_sum_ / sum - middle * middle);
}

double Nodes::relative_error() const {
  const double sum = total();
  if (hopeless_ || !(sum > 0) || !std::isfinite(sum)) return 1;
  const double error = second_order * unit_roundoff * (weight_units_ / sum + 2) + left_out_ / sum + missing_;
  return error < 0.4 ? error / (1 - error) : 1;
}

void Nodes::recentre(const Anchor& anchor, double centre) {
  const double shift = (anchor.loss.hi - centre) + anchor.loss.lo;
  double absolute = 0;
  for (double& offset : offsets_) offset += shift;
  for (std::size_t i = 0; i < offsets_.size(); ++i) absolute += weights_[i] * std::abs(offsets_[i]);
  spread_ = absolute / total();
  greatest_offset_ += std::abs(shift);
  centre_error_ = anchor.loss_error + 4 * unit_roundoff * std::abs(shift);
}

Frequency Nodes::at(double t) const {
  const double of_weights = relative_error();
  if (!(of_weights < 1)) return {0, 1};
  const double sum = total();
  const double of_losses = second_order * unit_roundoff * offset_units_ / sum + centre_error_;
  const double of_waves = unit_roundoff * (wave_units + 4 + 3 * t * spread_);
  const double error = 2 * of_weights + second_order * (t * of_losses + of_waves);
  if (!(error < 1)) return {0, 1};
  return {wave_sum(weights_.data(), offsets_.data(), count(), greatest_offset_, t) / sum, error};
}

double Nodes::absolute_mean() const {
  const double of_weights = relative_error();
  if (!(of_weights < 1)) return std::numeric_limits<double>::infinity();
  const double rounding = static_cast<double>(count()) * unit_roundoff;
  return spread_ * (1 + 2.5 * of_weights + 2 * rounding) + second_order * unit_roundoff * offset_units_ / total() +
         centre_error_;
}

double Nodes::mean_square() const {
  const double of_weights = relative_error();
  if (!(of_weights < 1)) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < count(); ++i) sum += weights_[i] * offsets_[i] * offsets_[i];
  const double growth = 1 + 2.5 * of_weights + 4 * static_cast<double>(count()) * unit_roundoff;
  const double of_losses = second_order * unit_roundoff * std::sqrt(offset_square_units_ / total()) + centre_error_;
  const double root = std::sqrt(sum / total() * growth) * (1 + 4 * unit_roundoff) + growth * of_losses;
  return root * root;
}

Cumulants cumulants_of(const Anchor& anchor, const Nodes& nodes) {
  const double value = anchor.log_weight + (std::log(nodes.total()) + nodes.log_unit());
  const double relative = nodes.relative_error();
  const double of_total = relative < 0.5 ? 1.5 * relative : std::numeric_limits<double>::infinity();
  const double rounding = unit_roundoff * (5 * std::abs(std::log(nodes.total())) + 2 * std::abs(nodes.log_unit()) +
                                           2 * std::abs(value) + 1);
  return {value, anchor.loss.hi + nodes.mean(), nodes.variance(),
          anchor.log_weight_error + nodes.log_unit_error() + of_total + rounding};
}

}  // namespace vernier::accounting
