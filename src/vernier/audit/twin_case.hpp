#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vernier/audit/released.hpp"

// Neighbouring tables, many in one: each canary stands in groups of its own, and a coin decides whether it is there.
namespace vernier::audit {

enum class Kind : std::uint8_t {
  guesses,  // geometric noise: epsilon from guesses at the coins
  profile,  // discrete Gaussian noise: the whole profile
  keys,     // private keys, each of one canary: how often they are published
  choice,   // points that are chosen by their ranks
};

struct TwinCase {
  std::string claim;  // "COUNT(*), geometric noise, CSV"
  Kind kind;
  std::string columns;             // what is asked, of every group
  std::vector<std::string> words;  // options of the statement
  bool has_delta = false;
  std::vector<std::int64_t> moved = {1};  // what the canary adds to each number of its groups
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

}  // namespace vernier::audit
