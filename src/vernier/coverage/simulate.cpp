#include "vernier/coverage/simulate.hpp"

#include <cmath>

namespace vernier::coverage {

void Tally::add(const Tally& other) {
  simulations += other.simulations;
  held_sample += other.held_sample;
  held_population += other.held_population;
  width += other.width;
  const std::size_t room = most_shown - std::min(most_shown, shown.size());
  const auto last = other.shown.begin() + static_cast<std::ptrdiff_t>(std::min(room, other.shown.size()));
  shown.insert(shown.end(), other.shown.begin(), last);
}

std::vector<noise::Occupied> occupied_points(const noise::RankGrid& grid, const PlacedPopulation& population,
                                             Places rows) {
  std::sort(rows.begin(), rows.end());
  std::vector<noise::Occupied> points;
  for (const std::uint32_t row : rows) {
    const std::int64_t point = population.steps()[row] >> grid.halvings();
    if (points.empty() || points.back().point != point) points.push_back({point, 0});
    ++points.back().rows;
  }
  return points;
}

// P[at least k are passed over] = (1 - sampled)^k = P[log U <= k log(1 - sampled)], U uniform in (0, 1].
std::size_t members_passed_over(double sampled, std::uint64_t word) {
  const double uniform = static_cast<double>((word >> 11) + 1) * 0x1p-53;
  const double passed = std::floor(std::log(uniform) / std::log1p(-sampled));
  return passed < 0x1p62 ? static_cast<std::size_t>(passed) : std::size_t{1} << 62;
}

Result<Experiment> experiment_of(const Question& question, const Point& point, const PlacedPopulation& population) {
  const double sampled = sampled_part(question, point, population);
  return release_of(question, point, population).map([&](Release release) {
    return Experiment{question,           population,
                      point.size,         sampled,
                      std::move(release), truth_of(question, population, population.members(), Whose::population)};
  });
}

void count(Tally& tally, const Experiment& experiment, const interval::Interval& interval, const Places& rows) {
  const std::optional<Truth> sample = truth_of(experiment.question, experiment.population, rows, Whose::sample);
  const auto holds = [&](const std::optional<Truth>& truth) { return !truth || truth->is_in(interval); };
  ++tally.simulations;
  tally.held_sample += holds(sample) ? 1 : 0;
  tally.held_population += holds(experiment.population_truth) ? 1 : 0;
  tally.width += interval.high - interval.low;
  const std::optional<Truth>& wanted = claimed(experiment, sample);
  if (tally.shown.size() < most_shown && wanted) tally.shown.push_back({interval, wanted->least, holds(wanted)});
}

}  // namespace vernier::coverage
