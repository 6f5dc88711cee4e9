#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier/coverage/question.hpp"
#include "vernier/coverage/simulate.hpp"
#include "vernier/random/source.hpp"

// Whether intervals hold what they are said to hold, as often as they are said to: by simulation. coverage.md.
namespace vernier::coverage {

// Does each piece of work once, on all cores, each thread with a source of its own. The first error ends all; so does
// a no of the watcher, which is told from one thread at a time.
Result<void> do_each(std::size_t pieces, const std::function<Result<void>(std::size_t, random::Source&)>& work,
                     const Progress& progress);

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
