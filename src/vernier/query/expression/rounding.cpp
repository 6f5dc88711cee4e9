#include "vernier/query/expression/rounding.hpp"

#include <cmath>

namespace vernier::query {
namespace {

// The double below 1/2. With 1/2 itself the sum would be rounded to 1 of this one, and to even numbers from 2^52 on.
constexpr double below_half = 0.49999999999999994;

constexpr double most_places = 0x1p52;  // times a width it is exact

}  // namespace

double nearest(double x) { return std::floor(x + (x == -0.5 ? 0.5 : below_half)); }

std::string nearest(const std::string& x, const Dialect& in) {
  return in.floor("(" + x + " + CASE WHEN " + x + " = " + in.constant(-0.5) + " THEN " + in.constant(0.5) + " ELSE " +
                  in.constant(below_half) + " END)");
}

// The quotient is rounded, and so is the multiple: the place may be one too far or one short.
double bucket_start(double x, double width) {
  if (std::abs(x) > most_places * width) return x;
  const double place = std::floor(x / width);
  const double shift = (place + 1) * width <= x ? 1 : place * width <= x ? 0 : -1;
  return (place + shift) * width + 0.0;
}

std::string bucket_start(const std::string& x, double width, const Dialect& in) {
  const std::string step = in.constant(width), one = in.constant(1.0), place = in.floor(x + " / " + step);
  const std::string shift = "CASE WHEN (" + place + " + " + one + ") * " + step + " <= " + x + " THEN " + one +
                            " WHEN " + place + " * " + step + " <= " + x + " THEN " + in.constant(0.0) + " ELSE " +
                            in.constant(-1.0) + " END";
  const double end = most_places * width;
  return "(CASE WHEN " + x + " BETWEEN " + in.constant(-end) + " AND " + in.constant(end) + " THEN (" + place + " + " +
         shift + ") * " + step + " + " + in.constant(0.0) + " ELSE " + x + " END)";
}

}  // namespace vernier::query
