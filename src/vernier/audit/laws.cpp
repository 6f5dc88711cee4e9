#include "vernier/audit/laws.hpp"

#include <algorithm>
#include <array>

#include "vernier/audit/events.hpp"
#include "vernier/audit/finding.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/rank_choice.hpp"
#include "vernier/noise/value_choice.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::audit {
namespace {

constexpr std::size_t batch = std::size_t{1} << 18;

Drawn counted(std::vector<std::int64_t>& draws) {
  std::sort(draws.begin(), draws.end());
  Drawn drawn;
  for (const std::int64_t draw : draws) ++drawn.try_emplace(drawn.end(), draw, 0)->second;
  return drawn;
}

void add(std::vector<Event>& all, const std::vector<Event>& more) {
  if (all.empty()) all.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) all[i] = {more[i].chance, all[i].hits + more[i].hits};
}

// ---- the laws, with what draws from them

struct Drawing {
  std::string claim;
  IntegerLaw law;
  Fill fill;
};

template <class Law>
Drawing direct(const std::string& name, const Law& law, random::Source& source) {
  return {name + " noise of scale " + words_of(law.scale()), law,
          [sampler = noise::IntegerSampler<Law>(law), &source](std::span<std::int64_t> out) {
            return sampler.fill(source, out);
          }};
}

// Real noise is an integer law in steps of its grid: what comes out is read back in steps.
template <class Noise>
Drawing gridded(const std::string& name, double scale, const Noise& noise, random::Source& source) {
  return {name + " noise of scale " + words_of(scale), noise.units_law(),
          [noise, &source](std::span<std::int64_t> out) -> Result<void> {
            std::vector<double> values(out.size());
            if (Result<void> filled = noise.fill(source, std::span<double>(values)); !filled) return filled;
            const double step = noise.grid().value_of(1);
            std::transform(values.begin(), values.end(), out.begin(),
                           [step](double value) { return static_cast<std::int64_t>(value / step); });
            return {};
          }};
}

template <class Law, class Scale>
Law law_at(double scale) {
  return Law::of(Scale::of(scale).value()).value();
}

std::vector<Drawing> drawings(random::Source& source) {
  std::vector<Drawing> all;
  for (const double scale : {0.3, 1.0, 10.0, 3e4}) {
    all.push_back(direct("geometric", law_at<noise::Geometric, LaplaceScale>(scale), source));
  }
  for (const double scale : {0.5, 1.0, 40.0, 3e4}) {
    all.push_back(direct("discrete Gaussian", law_at<noise::DiscreteGaussian, Sigma>(scale), source));
  }
  all.push_back(gridded("Laplace", 2.5, noise::on_grid(noise::Laplace::of(LaplaceScale::of(2.5).value())), source));
  all.push_back(gridded("Gaussian", 2.5, noise::on_grid(noise::Gaussian::of(Sigma::of(2.5).value())), source));
  return all;
}

}  // namespace

Finding finding_on_draws(std::string claim, const IntegerLaw& law, std::span<const Event> events, std::int64_t trials,
                         std::string of) {
  const double level = surprise(events, trials);
  const std::optional<double> part = least_part_found(law, trials, each_level);
  const Verdict unrefuted = part ? Verdict::stands : Verdict::powerless;
  return {.claim = std::move(claim),
          .trials = trials,
          .of = std::move(of),
          .outcome = level_words(level),
          .caught = part ? "a scale too small by " + percent_words(*part) : "nothing: too few of them",
          .verdict = level <= each_level ? Verdict::refuted : unrefuted,
          .level = level};
}

Result<Finding> judged_draws(std::string claim, const IntegerLaw& law, const Fill& fill, const Timekeeper& time,
                             Timekeeper::Clock::time_point end) {
  std::vector<Event> events;
  std::int64_t trials = 0;
  std::vector<std::int64_t> draws(batch);
  VERNIER_TRY(repeat_until(end, time, [&]() -> Result<void> {
    if (Result<void> filled = fill(draws); !filled) return filled;
    add(events, events_of(law, counted(draws)));
    trials += static_cast<std::int64_t>(batch);
    return {};
  }));
  return finding_on_draws(std::move(claim), law, events, trials, "draws");
}

Result<Section> audited_laws(const Timekeeper& time, double part) {
  VERNIER_TRY(random::Source source, random::Source::open());
  Section section{.name = "laws",
                  .title = "The noise has the law that is stated",
                  .question =
                      "Numbers are drawn by the samplers that releases use, and counted against the exact "
                      "probabilities of the law."};
  const std::vector<Drawing> all = drawings(source);
  const double each = part / static_cast<double>(all.size() + 2);
  for (const Drawing& one : all) {
    VERNIER_TRY(Finding finding, judged_draws(one.claim, one.law, one.fill, time, time.end_of(each)));
    section.findings.push_back(std::move(finding));
  }
  for (const auto& judged : {judged_ends, judged_values}) {
    VERNIER_TRY(Finding finding, judged(source, time, time.end_of(each)));
    section.findings.push_back(std::move(finding));
  }
  return section;
}

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
