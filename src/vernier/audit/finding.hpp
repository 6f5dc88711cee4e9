#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace vernier::audit
