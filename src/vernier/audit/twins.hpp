#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vernier/audit/finding.hpp"
#include "vernier/audit/guesses.hpp"
#include "vernier/audit/noises.hpp"
#include "vernier/audit/released.hpp"
#include "vernier/random/source.hpp"

// Neighbouring tables, many in one: each canary stands in groups of its own, and a coin decides whether it is there.
// What twin releases say of the privacy that is claimed.
namespace vernier::audit {

enum class Kind : std::uint8_t {
  guesses,  // geometric noise: epsilon from guesses at the coins
  profile,  // discrete Gaussian noise: the whole profile
  keys,     // private keys, each of one canary: how often they are published
  choice,   // a point that is chosen by its rank: the profile of a bounded range
};

// Of a choice: the point that canaries speak for.
inline constexpr std::int64_t upper_point = 2;

struct TwinCase {
  std::string claim;  // "COUNT(*), geometric noise, CSV"
  Kind kind;
  std::string columns;             // what is asked, of every group
  std::vector<std::string> words;  // options of the statement
  bool has_delta = false;
  std::vector<std::int64_t> moved = {1};  // what the canary adds to each number of its groups, in units of x
  int groups = 1;                         // of a canary
  int rows = 1;                           // of a canary in each of its groups
  std::size_t canaries = 20'000;  // of one release: so many that it brings the bound within a fifth of the claim
  bool is_replaced = false;       // the coin says in which of two groups the canary is
  bool is_parquet = false;

  bool is_there(bool coin, int group) const { return is_replaced ? coin == (group == 0) : coin; }

  // The exact number of one of its groups.
  std::int64_t truth(bool coin, int group, std::size_t number) const {
    return is_there(coin, group) ? moved[number] : 0;
  }
};

// All that an audit tries.
std::vector<TwinCase> twin_cases();

// A table of canaries.
struct Canaries {
  std::vector<bool> coins;
  std::string csv;

  static Canaries of(const TwinCase& twin, std::vector<bool> coins);
};
std::string catalog_of(const TwinCase& twin, std::size_t canaries);
std::vector<std::string> query_of(const TwinCase& twin);

// Releases a table, by the program or by whatever a test puts in its place.
using Release = std::function<Result<Released>(const TwinCase&, const Canaries&)>;

// What was seen of a case, over all its releases.
struct TwinTally {
  std::int64_t canaries = 0;
  double epsilon = 0, delta = 0;  // as the records claim, and of epsilon no more than was asked
  std::optional<double> threshold = {};
  std::vector<Column> columns = {};
  Guesses guesses = {};
  Seen seen = {};              // of the first number; of a choice its value
  Noises noises = {};          // of every number of every group
  std::int64_t half = 0;       // of numbers in a box: how far a canary moves each
  std::int64_t published = 0;  // private keys
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
