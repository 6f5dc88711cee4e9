#include "vernier/accounting/loss/mixture.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::DoubleDouble;
using numeric::unit_roundoff;

constexpr double far_away = 600;      // e^600 is still a double
constexpr double lost_share = 1e-40;  // units: a share below 1e-300 is not known relatively, but e^600 of it is nothing

struct LogValue {
  DoubleDouble value;
  double units;
};

// Mostly outside: ln(1 + q (e^w - 1)), whose argument is above -1/2 or whose two terms are added.
LogValue outside_value(double rate, double w) {
  const double grown = rate * std::expm1(w);
  if (grown >= -0.5) {
    const double value = std::log1p(grown);
    return {{value, 0}, 20 * std::abs(value)};
  }
  const double value = std::log((1 - rate) + rate * std::exp(w));
  return {{value, 0}, 8 + 5 * std::abs(value)};
}

// Mostly inside: w + ln q + ln(1 + ratio), ratio = outside / inside at most 1.
LogValue inside_value(double rate, const DoubleDouble& w, double ratio) {
  const double log_rate = std::log(rate), more = std::log1p(ratio);
  return {numeric::sum(numeric::sum(w, log_rate), more), 5 * std::abs(log_rate) + 20 * more};
}

}  // namespace

Mixture Mixture::at(double rate, const DoubleDouble& w0) {
  Mixture result;
  const double log_odds = w0.hi + std::log(rate) - std::log1p(-rate);  // infinite at rate 1
  const bool mostly_inside = log_odds > 0;
  const double ratio = rate == 1       ? 0
                       : mostly_inside ? (1 - rate) / rate * std::exp(-w0.hi) * (1 - w0.lo)
                                       : rate / (1 - rate) * std::exp(w0.hi) * (1 + w0.lo);
  const bool small = std::abs(w0.hi) < 0.5;  // then ln q and ln(1 + ratio) would cancel
  const LogValue log = mostly_inside && !small ? inside_value(rate, w0, ratio) : outside_value(rate, w0.hi);
  result.value_ = log.value;
  result.value_error_ = log.units * unit_roundoff;
  const double larger = 1 / (1 + ratio), smaller = ratio / (1 + ratio);
  result.inside_ = mostly_inside ? larger : smaller;
  result.outside_ = mostly_inside ? smaller : larger;
  result.log_inside_ = mostly_inside ? std::log1p(-smaller) : log_odds - std::log1p(ratio);
  result.log_outside_ = mostly_inside ? -log_odds - std::log1p(ratio) : std::log1p(-smaller);
  return result;
}

Bend Mixture::bend(double move, double move_units) const {
  if (std::abs(move) > far_away) return from_change(far(move, move_units), move, move_units);
  return inside_ > outside_ ? near_inside(move, move_units) : near_outside(move, move_units);
}

Bend Mixture::from_change(const Change& change, double move, double move_units) const {
  const double along = line() * move;
  return {change, {change.value - along, change.units + (1 + move_units) * std::abs(along) + std::abs(change.value)}};
}

Bend Mixture::near_outside(double move, double move_units) const {
  const double grown = inside_ * std::expm1(move), value = std::log1p(grown);
  const double share = (inside_ + grown) / (1 + grown);  // inside at the new place
  const double steep = move > 0 ? share * move : std::abs(value);
  const Change change{value, (16 + share_units) * std::abs(value) + 1.01 * move_units * steep + lost_share};
  return {change, change};
}

Bend Mixture::near_inside(double move, double move_units) const {
  if (move < -1) {
    const double value = std::log(outside_ + inside_ * std::exp(move));
    const Change change{value, 8 + share_units + (5 + 1.01 * move_units) * std::abs(value)};
    return from_change(change, move, move_units);
  }
  const double more = std::log1p(outside_ * std::expm1(-move)), value = move + more;
  const Change from_line{more, (16 + 2 * share_units + 3 * move_units) * std::abs(more) + lost_share};
  return {{value, from_line.units + std::abs(value) + 1.01 * move_units * std::abs(move)}, from_line};
}

Change Mixture::far(double move, double move_units) const {
  const double inside = move + log_inside_, outside = log_outside_;
  const double larger = std::max(inside, outside), apart = std::abs(inside - outside);
  const double value = larger + std::log1p(std::exp(-apart));
  return {value, 30 + 6 * (std::abs(value) + std::abs(log_inside_)) + (5 + 1.01 * move_units) * std::abs(move)};
}

Change Mixture::change_to_outside() const {
  if (outside_ < 0.5) return {log_outside_, 30 + 10 * std::abs(log_outside_)};
  const double value = std::log1p(-inside_);
  return {value, (10 + 2 * share_units) * std::abs(value)};
}

}  // namespace vernier::accounting
