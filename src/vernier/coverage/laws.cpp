#include "vernier/coverage/laws.hpp"

#include <algorithm>

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

Result<Law> calibrated(LawKind kind, const Question& question, const Point& point, IntegerSensitivity shift) {
  if (kind == LawKind::geometric) return calibrated<mechanism::GeometricMechanism>(question, point, shift);
  if (question.delta.is_pure()) return invalid("discrete Gaussian noise needs a delta above 0; give --delta");
  return calibrated<mechanism::DiscreteGaussianMechanism>(question, point, shift);
}

Result<std::int64_t> accuracy_of(const Law& law, Alpha alpha) {
  return std::visit([&](const auto& one) { return interval::additive_accuracy(one, alpha); }, law);
}

}  // namespace

Result<Law> law_for(const Question& question, const Point& point, std::int64_t shift) {
  const Result<IntegerSensitivity> moved = IntegerSensitivity::of(shift);
  if (!moved) return Failure(moved.error());
  if (question.law) return calibrated(*question.law, question, point, *moved);
  const Result<Law> geometric = calibrated(LawKind::geometric, question, point, *moved);
  if (!geometric || question.delta.is_pure()) return geometric;
  const Result<Law> gaussian = calibrated(LawKind::discrete_gaussian, question, point, *moved);
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
