// Vernier in the accounting benchmark: both ends of the total epsilon of many releases.
// Speaks the protocol of bench/README.md; the lines are those of bench/accounting/cases.py.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/contender.hpp"
#include "vernier/accounting/accountant.hpp"
#include "vernier/accounting/adaptive.hpp"
#include "vernier/accounting/event_statement.hpp"

namespace {

using namespace vernier;
using bench::need;
using bench::NotMeasured;

using accounting::Event;
using accounting::Release;

Release laplace(double scale) {
  return mechanism::LaplaceMechanism::at_scale(need(LaplaceScale::of(scale)), need(privacy::L1Sensitivity::of(1)));
}
Release gaussian(double scale) {
  return mechanism::GaussianMechanism::at_scale(need(Sigma::of(scale)), need(privacy::L2Sensitivity::of(1)));
}
Release geometric(double scale) {
  return need(
      mechanism::GeometricMechanism::at_scale(need(LaplaceScale::of(scale)), need(privacy::IntegerSensitivity::of(1))));
}
Release discrete_gaussian(double scale) {
  return need(
      mechanism::DiscreteGaussianMechanism::at_scale(need(Sigma::of(scale)), need(privacy::IntegerSensitivity::of(1))));
}
Release pure(double epsilon) { return accounting::PureStatement{need(privacy::Epsilon::of(epsilon))}; }

Release release_of(const std::string& law, double scale) {
  static const std::map<std::string, std::function<Release(double)>> known{
      {"laplace", laplace}, {"gaussian", gaussian}, {"geometric", geometric}, {"discrete-gaussian", discrete_gaussian},
      {"pure", pure},
  };
  if (!known.contains(law)) throw NotMeasured("there is no release " + law);
  return known.at(law)(scale);
}

// "LAW SCALE TIMES RATE"
Event event_of(const std::string& text) {
  std::istringstream words(text);
  std::string law;
  double scale = 0;
  double rate = 0;
  std::int64_t times = 0;
  if (!(words >> law >> scale >> times >> rate)) throw NotMeasured("an event is a law and three numbers, not " + text);
  return need(Event::of(release_of(law, scale), privacy::Neighbours::add_remove, need(accounting::Times::of(times)),
                        need(privacy::SamplingRate::of(rate))));
}

struct Question {
  std::string asked;
  privacy::Delta delta;
  std::vector<Event> events;
};

// "ASKED DELTA: EVENT, EVENT, ..."
Question question_of(const std::string& line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) throw NotMeasured("a case has a colon before its events, not \"" + line + "\"");
  std::istringstream head(line.substr(0, colon));
  std::string asked;
  double delta = 0;
  if (!(head >> asked >> delta)) throw NotMeasured("a case begins with what is asked and a delta");
  Question question{asked, need(privacy::Delta::of(delta)), {}};
  std::istringstream events(line.substr(colon + 2));
  for (std::string text; std::getline(events, text, ',');) question.events.push_back(event_of(text));
  return question;
}

struct Ends {
  std::optional<double> lower;
  double upper;
};

using Call = std::function<Ends()>;

Ends total(const Question& question) {
  const Bounds found = need(need(accounting::Accountant::of(question.events)).epsilon(question.delta)).bounds;
  return {found.lower, found.upper};
}

// The total after each event; the last of them.
Ends running_total(const Question& question) {
  auto odometer = need(accounting::ZcdpOdometer::of(question.delta));
  double epsilon = 0;
  for (const Event& event : question.events) {
    const auto concentrated = accounting::concentrated(event);
    if (!concentrated) throw NotMeasured("an event of the odometer has no rho");
    need(odometer.spend(need(numeric::Rational::of(concentrated->rho))));
    epsilon = odometer.epsilon();
  }
  return {std::nullopt, epsilon};
}

// From the events on: whatever is made of them is made anew by each call.
Call call_for(const Question& question) {
  if (question.asked == "epsilon") return [question] { return total(question); };
  if (question.asked == "odometer") return [question] { return running_total(question); };
  throw NotMeasured("there is no question " + question.asked);
}

constexpr std::string_view bounds = "bounds ";

class Contender {
 public:
  explicit Contender(double seconds) : seconds_(seconds) {}

  // Microseconds for a case, or both ends of the answer after the word "bounds".
  std::string answer(const std::string& line) {
    if (line.starts_with(bounds)) {
      const Ends found = timed(line.substr(bounds.size())).call();
      return (found.lower ? bench::text(*found.lower) : "-") + " " + bench::text(found.upper);
    }
    Timed& one = timed(line);
    one.best = std::min(one.best, bench::call_seconds([&] { return one.call().upper; }, seconds_));
    return bench::text(1e6 * one.best);
  }

 private:
  struct Timed {
    Call call;
    double best = std::numeric_limits<double>::infinity();
  };

  Timed& timed(const std::string& line) {
    if (!timed_.contains(line)) timed_.emplace(line, Timed{call_for(question_of(line))});
    return timed_.at(line);
  }

  double seconds_;
  std::map<std::string, Timed> timed_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "give the CPU seconds of a figure\n";
    return 2;
  }
  Contender contender(std::atof(arguments[1]));
  bench::serve([&](const std::string& line) { return contender.answer(line); });
}
