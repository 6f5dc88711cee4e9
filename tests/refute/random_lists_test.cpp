#include "support/random_lists.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/composition_verdict.hpp"
#include "support/events.hpp"
#include "support/pair_bracket.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/core/text.hpp"

// Every list is answered by ends that are a thousandth apart or less, or with a reason, in two seconds at most, and
// never optimistically.
namespace vernier::test {
namespace {

using accounting::Accountant;
using accounting::Event;
using accounting::Figure;
using accounting::Guarantee;

constexpr double most_seconds = 2;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// What was seen of all answers.
struct Seen {
  int questions = 0, refused = 0, with_reference = 0;
  int apart = 0;                   // with a reason that lies in the events, or in a figure that is next to nothing
  int unresolved = 0;              // more than a thousandth apart for want of time
  std::vector<std::string> wrong;  // optimistic, overclaimed, refused or slow: each a sentence
  std::vector<double> seconds;
  std::vector<std::string> unresolved_ones;

  double quantile(double share) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  }
};

// The chance of an infinite loss, but for the escape of keys.
double infinite_chance(const std::vector<Event>& events) {
  double log_none = 0;
  for (const Event& event : events) {
    if (const auto* stated = std::get_if<accounting::ApproximateStatement>(&event.release())) {
      log_none +=
          static_cast<double>(event.times().value()) * std::log1p(-event.sampling().value() * stated->delta.value());
    }
  }
  return -std::expm1(log_none);
}

bool has_keys(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<accounting::KeySelection>(event.release());
  });
}

// Whether some loss has no bound below infinity, so that delta is never 0.
bool is_unbounded(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<mechanism::GaussianMechanism>(event.release()) ||
           std::holds_alternative<mechanism::DiscreteGaussianMechanism>(event.release()) ||
           std::holds_alternative<accounting::ZcdpStatement>(event.release());
  });
}

void look_at_gap(Seen& seen, const RandomList& list, Figure figure, const Bounds& bounds, const std::string& told) {
  if (!accounting::why_apart(bounds, figure, list.events)) return;
  const double nothing = figure == Figure::epsilon ? accounting::least_epsilon_told : accounting::least_delta_told;
  if (has_statement_with_a_gap(list.events) || bounds.upper <= nothing) {
    ++seen.apart;
  } else {
    ++seen.unresolved;
    seen.unresolved_ones.push_back(told);
  }
}

void judge(Seen& seen, const RandomList& list, Figure figure, const Bounds& bounds, const Reference& exact,
           const std::string& told) {
  ++seen.with_reference;
  if (figure == Figure::delta) {
    const Bounds truth = exact(list.epsilon);
    if (truth.lower > bounds.upper) seen.wrong.push_back("optimistic: " + told + ", at least " + shortest(truth.lower));
    if (truth.upper < bounds.lower) seen.wrong.push_back("overclaimed: " + told + ", at most " + shortest(truth.upper));
    return;
  }
  // The reference has its losses as doubles: at a jump of delta it may lie aside by that much.
  if (exact(bounds.upper * (1 + 1e-9)).lower > list.delta) seen.wrong.push_back("optimistic: " + told);
  if (bounds.lower > 0 && exact(bounds.lower).upper < list.delta) seen.wrong.push_back("overclaimed: " + told);
}

void ask(Seen& seen, const RandomList& list, Figure figure, const std::optional<Reference>& exact) {
  const Accountant accountant = *Accountant::of(list.events);
  const bool of_epsilon = figure == Figure::epsilon;
  const double begun = processor_seconds();
  const Result<Guarantee> found = of_epsilon ? accountant.epsilon(*privacy::Delta::of(list.delta))
                                             : accountant.delta(*privacy::Epsilon::of(list.epsilon));
  const double taken = processor_seconds() - begun;
  ++seen.questions;
  seen.seconds.push_back(taken);
  std::string told =
      of_epsilon ? "epsilon at delta " + shortest(list.delta) : "delta at epsilon " + shortest(list.epsilon);
  told += " of " + described(list.events);
  if (taken > most_seconds) seen.wrong.push_back(shortest(taken) + " seconds: " + told);
  if (!found) {
    ++seen.refused;
    const bool may_be =
        of_epsilon && (infinite_chance(list.events) >= list.delta * (1 - 1e-9) || has_keys(list.events));
    if (!may_be) seen.wrong.push_back("refused: " + told + ": " + found.error().sentence());
    return;
  }
  told += ": " + shortest(found->bounds.lower) + " to " + shortest(found->bounds.upper);
  if (!of_epsilon && found->bounds.upper == 0 && is_unbounded(list.events))
    seen.wrong.push_back("0 certified: " + told);
  look_at_gap(seen, list, figure, found->bounds, told);
  if (exact) judge(seen, list, figure, found->bounds, *exact, told);
}

Seen asked(int count, std::uint64_t seed, int atoms) {
  Seen seen;
  for (int i = 0; i < count; ++i) {
    Parameters any(seed + static_cast<std::uint64_t>(i));
    const RandomList list = random_list(any);
    const std::optional<Reference> exact = pair_bracket(list.events, std::min(list.delta, 1e-12), atoms);
    ask(seen, list, Figure::epsilon, exact);
    ask(seen, list, Figure::delta, exact);
  }
  return seen;
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string all;
  for (std::size_t i = 0; i < std::min<std::size_t>(sentences.size(), 20); ++i) all += sentences[i] + "\n";
  return all;
}

// One in a hundred may be left unresolved, with that as its reason: seen are three in a thousand, of a million releases
// beside few others, or at a delta below 1e-80.
void expect_all_answered(Seen seen) {
  std::printf(
      "%d questions, %d refused, %d with a reference; more than 0.1 %% apart: %d by their events, %d unresolved; "
      "seconds: median %.3f, 99 %% %.3f, greatest %.3f\n",
      seen.questions, seen.refused, seen.with_reference, seen.apart, seen.unresolved, seen.quantile(0.5),
      seen.quantile(0.99), seen.quantile(1));
  EXPECT_TRUE(seen.wrong.empty()) << seen.wrong.size() << "\n" << joined(seen.wrong);
  EXPECT_LE(seen.unresolved, 1 + seen.questions / 100) << joined(seen.unresolved_ones);
  EXPECT_GT(seen.with_reference, seen.questions / 10);
}

TEST(SlowRandomLists, AreAnsweredCloselyAndSoon) { expect_all_answered(asked(60, 700'000, 40)); }
TEST(HeavyRandomLists, AreAnsweredCloselyAndSoonA) { expect_all_answered(asked(2500, 710'000, 120)); }
TEST(HeavyRandomLists, AreAnsweredCloselyAndSoonB) { expect_all_answered(asked(2500, 720'000, 120)); }
TEST(HeavyRandomLists, AreAnsweredCloselyAndSoonC) { expect_all_answered(asked(2500, 730'000, 120)); }
TEST(HeavyRandomLists, AreAnsweredCloselyAndSoonD) { expect_all_answered(asked(2500, 740'000, 120)); }

// Losses next to the greatest one on tiny samples, which a sum of logarithms would lose: the answers lie around the
// exact ln(1 + q (e^(g - t) - 1)), t = -2 ln(1 - delta / q), and the reference does not claim that they do not.
TEST(RandomLists, OfTinySamplesAreJudgedByWhatIsExact) {
  struct Case {
    double scale, rate, delta;
  };
  for (const Case& one : {Case{0.48318993218473016, 1.004055767842558e-09, 2.3342013300285007e-21},
                          Case{0.1499246232232572, 1.316980508957968e-10, 6.76368006797436e-66}}) {
    const std::vector<Event> events = {event(laplace(one.scale), 1, one.rate)};
    const Bounds found = epsilon_of(events, one.delta).bounds;
    const long double t = -2 * std::log1p(-static_cast<long double>(one.delta) / one.rate);
    const auto exact =
        static_cast<double>(std::log1p(one.rate * std::expm1(1 / static_cast<long double>(one.scale) - t)));
    EXPECT_LE(found.lower, exact * (1 + 1e-15));
    EXPECT_GE(found.upper, exact * (1 - 1e-15));
    EXPECT_GE((*pair_bracket(events, one.delta, 120))(found.lower).upper, one.delta);
  }
}

// The lists that were found by refereeing.
TEST(RandomLists, OnceFoundAreAnswered) {
  const auto ask_delta = [](const std::vector<Event>& events, double epsilon) {
    return delta_of(events, epsilon).bounds;
  };
  const Bounds tiny = ask_delta({event(discrete_gaussian(0.0461), 2, 0.5)}, 938.697);
  EXPECT_GE(tiny.upper, 2.103e-103);
  EXPECT_LE(tiny.upper, 2.106e-103);
  EXPECT_GE(epsilon_of({event(discrete_gaussian(0.0461), 2, 0.5)}, 1.5e-103).bounds.upper, 938.9);
  EXPECT_EQ(ask_delta({event(gaussian(10))}, 20).upper, 5e-324);
  EXPECT_EQ(ask_delta({event(gaussian(10)), event(pure(1e-3))}, 20).upper, 5e-324);
  const Bounds endless = ask_delta({event(gaussian(8000), 1, 0.8), event(approximate(0.75, 0.004), 1, 0.25)}, 0.43);
  EXPECT_NEAR(endless.upper, 0.001, 1e-9);
  EXPECT_NEAR(endless.lower, 0.001, 1e-9);
  const Bounds useless = ask_delta({event(gaussian(0.016), 1, 0.0004), event(pure(0.1))}, 2);
  EXPECT_NEAR(useless.upper, 4e-4, 1e-7);
  EXPECT_NEAR(useless.lower, 4e-4, 1e-7);
}

}  // namespace
}  // namespace vernier::test
