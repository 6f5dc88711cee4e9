#include "vernier/audit/choices.hpp"

#include <algorithm>
#include <array>

#include "vernier/audit/events.hpp"
#include "vernier/audit/words.hpp"
#include "vernier/noise/rank_choice.hpp"
#include "vernier/noise/value_choice.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::audit {
namespace {

// Seven rows on nine points: candidates at several distances.
constexpr std::array<noise::Occupied, 4> occupied = {{{1, 2}, {3, 1}, {4, 3}, {7, 1}}};

template <std::size_t Size>
std::vector<std::int64_t> points_of(const std::array<std::int64_t, Size>& candidate) {
  return {candidate.begin(), candidate.end()};
}

template <class Choice>
Masses masses_of(const noise::Exponential& law, const Choice& choice) {
  const numeric::Precision precision{128};
  const auto levels = choice.levels();
  numeric::Ball total = numeric::Ball::of(0, precision);
  for (const noise::Level& level : levels) {
    total = total + numeric::Ball::of(level.candidates, precision) * law.weight(level.distance, precision);
  }
  Masses masses;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Bounds mass = (law.weight(levels[i].distance, precision) / total).bounds();
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      Bounds& all = masses[points_of(choice.candidate(i, place))];  // margins beyond the grid end at its ends
      all = {numeric::add_down(all.lower, mass.lower), numeric::add_up(all.upper, mass.upper)};
    }
  }
  return masses;
}

// By how much the chance of any one event may be too large so that it is surely seen.
std::optional<double> least_chance_found(const std::vector<Event>& events, std::int64_t trials) {
  const double level = each_level / static_cast<double>(2 * events.size());
  std::optional<double> least;
  for (const double more : {0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}) {
    const bool is_found = std::all_of(events.begin(), events.end(), [&](const Event& event) {
      return is_surely_found(trials, event.chance.upper, std::min(1.0, event.chance.upper + more), level, missed);
    });
    if (!is_found) break;
    least = more;
  }
  return least;
}

template <class Choice>
Result<Finding> judged(std::string claim, const noise::Exponential& law, const Choice& choice, random::Source& source,
                       const Timekeeper& time, Timekeeper::Clock::time_point end) {
  Outcomes drawn;
  std::int64_t trials = 0;
  VERNIER_TRY(repeat_until(end, time, [&]() -> Result<void> {
    for (int i = 0; i < 20'000; ++i, ++trials) {
      VERNIER_TRY(const auto candidate, noise::draw_candidate(law, choice, source));
      ++drawn[points_of(candidate)];
    }
    return {};
  }));
  const std::vector<Event> events = events_of(masses_of(law, choice), drawn);
  const double level = surprise(events, trials);
  const std::optional<double> part = least_chance_found(events, trials);
  const Verdict unrefuted = part ? Verdict::stands : Verdict::powerless;
  return Finding{
      .claim = std::move(claim),
      .trials = trials,
      .of = "choices",
      .outcome = level_words(level),
      .caught = part ? "a candidate whose chance is too large by " + words_of(*part) : "nothing: too few of them",
      .verdict = level <= each_level ? Verdict::refuted : unrefuted,
      .level = level};
}

// The law and the statistic of both.
noise::Exponential tried_law() { return noise::Exponential::of(LaplaceScale::of(1.5).value()).value(); }
noise::RankStatistic median() { return noise::RankStatistic::quantile(1, 2, 9).value(); }

}  // namespace

Result<Finding> judged_ends(random::Source& source, const Timekeeper& time, Timekeeper::Clock::time_point end) {
  const noise::RankChoice choice(median(), occupied, 2);
  return judged("choice of a quantile's two ends, exponential law", tried_law(), choice, source, time, end);
}

Result<Finding> judged_values(random::Source& source, const Timekeeper& time, Timekeeper::Clock::time_point end) {
  const noise::ValueChoice choice(median(), occupied, {.least = 2, .slack = 1, .farthest = 8});
  return judged("choice of a quantile with its interval, exponential law", tried_law(), choice, source, time, end);
}

}  // namespace vernier::audit
