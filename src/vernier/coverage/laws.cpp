#include "vernier/coverage/laws.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/additive.hpp"
#include "vernier/mechanism/discrete_gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::coverage {
namespace {

using privacy::IntegerSensitivity;

template <class Mechanism>
Result<Law> calibrated(const Question& question, const Point& point, IntegerSensitivity shift) {
  return Mechanism::calibrate(point.epsilon, question.delta, shift).map([](const Mechanism& found) {
    return Law(found.law());
  });
}

Result<IntegerSensitivity> moved_by(LawKind kind, const Question& question, std::int64_t shift) {
  if (!question.public_count || question.covers != interval::Covers::population) return IntegerSensitivity::of(shift);
  if (kind == LawKind::geometric) return IntegerSensitivity::of(2 * shift);
  return IntegerSensitivity::of(static_cast<std::int64_t>(std::ceil(1.4142135623730952 * static_cast<double>(shift))));
}

Result<Law> calibrated(LawKind kind, const Question& question, const Point& point, std::int64_t by) {
  VERNIER_TRY(const IntegerSensitivity moved, moved_by(kind, question, by));
  const IntegerSensitivity shift = moved;
  if (kind == LawKind::geometric) return calibrated<mechanism::GeometricMechanism>(question, point, shift);
  if (question.delta.is_pure()) return invalid("discrete Gaussian noise needs a delta above 0; give --delta");
  return calibrated<mechanism::DiscreteGaussianMechanism>(question, point, shift);
}

Result<std::int64_t> accuracy_of(const Law& law, Alpha alpha) {
  return std::visit([&](const auto& one) { return interval::additive_accuracy(one, alpha); }, law);
}

}  // namespace

Result<Law> law_for(const Question& question, const Point& point, std::int64_t shift) {
  if (question.law) return calibrated(*question.law, question, point, shift);
  const Result<Law> geometric = calibrated(LawKind::geometric, question, point, shift);
  if (!geometric || question.delta.is_pure()) return geometric;
  const Result<Law> gaussian = calibrated(LawKind::discrete_gaussian, question, point, shift);
  if (!gaussian) return geometric;
  const auto reach = accuracy_of(*geometric, point.alpha), other = accuracy_of(*gaussian, point.alpha);
  if (!reach) return Failure(reach.error());
  return other && *other < *reach ? gaussian : geometric;
}

Result<noise::Exponential> choice_law_for(const Point& point, std::int64_t shift) {
  const double scale = numeric::divide_up(static_cast<double>(shift), point.epsilon.value());
  return LaplaceScale::of(std::max(scale, noise::least_integer_scale)).and_then(noise::Exponential::of);
}

}  // namespace vernier::coverage
