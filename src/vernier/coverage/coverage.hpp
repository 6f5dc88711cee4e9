#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/coverage/question.hpp"
#include "vernier/coverage/simulate.hpp"

// Whether intervals hold what they are said to hold, as often as they are said to: by simulation. coverage.md.
namespace vernier::coverage {

// One claim or several: that any is refuted although all of them are true has at most this probability.
inline constexpr double false_refutation = 1e-6;

// Of the interval around a coverage that was found.
inline constexpr double coverage_confidence = 0.95;

struct Found {
  Point point;
  std::string law;    // of the noise
  double coverage;    // the part of the intervals that held what is claimed
  Bounds chance;      // Clopper and Pearson, at 95 %
  double sample;      // the part that held the sample's value
  double population;  // and the population's
  double width;       // on average
  bool refuted;
  std::vector<Shown> shown;
};

struct Report {
  std::vector<Found> points;
  std::int64_t simulations;  // at each
  bool refuted() const;
};

inline constexpr std::int64_t most_simulations = 100'000'000;

// On all cores; randomness of the operating system, a stream for each thread. An error where a point cannot be, or
// where progress says no.
Result<Report> report_on(const Population& population, const Question& question, const std::vector<Point>& points,
                         std::int64_t simulations, const Progress& progress);

}  // namespace vernier::coverage
