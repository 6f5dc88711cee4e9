#include "vernier/denoise/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vernier/denoise/estimators.hpp"

namespace vernier::denoise {
namespace {

using Numbers = std::vector<double>;

struct Candidate {
  Risk risk;
  double threshold = 0;
  Numbers values;
};

Candidate untouched(const Numbers& numbers) { return {{Method::raw, 1}, 0, numbers}; }

Candidate shrunk_towards(Method method, const Numbers& numbers, double variance) {
  Shrunk found =
      method == Method::james_stein_to_zero ? shrunk_to_zero(numbers, variance) : shrunk_to_mean(numbers, variance);
  return {{method, found.risk}, 0, std::move(found.values)};
}

template <class Law>
Candidate thresholded(Method method, const Numbers& numbers, const Law& law) {
  const ThresholdRisk<Law> risk(numbers, law);
  const double universal = universal_threshold(numbers.size(), law.variance().upper);
  const Threshold threshold =
      method == Method::soft_threshold ? risk.least() : Threshold{universal, risk.at(universal)};
  return {{method, threshold.risk}, threshold.at, soft_thresholded(numbers, threshold.at)};
}

std::vector<Method> methods_of(Choice choice) {
  switch (choice) {
    case Choice::james_stein:
      return {Method::james_stein_to_mean};
    case Choice::soft_threshold:
      return {Method::soft_threshold};
    case Choice::universal_threshold:
      return {Method::universal_threshold};
    case Choice::least_risk:
      break;
  }
  return {Method::raw, Method::james_stein_to_zero, Method::james_stein_to_mean, Method::soft_threshold};
}

template <class Law>
Candidate tried(Method method, const Numbers& numbers, const Law& law) {
  if (method == Method::raw) return untouched(numbers);
  const bool is_threshold = method == Method::soft_threshold || method == Method::universal_threshold;
  return is_threshold ? thresholded(method, numbers, law) : shrunk_towards(method, numbers, law.variance().upper);
}

// Raw numbers where there are too few.
template <class Law>
Denoised best_of(std::vector<Method> methods, const Numbers& numbers, const Law& law) {
  if (numbers.size() < least_numbers) methods = {Method::raw};
  std::vector<Candidate> candidates;
  std::vector<Risk> risks{{Method::raw, 1}};
  for (const Method method : methods) {
    candidates.push_back(tried(method, numbers, law));
    if (method != Method::raw) risks.push_back(candidates.back().risk);
  }
  for (Risk& risk : risks) risk.estimate = std::max(risk.estimate, 0.0);
  Candidate& best = *std::ranges::min_element(candidates, {}, [](const Candidate& one) { return one.risk.estimate; });
  return {std::move(best.values), best.risk.method, best.threshold, std::move(risks), 1};
}

}  // namespace

std::string_view name_of(Method method) {
  switch (method) {
    case Method::raw:
      return "raw";
    case Method::james_stein_to_zero:
      return "james-stein-to-zero";
    case Method::james_stein_to_mean:
      return "james-stein-to-mean";
    case Method::soft_threshold:
      return "soft-threshold";
    case Method::universal_threshold:
      break;
  }
  return "universal-threshold";
}

std::string_view name_of(Choice choice) {
  switch (choice) {
    case Choice::least_risk:
      return "least-risk";
    case Choice::james_stein:
      return "james-stein";
    case Choice::soft_threshold:
      return "soft-threshold";
    case Choice::universal_threshold:
      break;
  }
  return "universal-threshold";
}

std::string_view name_of(Merit merit) { return merit == Merit::dominates ? "dominates" : "may-harm"; }

Merit merit_of(Choice choice) { return choice == Choice::james_stein ? Merit::dominates : Merit::may_harm; }

template <class Law>
Denoised denoised(std::span<const std::int64_t> released, const Law& law, Choice choice, Floor floor) {
  const Numbers numbers(released.begin(), released.end());
  Denoised found = best_of(methods_of(choice), numbers, law);
  if (floor == Floor::zero) found.published_risk = std::clamp(risk_from_zero(numbers, law), 0.5, 1.0);
  return found;
}

double risk_over_published(const Denoised& found) {
  if (found.method == Method::raw) return 1;  // moved into what is possible it is the published number
  const auto risk = std::ranges::find(found.risks, found.method, &Risk::method);
  return (risk == found.risks.end() ? 1 : risk->estimate) / found.published_risk;
}

template <class Law>
Denoised denoised_by(Method method, std::span<const std::int64_t> released, const Law& law) {
  return best_of({method}, {released.begin(), released.end()}, law);
}

template Denoised denoised(std::span<const std::int64_t>, const noise::Geometric&, Choice, Floor);
template Denoised denoised(std::span<const std::int64_t>, const noise::DiscreteGaussian&, Choice, Floor);
template Denoised denoised_by(Method, std::span<const std::int64_t>, const noise::Geometric&);
template Denoised denoised_by(Method, std::span<const std::int64_t>, const noise::DiscreteGaussian&);

double within(double denoised, Range raw, Kind kind) {
  const double nearest = kind == Kind::whole ? std::round(denoised) : denoised;
  return std::clamp(nearest, static_cast<double>(raw.low), static_cast<double>(raw.high));
}

}  // namespace vernier::denoise
