#include "vernier/audit/noises.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/audit/laws.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::audit {
namespace {

void add_equality(Hits& pairs, std::int64_t one, std::int64_t other) {
  ++pairs.trials;
  pairs.hits += one == other ? 1 : 0;
}

// Pairs without a common member, so that they are independent where numbers are.
void add_groups(std::span<const std::int64_t> noise, std::size_t width, Noises& noises) {
  const std::size_t groups = noise.size() / width;
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const std::size_t far = distances[k];
    for (std::size_t i = 0; i + far < groups; ++i) {
      if (i / far % 2 == 0) add_equality(noises.groups[k], noise[i * width], noise[(i + far) * width]);
    }
  }
}

// The least of some parts of pairs that surely show it where they share their draw; all of them where none does.
double least_part_shared(Hits pairs, double chance, double level) {
  double least = 1;
  for (const double part : {1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}) {
    if (!is_surely_found(pairs.trials, chance, chance + part * (1 - chance), level, missed)) break;
    least = part;
  }
  return least;
}

// Noise is the same as often as that of two draws is, in every list of pairs.
Finding on_pairs(std::string claim, std::span<const Hits> lists, Bounds chance) {
  const double each = each_level / static_cast<double>(lists.size());
  double level = 1;
  std::int64_t trials = 0;
  for (const Hits& pairs : lists) {
    if (pairs.trials == 0) continue;
    level = std::min(level, surprise(pairs, chance) * static_cast<double>(lists.size()));
    trials += pairs.trials;
  }
  return {.claim = std::move(claim),
          .trials = trials,
          .of = "pairs",
          .outcome = level_words(level),
          .caught = "one draw used twice, in " +
                    percent_words(least_part_shared(lists.front(), chance.upper, each / 2)) + " of the pairs",
          .verdict = level <= each_level ? Verdict::refuted : Verdict::stands,
          .level = level};
}

// What two numbers of a group, and two groups, have in common.
void add_sharing(const std::string& claim, const Noises& noises, Bounds of_columns, Bounds of_groups,
                 std::vector<Finding>& all) {
  if (noises.columns.trials > 0) {
    all.push_back(
        on_pairs("two numbers of one group have noise of their own: " + claim, {&noises.columns, 1}, of_columns));
  }
  all.push_back(on_pairs("two groups of one release have noise of their own: " + claim, noises.groups, of_groups));
}

}  // namespace

void add(std::span<const std::int64_t> noise, std::size_t width, Noises& noises) {
  noises.width = width;
  for (std::size_t first = 0; first + width <= noise.size(); first += width) {
    const auto group = noise.subspan(first, width);
    for (const std::int64_t one : group) ++noises.drawn[one];
    const auto [least, greatest] = std::minmax_element(group.begin(), group.end());
    ++noises.middles[*greatest + *least], ++noises.spreads[*greatest - *least];
    if (width > 1) add_equality(noises.columns, group[0], group[1]);
  }
  add_groups(noise, width, noises);
}

std::vector<Finding> findings_on(const std::string& claim, const Noises& noises, const IntegerLaw& law) {
  const Bounds chance = chance_of_equality(law);
  std::vector<Finding> all = {
      finding_on_draws("noise of " + claim, law, events_of(law, noises.drawn), number_of(noises.drawn), "numbers")};
  add_sharing(claim, noises, chance, chance, all);
  return all;
}

// ---- a box

namespace {

using numeric::add_down;
using numeric::add_up;
using numeric::divide_down;
using numeric::divide_up;
using numeric::multiply_down;
using numeric::multiply_up;

// The sum over k < shape of x^k / k!, from below and from above.
Bounds terms(std::size_t shape, double x) {
  Bounds term{1, 1}, sum{0, 0};
  for (std::size_t k = 1; k <= shape; ++k) {
    const auto next = static_cast<double>(k);
    sum = {add_down(sum.lower, term.lower), add_up(sum.upper, term.upper)};
    term = {divide_down(multiply_down(term.lower, x), next), divide_up(multiply_up(term.upper, x), next)};
  }
  return sum;
}

// P[X > x] of the gamma law of a whole shape: e^-x times these terms.
double gamma_tail_down(std::size_t shape, double x) {
  return multiply_down(terms(shape, x).lower, numeric::exp_down(-x));
}
double gamma_tail_up(std::size_t shape, double x) {
  return std::min(1.0, multiply_up(terms(shape, x).upper, numeric::exp_up(-x)));
}

// P[2 half scale X >= distance] for X of that law, where rounding of two numbers moves the left side by 1 at most.
Bounds tail(const BoxLaw& law, std::size_t shape, std::int64_t distance) {
  const double unit = 2 * static_cast<double>(law.half);  // a whole number
  const double least = multiply_down(unit, law.scale), greatest = multiply_up(unit, law.scale);
  const auto near = static_cast<double>(std::max<std::int64_t>(distance - 1, 0));
  const auto far = static_cast<double>(distance + 1);
  return {gamma_tail_down(shape, divide_up(far, least)), gamma_tail_up(shape, divide_down(near, greatest))};
}

std::int64_t outside(const Drawn& drawn, std::int64_t distance) {
  std::int64_t hits = 0;
  for (const auto& [value, number] : drawn) hits += std::abs(value) >= distance ? number : 0;
  return hits;
}
std::int64_t above(const Drawn& drawn, std::int64_t distance) {
  std::int64_t hits = 0;
  for (auto at = drawn.lower_bound(distance); at != drawn.end(); ++at) hits += at->second;
  return hits;
}

constexpr std::array<double, 9> outside_chances = {0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.03, 0.01, 0.001};

// Where about this part is left; the events themselves have certain bounds.
std::int64_t distance_at(const BoxLaw& law, double chance) {
  return static_cast<std::int64_t>(-2 * static_cast<double>(law.half) * law.scale * std::log(chance)) + 1;
}

// box.md, "Privacy": half of greatest + least is Laplace noise of the scale, and half of greatest - least is of the
// gamma law with one shape less than there are numbers.
std::vector<Event> events_of(const BoxLaw& law, const Noises& noises) {
  std::vector<Event> events;
  for (const double chance : outside_chances) {
    const std::int64_t distance = distance_at(law, chance);
    const Bounds middle = tail(law, 1, distance);
    events.push_back({middle, outside(noises.middles, distance)});
    events.push_back({{middle.lower / 2, middle.upper / 2}, above(noises.middles, distance)});
    events.push_back({tail(law, law.numbers - 1, distance), above(noises.spreads, distance)});
  }
  return events;
}

std::optional<double> least_part_found(const BoxLaw& law, std::int64_t trials) {
  const double each = each_level / static_cast<double>(2 * 3 * outside_chances.size());
  const auto is_found = [&](double part) {
    const BoxLaw less{law.scale * (1 - part), law.half, law.numbers};
    return std::any_of(outside_chances.begin(), outside_chances.end(), [&](double chance) {
      const std::int64_t distance = distance_at(law, chance);
      return is_surely_found(trials, tail(law, 1, distance).lower, tail(less, 1, distance).upper, each, missed);
    });
  };
  std::optional<double> least;
  for (const double part : {0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.015, 0.01, 0.007, 0.005}) {
    if (!is_found(part)) break;
    least = part;
  }
  return least;
}

// Densities are greatest at 0, where they are E[1 / R] / (2 scale) = 1 / (2 n scale) for one number, and for the
// difference of two as well. Rounded numbers are the same where these lie in one step, or less than a step apart.
Bounds same_number(const BoxLaw& law, double steps) {
  const double width = multiply_down(2 * static_cast<double>(law.half) * static_cast<double>(law.numbers), law.scale);
  return {0, std::min(1.0, divide_up(steps, width))};
}

}  // namespace

std::vector<Finding> findings_on(const std::string& claim, const Noises& noises, const BoxLaw& law) {
  const std::vector<Event> events = events_of(law, noises);
  const std::int64_t trials = number_of(noises.middles);
  const double level = surprise(events, trials);
  const std::optional<double> part = least_part_found(law, trials);
  const Verdict unrefuted = part ? Verdict::stands : Verdict::powerless;
  std::vector<Finding> all = {
      {.claim = "noise of " + claim,
       .trials = trials,
       .of = "groups",
       .outcome = level_words(level),
       .caught = part ? "a scale too small by " + percent_words(*part) : "nothing: too few of them",
       .verdict = level <= each_level ? Verdict::refuted : unrefuted,
       .level = level}};
  add_sharing(claim, noises, same_number(law, 2), same_number(law, 1), all);
  return all;
}

}  // namespace vernier::audit
