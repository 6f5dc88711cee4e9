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

// A column, and whether what lies below 0 is told as 0.
template <class Law>
struct Column {
  const Numbers& numbers;
  const Law& law;
  Floor floor;

  bool is_cut() const { return floor == Floor::zero; }
  double variance() const { return law.variance().upper; }
  Side side() const { return is_cut() ? Side::above : Side::both; }
};

// 1 for numbers that are published as they are; never above it, as moving a number to its nearest possible one is not.
template <class Law>
double risk_of_published(const Column<Law>& column) {
  const bool is_less = column.is_cut() && column.variance() > 0;
  return is_less ? std::min(risk_from_zero(column.numbers, column.law), 1.0) : 1;
}

Shrunk shrunk_signed(Method method, const Numbers& numbers, double variance) {
  return method == Method::james_stein_to_zero ? shrunk_to_zero(numbers, variance) : shrunk_to_mean(numbers, variance);
}
Shrunk shrunk_cut(Method method, const Numbers& numbers, double variance) {
  if (method == Method::james_stein_to_zero) return cut_to_zero(numbers, variance);
  return method == Method::james_stein_to_mean ? cut_to_mean(numbers, variance) : cut_to_least(numbers, variance);
}

template <class Law>
Candidate shrunk_towards(Method method, const Column<Law>& column) {
  Shrunk found = column.is_cut() ? shrunk_cut(method, column.numbers, column.variance())
                                 : shrunk_signed(method, column.numbers, column.variance());
  const double risk = column.is_cut() ? risk_of_published(column) + found.risk : found.risk;
  return {{method, risk}, 0, std::move(found.values)};
}

template <class Law>
Candidate thresholded(Method method, const Column<Law>& column) {
  const ThresholdRisk<Law> risk(column.numbers, column.law, column.side());
  const double universal = universal_threshold(column.numbers.size(), column.variance());
  const Threshold threshold =
      method == Method::soft_threshold ? risk.least() : Threshold{universal, risk.at(universal)};
  return {{method, threshold.risk}, threshold.at, soft_thresholded(column.numbers, threshold.at, column.side())};
}

// Of counts the published numbers are among the candidates: what is estimated to be no nearer does not replace them.
std::vector<Method> methods_of(Choice choice, Floor floor) {
  const bool is_cut = floor == Floor::zero;
  switch (choice) {
    case Choice::james_stein:
      return {is_cut ? Method::james_stein_to_least : Method::james_stein_to_mean};
    case Choice::soft_threshold:
      if (is_cut) return {Method::raw, Method::soft_threshold};
      return {Method::soft_threshold};
    case Choice::universal_threshold:
      return {Method::universal_threshold};
    case Choice::least_risk:
      break;
  }
  std::vector<Method> all{Method::raw, Method::james_stein_to_zero, Method::james_stein_to_mean,
                          Method::soft_threshold};
  if (is_cut) all.push_back(Method::james_stein_to_least);
  return all;
}

template <class Law>
Candidate tried(Method method, const Column<Law>& column) {
  if (method == Method::raw) return {{Method::raw, risk_of_published(column)}, 0, column.numbers};
  const bool is_threshold = method == Method::soft_threshold || method == Method::universal_threshold;
  return is_threshold ? thresholded(method, column) : shrunk_towards(method, column);
}

// The first of several that are as good; raw numbers where there are too few, or as good as no noise.
template <class Law>
Denoised best_of(std::vector<Method> methods, const Column<Law>& column) {
  if (column.numbers.size() < least_numbers || !(column.variance() > 0)) methods = {Method::raw};
  const double published = std::max(risk_of_published(column), 0.5);
  std::vector<Candidate> candidates;
  std::vector<Risk> risks{{Method::raw, published}};
  for (const Method method : methods) {
    candidates.push_back(tried(method, column));
    if (method != Method::raw) risks.push_back(candidates.back().risk);
  }
  for (Risk& risk : risks) risk.estimate = std::max(risk.estimate, 0.0);
  Candidate& best = *std::ranges::min_element(candidates, {}, [](const Candidate& one) { return one.risk.estimate; });
  return {std::move(best.values), best.risk.method, best.threshold, std::move(risks), published};
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
    case Method::james_stein_to_least:
      return "james-stein-to-least";
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
  return best_of(methods_of(choice, floor), Column<Law>{numbers, law, floor});
}

double risk_over_published(const Denoised& found) {
  if (found.method == Method::raw) return 1;  // moved into what is possible it is the published number
  const auto risk = std::ranges::find(found.risks, found.method, &Risk::method);
  return (risk == found.risks.end() ? 1 : risk->estimate) / found.published_risk;
}

template <class Law>
Denoised denoised_by(Method method, std::span<const std::int64_t> released, const Law& law) {
  const Numbers numbers(released.begin(), released.end());
  return best_of({method}, Column<Law>{numbers, law, Floor::none});
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
