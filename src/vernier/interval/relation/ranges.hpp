#pragma once

#include <algorithm>
#include <cmath>

// Numbers between two ends, with what arithmetic makes of them; ends are rounded to the nearest, for which whoever uses
// them pays.
namespace vernier::interval {

struct Ends {
  double low, high;

  double size() const { return std::max(std::abs(low), std::abs(high)); }
  // The least abs of a number in it.
  double distance() const { return low > 0 ? low : high < 0 ? -high : 0; }
};

inline Ends about(double middle, double radius) { return {middle - radius, middle + radius}; }
inline Ends operator+(const Ends& a, const Ends& b) { return {a.low + b.low, a.high + b.high}; }
inline Ends operator+(double a, const Ends& b) { return {a + b.low, a + b.high}; }
inline Ends operator-(const Ends& a, const Ends& b) { return {a.low - b.high, a.high - b.low}; }
inline Ends operator-(double a, const Ends& b) { return {a - b.high, a - b.low}; }
inline Ends operator*(double a, const Ends& b) {
  return a < 0 ? Ends{a * b.high, a * b.low} : Ends{a * b.low, a * b.high};
}
inline Ends operator*(const Ends& a, const Ends& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}
inline Ends squared(const Ends& a) { return {a.distance() * a.distance(), a.size() * a.size()}; }

}  // namespace vernier::interval
