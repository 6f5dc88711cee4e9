#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "vernier/coverage/question.hpp"
#include "vernier/coverage/release.hpp"
#include "vernier/noise/rank_choice.hpp"
#include "vernier/noise/value_choice.hpp"

// Samples, their releases, and whether the intervals hold. coverage.md says what is simulated.
namespace vernier::coverage {

// One interval and what it is to hold.
struct Shown {
  interval::Interval interval;
  double truth;
  bool held;
};
inline constexpr std::size_t most_shown = 100;

struct Tally {
  std::int64_t simulations = 0;
  std::int64_t held_sample = 0;      // intervals that hold the sample's value
  std::int64_t held_population = 0;  // and the population's
  double width = 0;                  // of all intervals together
  std::vector<Shown> shown = {};     // the first ones

  void add(const Tally& other);
};

// What stays the same from one simulation to the next.
struct Experiment {
  Question question;
  const PlacedPopulation& population;
  std::int64_t size;
  double sampled;  // 0: `size` rows with replacement; else each member with this chance, once
  Release release;
  std::optional<Truth> population_truth;
};

using Places = std::vector<std::uint32_t>;

// Rows with replacement, each member with the same chance.
template <class Stream>
Result<void> draw_rows(const PlacedPopulation& population, random::BasicSource<Stream>& source, Places& rows) {
  const std::span<const std::uint32_t> members = population.members();
  for (std::uint32_t& row : rows) {
    VERNIER_TRY(const auto member, noise::uniform_below(members.size(), source.draws));
    row = members[member];
  }
  return {};
}

// How many members are passed over before the next one of a sample, from 53 random bits.
std::size_t members_passed_over(double sampled, std::uint64_t word);

// Each member once with this chance, independently of the others.
template <class Stream>
Result<void> draw_members(const PlacedPopulation& population, double sampled, random::BasicSource<Stream>& source,
                          Places& rows) {
  const std::span<const std::uint32_t> members = population.members();
  rows.clear();
  for (std::size_t next = 0;; ++next) {
    VERNIER_TRY(const auto word, source.draws.next());
    next += std::min(members_passed_over(sampled, word), members.size());
    if (next >= members.size()) return {};
    rows.push_back(members[next]);
  }
}

template <class Stream>
Result<void> draw_sample(const Experiment& experiment, random::BasicSource<Stream>& source, Places& rows) {
  if (experiment.sampled > 0) return draw_members(experiment.population, experiment.sampled, source, rows);
  return draw_rows(experiment.population, source, rows);
}

// Sums over rows at these places.
inline RowSums exact_sums(const SumsRelease& release, const Places& rows) {
  RowSums sums{};
  for (const std::uint32_t row : rows) {
    for (std::size_t i = 0; i < release.sums; ++i) sums[i] += release.rows[row][i];
  }
  return sums;
}

template <class Stream>
Result<interval::Interval> released(const SumsRelease& release, const PlacedPopulation&, const Places& rows,
                                    random::BasicSource<Stream>& source) {
  RowSums sums = exact_sums(release, rows);
  for (std::size_t i = release.kept; i < release.sums; ++i) {
    VERNIER_TRY(const auto noise, std::visit([&](const auto& sampler) { return sampler.draw(source); }, release.noise));
    sums[i] += noise;
  }
  return release.interval(std::span(sums).first(release.sums));
}

std::vector<noise::Occupied> occupied_points(const noise::RankGrid& grid, const PlacedPopulation& population,
                                             Places rows);

template <class Stream>
Result<interval::Interval> released(const PointsRelease& release, const PlacedPopulation& population,
                                    const Places& rows, random::BasicSource<Stream>& source) {
  const auto points = occupied_points(release.grid, population, rows);
  return std::visit(
      [&](const auto& one) -> Result<interval::Interval> {
        VERNIER_TRY(const auto chosen, noise::draw_points(one.law, one.statistic, points, one.reach, source));
        return release.interval(chosen);
      },
      release.points);
}

template <class Stream>
Result<interval::Interval> released(const LectureRelease& release, const PlacedPopulation& population,
                                    const Places& rows, random::BasicSource<Stream>& source) {
  VERNIER_TRY(const auto noise, release.noise.draw(source));
  const double value = truth_of({}, population, rows, Whose::sample)->least + noise;
  return interval::Interval{value - release.accuracy, value + release.accuracy};
}

// What the claim is about.
inline const std::optional<Truth>& claimed(const Experiment& experiment, const std::optional<Truth>& sample) {
  return experiment.question.covers == interval::Covers::population ? experiment.population_truth : sample;
}

// The release of a question at a point, ready to be simulated.
Result<Experiment> experiment_of(const Question& question, const Point& point, const PlacedPopulation& population);

void count(Tally& tally, const Experiment& experiment, const interval::Interval& interval, const Places& rows);

// Of a statistic that is not defined for the rows every number counts.
template <class Stream>
Result<Tally> simulate(const Experiment& experiment, std::int64_t times, random::BasicSource<Stream>& source) {
  Tally tally;
  Places rows(static_cast<std::size_t>(experiment.size));
  for (std::int64_t i = 0; i < times; ++i) {
    VERNIER_TRY(draw_sample(experiment, source, rows));
    VERNIER_TRY(const auto interval,
                std::visit([&](const auto& release) { return released(release, experiment.population, rows, source); },
                           experiment.release));
    count(tally, experiment, interval, rows);
  }
  return tally;
}

}  // namespace vernier::coverage
