#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"

// What an audit found, in words and figures that anybody may read.
namespace vernier::audit {

// The chance, at most, that a sound installation is refuted anywhere in one audit; and at one of its findings, of which
// there are never more than this.
inline constexpr double false_alarm = 1e-6;
inline constexpr int most_findings = 100;
inline constexpr double each_level = false_alarm / most_findings;

// "Would have caught" means: with at least this probability.
inline constexpr double missed = 1e-3;

// How near an empirical bound must come to the claim where noise is the whole mechanism: else the audit has no power.
inline constexpr double least_nearness = 0.8;

enum class Verdict : std::uint8_t {
  stands,     // nothing speaks against the claim
  refuted,    // the claim is false, but for the chance of a false alarm
  powerless,  // the trial would not have seen a mistake: a defect of the audit
  not_tried,  // and the outcome says why
};

// One claim that was tried.
struct Finding {
  std::string claim;    // "the sum of one unit's value, geometric noise"
  std::int64_t trials;  // how often
  std::string of;       // what, of several: "draws"
  std::string outcome;  // what came of it
  std::string caught;   // the least mistake that would have been found
  Verdict verdict = Verdict::stands;
  std::optional<double> claimed = {};  // of a bound: the epsilon, delta or coverage that is claimed
  std::optional<double> found = {};    // and the one that is certain by this trial
  std::optional<double> level = {};    // at which the trial speaks against the claim, where it is a test
};

struct Section {
  std::string name;      // "laws"
  std::string title;     // "The noise has the law that is stated"
  std::string question;  // what was asked, in one or two sentences
  std::vector<Finding> findings = {};
};

struct Report {
  std::vector<Section> sections;
  std::vector<std::string> engines;  // that were run, with versions
  double minutes;                    // that were asked for
  bool refuted() const;
  bool lacks_power() const;
};

bool has(const Report& report, Verdict verdict);
std::string name_of(Verdict verdict);             // "stands"
std::string tried_words(const Finding& finding);  // "1 trial", "20,000 guesses"

// 0.015 as "1.5 %", 3e4 as "30000": the shortest decimal.
std::string words_of(double value);
std::string percent_words(double part);

// What a level says: "nothing speaks against it (level 0.31)".
std::string level_words(double level);

// How long an audit may take. Trials are repeated until their part of the time has passed, whatever they show: how
// many there are does not depend on what they find.
class Timekeeper {
 public:
  using Clock = std::chrono::steady_clock;

  Timekeeper(double minutes, Progress progress)
      : begin_(Clock::now()), seconds_(60 * minutes), progress_(std::move(progress)) {}

  // From now on, this part of the whole; nothing goes beyond its end.
  Clock::time_point end_of(double part) const {
    return std::min(Clock::now() + duration(part * seconds_), begin_ + duration(seconds_));
  }

  // Tells how far it is; an error where whoever watches wants it to end.
  Result<void> tell() const {
    const double done = std::chrono::duration<double>(Clock::now() - begin_).count() / seconds_;
    if (progress_(std::min(done, 0.999))) return {};
    return fail(ErrorKind::system, "the audit was stopped before its end",
                "nothing was found out, and no file is written");
  }

 private:
  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  Clock::time_point begin_;
  double seconds_;
  Progress progress_;
};

// Once, and then until the time is over.
template <class Trial>
Result<void> repeat_until(Timekeeper::Clock::time_point end, const Timekeeper& time, const Trial& trial) {
  do {
    if (Result<void> told = time.tell(); !told) return told;
    if (Result<void> tried = trial(); !tried) return tried;
  } while (Timekeeper::Clock::now() < end);
  return {};
}

}  // namespace vernier::audit
