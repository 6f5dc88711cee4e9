#pragma once

#include "vernier/audit/finding.hpp"
#include "vernier/audit/guesses.hpp"
#include "vernier/audit/timekeeper.hpp"
#include "vernier/audit/twin_case.hpp"
#include "vernier/random/source.hpp"

// Twin releases, and what they say of the privacy that is claimed.
namespace vernier::audit {

// What was seen of a case, over all its releases.
struct TwinTally {
  std::int64_t canaries = 0;
  double epsilon = 0, delta = 0;  // as the records claim
  std::optional<double> threshold = {};
  std::vector<Column> columns = {};
  Guesses guesses = {};
  Seen seen = {};                           // of the first number
  Drawn noise = {};                         // in the first number
  std::int64_t pairs = 0, equal_pairs = 0;  // of canaries side by side: the same noise
  std::int64_t equal_columns = 0;           // of one group
  std::int64_t published = 0;               // private keys
  std::map<std::vector<std::int64_t>, std::array<std::int64_t, 4>> points = {};  // chosen: by half and coin
};

// An error where the release does not have the groups and numbers that the statement asks for.
Result<void> add(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally);

std::vector<Finding> findings_on(const TwinCase& twin, const TwinTally& tally);

// One case, repeated until the end.
Result<TwinTally> tried(const TwinCase& twin, const Release& release, random::Source& source, const Timekeeper& time,
                        Timekeeper::Clock::time_point end);

// All cases, in this part of the time; `engines` gets the names of those that ran.
Result<Section> audited_twins(const Release& release, const Timekeeper& time, double part,
                              std::vector<std::string>& engines);

}  // namespace vernier::audit
