#include "vernier/denoise/experiment.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::denoise {
namespace {

template <class Numbers>
double mean_square(std::span<const std::int64_t> truth, const Numbers& numbers, double variance) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double off = static_cast<double>(numbers[i]) - static_cast<double>(truth[i]);
    sum += off * off;
  }
  return sum / variance / static_cast<double>(truth.size());
}

}  // namespace

void ErrorMean::add(double error) {
  ++count_;
  const double off = error - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (error - mean_);
}

double ErrorMean::standard_error() const {
  const auto n = static_cast<double>(count_);
  return count_ < 2 ? HUGE_VAL : std::sqrt(squares_ / (n - 1) / n);
}

void add_column(std::span<const std::int64_t> truth, std::span<const std::int64_t> released, double variance,
                std::span<Contender> contenders) {
  const double raw = mean_square(truth, released, variance);
  for (Contender& one : contenders) {
    const double error = mean_square(truth, one.denoise(released).values, variance);
    one.error.add(error);
    one.above_raw.add(error - raw);
  }
}

namespace {

constexpr double surprising = 6;  // standard errors: once in a billion

// Positive-part James-Stein: E[loss] <= d - (d-2)^2 / (d - 2 + T), T the squared length over the variance; less than d
// always (James and Stein 1961, with Jensen's inequality).
double james_stein_bound(const Setting& setting, double variance) {
  const auto d = static_cast<double>(setting.dimension);
  const double t = setting.length * setting.length / variance;
  return 1 - (d - 2) * (d - 2) / (d - 2 + t) / d;
}

// Donoho and Johnstone 1994, Theorem 1: E[loss] <= (2 ln d + 1) (1 + large coordinates).
double universal_bound(const Setting& setting, double large) {
  const auto d = static_cast<double>(setting.dimension);
  return (2 * std::log(d) + 1) * (1 + large) / d;
}

std::optional<double> bound_of(Entrant entrant, const Setting& setting, double variance, double large) {
  if (entrant == Entrant::james_stein) return james_stein_bound(setting, variance);
  if (entrant == Entrant::universal_threshold) return universal_bound(setting, large);
  return std::nullopt;
}

// Above the bound, or above raw numbers where the bound is not.
bool is_refuted(const Outcome& outcome) {
  if (!outcome.bound) return false;
  const auto is_above = [](const ErrorMean& mean, double bound) {
    return mean.columns() > 1 && mean.mean() - bound > surprising * mean.standard_error();
  };
  return is_above(outcome.error, *outcome.bound) || (*outcome.bound <= 1 && is_above(outcome.above_raw, 0));
}

}  // namespace

std::string_view name_of(Shape shape) { return shape == Shape::dense ? "dense" : "sparse"; }

std::string_view name_of(Entrant entrant) {
  switch (entrant) {
    case Entrant::raw:
      return "raw";
    case Entrant::james_stein:
      return "james-stein";
    case Entrant::soft_threshold:
      return "soft-threshold";
    case Entrant::universal_threshold:
      return "universal-threshold";
    case Entrant::least_risk:
      break;
  }
  return "least-risk";
}

std::vector<Contender> entered(const noise::DiscreteGaussian& law) {
  return {contender(Method::raw, law), contender(Method::james_stein_to_zero, law),
          contender(Method::soft_threshold, law), contender(Method::universal_threshold, law),
          contender(Choice::least_risk, law)};
}

double large_coordinates(std::span<const std::int64_t> truth, double variance) {
  double sum = 0;
  for (const std::int64_t x : truth) {
    const auto coordinate = static_cast<double>(x);
    sum += std::min(coordinate * coordinate / variance, 1.0);
  }
  return sum;
}

std::vector<Outcome> judged(const Setting& setting, double variance, double large_coordinates,
                            std::span<const Contender> contenders) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    Outcome outcome{entrants[i], contenders[i].error, contenders[i].above_raw,
                    bound_of(entrants[i], setting, variance, large_coordinates)};
    outcome.is_refuted = is_refuted(outcome);
    outcomes.push_back(outcome);
  }
  return outcomes;
}

}  // namespace vernier::denoise
