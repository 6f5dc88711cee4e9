#include "vernier/accounting/loss/complex_bend.hpp"

#include <cmath>

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

}  // namespace vernier::accounting
