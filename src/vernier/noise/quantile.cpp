#include "vernier/noise/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "vernier/core/text.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::noise {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision first_precision{128};
constexpr Precision last_precision{4096};
constexpr Precision real_precision{256};

// "P[X <= x] >= p" put to the side that is at most 1/2, where no digit of p is lost. 1 - p is exact for p >= 1/2.
struct Question {
  bool upper;            // asks P[X > x] <= part; otherwise asks P[X <= x] >= part
  double part;           // in (0, 1/2], or (0, 1] of both sides
  bool of_both = false;  // asks 2 P[X > x] <= part: half of a part below 2^-1022 may be no double

  double part_of_one() const {
    return of_both ? std::max(0.5 * part, std::numeric_limits<double>::denorm_min()) : part;
  }
};

Result<Question> question(Probability p) {
  const double value = p.value();
  if (value > 0 && value < 1) return value > 0.5 ? Question{true, 1 - value} : Question{false, value};
  return invalid("the quantile exists for a probability above 0 and below 1, but it is " + shortest(value),
                 "the law has no least or greatest value");
}

// `side` is the probability of the side that the question is about.
std::optional<bool> answer(const Question& asked, const Ball& side) {
  const Ball part = Ball::of(asked.part, side.precision());
  const Ball asked_for = asked.of_both ? times_power_of_two(side, 1) : side;
  const std::optional<bool> fails = asked.upper ? less(part, asked_for) : less(asked_for, part);
  if (!fails) return std::nullopt;
  return !*fails;
}

std::optional<bool> decide(const Question& asked, const IntegerTail& tail, std::int64_t x) {
  for (long bits = first_precision.bits; bits <= last_precision.bits; bits *= 2) {
    // P[X <= x] = P[X > -x - 1] by symmetry, and -x - 1 is ~x, which cannot overflow.
    const std::optional<bool> decided = answer(asked, tail(asked.upper ? x : ~x, {bits}));
    if (decided) return decided;
  }
  return std::nullopt;
}

// The integer nearest to a point from which the search starts.
std::int64_t start_near(double point) {
  constexpr double safe = 9e18;
  if (!(std::abs(point) < safe)) return point < 0 ? -static_cast<std::int64_t>(safe) : static_cast<std::int64_t>(safe);
  return static_cast<std::int64_t>(std::ceil(point - 0.5));
}

constexpr numeric::IntegerRange everywhere{std::numeric_limits<std::int64_t>::min(),
                                           std::numeric_limits<std::int64_t>::max()};

double start_point(const Question& asked, const UpperPoint& guess) {
  return asked.upper ? guess(asked.part_of_one()) : -guess(asked.part_of_one());
}

// `p` is the probability as it was asked for.
Result<std::int64_t> least_answering(const Question& asked, Probability p, const UpperPoint& guess,
                                     const IntegerTail& tail, numeric::IntegerRange range) {
  bool undecided = false;
  const auto holds = [&](std::int64_t x) {
    const std::optional<bool> decided = decide(asked, tail, x);
    undecided = undecided || !decided;
    return decided.value_or(false);
  };
  const Result<std::int64_t> found = numeric::least_integer(holds, start_near(start_point(asked, guess)), range);
  if (!undecided) return found;
  return fail(
      ErrorKind::exhausted,
      "the quantile at " + shortest(p.value()) + " is not decided by " + std::to_string(last_precision.bits) + " bits",
      "move the probability a little");
}

}  // namespace

Result<std::int64_t> integer_quantile(Probability p, const UpperPoint& guess, const IntegerTail& tail) {
  VERNIER_TRY(const Question asked, question(p));
  return least_answering(asked, p, guess, tail, everywhere);
}

// P[abs(X) > a] = 2 P[X > a] for a >= 0 by symmetry.
Result<std::int64_t> integer_two_sided_quantile(Probability tau, const UpperPoint& guess, const IntegerTail& tail) {
  if (tau.value() == 0) return no_two_sided_quantile();
  return least_answering({true, tau.value(), true}, tau, guess, tail, {0, everywhere.last});
}

Result<Real> real_quantile(Probability p, const UpperPoint& guess, const RealTail& tail) {
  VERNIER_TRY(const Question asked, question(p));
  const auto holds = [&](double point) {
    const Real x = *Real::of(point);  // the search visits finite doubles only
    return answer(asked, tail(asked.upper ? x : -x, real_precision)).value_or(false);
  };
  return numeric::least_double(holds, start_point(asked, guess)).and_then(Real::of);
}

Failure no_two_sided_quantile() {
  return invalid("the probability left outside must be above 0, but it is 0", "noise has no greatest value");
}

}  // namespace vernier::noise
