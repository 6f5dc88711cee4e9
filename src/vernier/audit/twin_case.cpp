#include "vernier/audit/twin_case.hpp"

namespace vernier::audit {
namespace {

// Bounds of x; a canary says 1000, which is to be moved to the upper one.
constexpr const char* x_column = "x = { type = \"integer\", lower = 0, upper = 10 }\n";

void add_row(std::string& csv, std::int64_t id, std::int64_t group, std::int64_t x) {
  csv += std::to_string(id) + "," + std::to_string(group) + "," + std::to_string(x) + "\n";
}

// Of a choice: four rows of others, so that there are ranks to move.
void add_others(std::string& csv, std::int64_t group, std::int64_t canaries) {
  for (int i = 0; i < 4; ++i) add_row(csv, canaries + 4 * group + i, group, i < 2 ? 0 : 10);
}

}  // namespace

// One release alone is so large that a sound one is told to lack power with a chance far below that of a false alarm:
// its bound lies six standard errors or more above the four fifths. The epsilons are those at which guesses are few
// enough to miss and many enough to count: at 1 a guess is right in 73 of 100 cases. A claim at another epsilon is made
// by the same code.
std::vector<TwinCase> twin_cases() {
  const std::vector<std::string> one = {"--epsilon", "1"};
  return {
      {.claim = "COUNT(*), geometric noise, CSV", .kind = Kind::guesses, .columns = "COUNT(*) AS n", .words = one},
      {.claim = "COUNT(*) of units with five rows, Parquet",
       .kind = Kind::guesses,
       .columns = "COUNT(*) AS n",
       .words = one,
       .rows = 5,
       .is_parquet = true},
      {.claim = "SUM(x), a value beyond its bound",
       .kind = Kind::guesses,
       .columns = "SUM(x) AS n",
       .words = one,
       .moved = {10},
       .canaries = 30'000},
      {.claim = "COUNT(*) of units in two groups",
       .kind = Kind::guesses,
       .columns = "COUNT(*) AS n",
       .words = {"--epsilon", "1", "--max-groups", "2"},
       .groups = 2,
       .canaries = 40'000},
      {.claim = "SUM(x), a unit replaced by another",
       .kind = Kind::guesses,
       .columns = "SUM(x) AS n",
       .words = {"--epsilon", "2"},
       .moved = {10},
       .groups = 2,
       .canaries = 30'000,
       .is_replaced = true},
      {.claim = "two columns of one statement",
       .kind = Kind::guesses,
       .columns = "COUNT(*) AS n, COUNT(x) AS v",
       .words = {"--epsilon", "2"},
       .moved = {1, 1}},
      // Two sums, of 10 - x and of x.
      {.claim = "AVG(x), geometric noise",
       .kind = Kind::guesses,
       .columns = "AVG(x) AS n",
       .words = one,
       .moved = {0, 10},
       .canaries = 30'000},
      {.claim = "COUNT(*), discrete Gaussian noise",
       .kind = Kind::profile,
       .columns = "COUNT(*) AS n",
       .words = {"--epsilon", "1", "--delta", "0.1", "--alpha", "0.001"},
       .has_delta = true,
       .canaries = 40'000},
      {.claim = "private keys of one unit each",
       .kind = Kind::keys,
       .columns = "COUNT(*) AS n",
       .words = {"--epsilon", "1", "--delta", "0.2"},
       .has_delta = true,
       .canaries = 80'000},
      {.claim = "MEDIAN(x), exponential law", .kind = Kind::choice, .columns = "MEDIAN(x) AS n", .words = one},
  };
}

Canaries Canaries::of(const TwinCase& twin, std::vector<bool> coins) {
  Canaries canaries{std::move(coins), "id,g,x\n"};
  const auto number = static_cast<std::int64_t>(canaries.coins.size());
  for (std::int64_t i = 0; i < number; ++i) {
    for (int group = 0; group < twin.groups; ++group) {
      const std::int64_t place = i * twin.groups + group;
      if (twin.kind == Kind::choice) add_others(canaries.csv, place, number);
      if (!twin.is_there(canaries.coins[static_cast<std::size_t>(i)], group)) continue;
      for (int row = 0; row < twin.rows; ++row) add_row(canaries.csv, i, place, 1000);
    }
  }
  return canaries;
}

std::string catalog_of(const TwinCase& twin, std::size_t canaries) {
  const std::string last = std::to_string(canaries * static_cast<std::size_t>(twin.groups) - 1);
  return std::string("[budget]\nepsilon = 100\n") + (twin.has_delta ? "delta = 0.5\n" : "") +
         "ledger = \"audit.ledger\"\n[tables.t]\nsource = \"" + (twin.is_parquet ? "t.parquet" : "t.csv") +
         "\"\nunit = \"id\"\n" + (twin.is_replaced ? "neighbours = \"replace\"\n" : "") +
         "[tables.t.columns]\nid = { type = \"integer\" }\ng = { type = \"integer\", lower = 0, upper = " + last +
         " }\n" + x_column;
}

std::vector<std::string> query_of(const TwinCase& twin) {
  const std::string key = twin.kind == Kind::keys ? "g" : "BUCKET(g, 1)";
  std::vector<std::string> words = {"query", "--catalog", "catalog.toml",
                                    "SELECT " + key + " AS k, " + twin.columns + " FROM t GROUP BY " + key, "--json"};
  words.insert(words.end(), twin.words.begin(), twin.words.end());
  return words;
}

}  // namespace vernier::audit
