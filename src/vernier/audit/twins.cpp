#include "vernier/audit/twins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "vernier/audit/laws.hpp"
#include "vernier/interval/rows/boxed.hpp"

namespace vernier::audit {
namespace {

// Bounds of x; a canary says 1000, which is to be moved to the upper one.
constexpr const char* x_column = "x = { type = \"integer\", lower = 0, upper = 10 }\n";

void add_row(std::string& csv, std::int64_t id, std::int64_t group, std::int64_t x) {
  csv += std::to_string(id) + "," + std::to_string(group) + "," + std::to_string(x) + "\n";
}

// Of a choice: three rows of others. Without the two rows of a canary, which stand above them, the median lies at the
// lower of their two points; with them it lies as far on the other side, at the upper one.
void add_others(std::string& csv, std::int64_t group, std::int64_t canaries) {
  for (int i = 0; i < 3; ++i) add_row(csv, canaries + 3 * group + i, group, i < 2 ? upper_point - 1 : upper_point);
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
       .words = {"--accuracy", "2"},  // of both, so that they have the same law; it costs epsilon 2.3
       .moved = {1, 1}},
      // Numbers of units share no box: every number has a draw of its own.
      {.claim = "two columns, a unit replaced by another",
       .kind = Kind::guesses,
       .columns = "COUNT(DISTINCT id) AS n, COUNT(x) AS v",
       .words = {"--accuracy", "6"},
       .moved = {1, 1},
       .groups = 2,
       .canaries = 40'000,
       .is_replaced = true},
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
       .words = {"--epsilon", "0.3", "--delta", "0.3"},  // one key in eleven is published, so that there are many
       .has_delta = true,
       .canaries = 80'000},
      {.claim = "MEDIAN(x), exponential law",
       .kind = Kind::choice,
       .columns = "MEDIAN(CLAMP(x, 0, 3)) AS n",
       .words = {"--epsilon", "2", "--max-rows", "2"},
       .rows = 2,
       .canaries = 30'000},
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

namespace {

Result<std::vector<bool>> coins_of(const TwinCase& twin, std::size_t number, random::Source& source) {
  std::vector<bool> coins(number, true);
  if (twin.kind == Kind::keys) return coins;  // who is not there has no key
  for (std::size_t i = 0; i < number; i += 64) {
    VERNIER_TRY(const auto word, source.draws.next());
    for (std::size_t bit = 0; bit < 64 && i + bit < number; ++bit) coins[i + bit] = ((word >> bit) & 1) != 0;
  }
  return coins;
}

// The case with what canaries add in whole steps of the columns' grids, in which noisy numbers are. The two sums of a
// mean are one column.
TwinCase in_steps(TwinCase twin, const std::vector<Column>& columns) {
  for (std::size_t i = 0; i < twin.moved.size() && !columns.empty(); ++i) {
    const Column& column = columns[std::min(i, columns.size() - 1)];
    const double step = column.mechanism == "box" ? 1.0 / interval::box_parts : column.granularity;
    twin.moved[i] = std::llround(static_cast<double>(twin.moved[i]) / step);
  }
  return twin;
}

// The numbers of one canary, group by group.
std::vector<std::int64_t> outputs(const TwinCase& twin, const Released& released, std::size_t canary) {
  std::vector<std::int64_t> all;
  for (int group = 0; group < twin.groups; ++group) {
    const Group& one =
        released.groups[canary * static_cast<std::size_t>(twin.groups) + static_cast<std::size_t>(group)];
    all.insert(all.end(), one.noisy.begin(), one.noisy.end());
  }
  return all;
}

// Whether every number lies where it is e^(its share of epsilon) times as likely under this coin as under the other.
bool speaks_for(const TwinCase& twin, bool coin, const std::vector<std::int64_t>& numbers) {
  const std::size_t width = twin.moved.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t moved = twin.moved[i % width];
    if (moved == 0) continue;
    const bool is_there = twin.is_there(coin, static_cast<int>(i / width));
    if (is_there ? numbers[i] < moved : numbers[i] > 0) return false;
  }
  return true;
}

// Likewise of numbers that one box holds, all moved alike: which coin is likelier depends on the middle between the
// greatest and the least alone, and where that is a step beyond the points of both coins, the ratio is e^epsilon
// whatever the reals were that were rounded.
bool speaks_in_box(const TwinCase& twin, bool coin, const std::vector<std::int64_t>& numbers) {
  const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  return coin ? *least + *greatest > 2 * twin.moved.front() : *least + *greatest < 0;
}

void guess(const TwinCase& twin, bool coin, const std::vector<std::int64_t>& numbers, bool is_boxed, Guesses& guesses) {
  for (const bool said : {true, false}) {
    if (!(is_boxed ? speaks_in_box : speaks_for)(twin, said, numbers)) continue;
    ++guesses.made;
    guesses.right += said == coin ? 1 : 0;
    return;
  }
}

void add_noise(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  const std::size_t width = twin.moved.size();
  std::vector<std::int64_t> noise;
  for (std::size_t i = 0; i < canaries.coins.size(); ++i) {
    const std::vector<std::int64_t> numbers = outputs(twin, released, i);
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      noise.push_back(numbers[j] - twin.truth(canaries.coins[i], static_cast<int>(j / width), j % width));
    }
  }
  add(noise, width, tally.noises);
  tally.half = twin.moved.front();
}

void add_numbers(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  for (std::size_t i = 0; i < canaries.coins.size(); ++i) {
    const bool coin = canaries.coins[i];
    const std::vector<std::int64_t> numbers = outputs(twin, released, i);
    guess(twin, coin, numbers, released.columns.front().mechanism == "box", tally.guesses);
    ++(coin ? tally.seen.with : tally.seen.without)[numbers.front()];
  }
  add_noise(twin, canaries, released, tally);
}

// Of a choice the middle one of its points: the value.
void add_values(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  for (std::size_t i = 0; i < canaries.coins.size(); ++i) {
    ++(canaries.coins[i] ? tally.seen.with : tally.seen.without)[outputs(twin, released, i)[1]];
  }
}

}  // namespace

namespace {

// What the question allowed; a record that claims more of it is not believed.
double asked_epsilon(const std::vector<std::string>& words) {
  const auto said = std::find(words.begin(), words.end(), "--epsilon");
  return said == words.end() ? std::numeric_limits<double>::infinity() : std::stod(said[1]);
}

}  // namespace

Result<void> add(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  const std::size_t groups = canaries.coins.size() * static_cast<std::size_t>(twin.groups);
  const std::size_t width = twin.kind == Kind::choice ? 3 : twin.moved.size();
  const bool has_numbers = std::all_of(released.groups.begin(), released.groups.end(),
                                       [&](const Group& group) { return group.noisy.size() == width; });
  if (!has_numbers || (twin.kind != Kind::keys && released.groups.size() != groups)) {
    return fail(ErrorKind::system, "a release of the audit lacks groups or numbers that are public");
  }
  tally.canaries += static_cast<std::int64_t>(canaries.coins.size());
  tally.epsilon = std::min(released.epsilon, asked_epsilon(twin.words));
  tally.delta = released.delta;
  tally.threshold = released.threshold;
  tally.columns = released.columns;
  if (twin.kind == Kind::keys) {
    tally.published += static_cast<std::int64_t>(released.groups.size());
  } else if (twin.kind == Kind::choice) {
    add_values(twin, canaries, released, tally);
  } else {
    add_numbers(in_steps(twin, released.columns), canaries, released, tally);
  }
  return {};
}

Result<TwinTally> tried(const TwinCase& twin, const Release& release, random::Source& source, const Timekeeper& time,
                        Timekeeper::Clock::time_point end) {
  TwinTally tally;
  VERNIER_TRY(repeat_until(end, time, [&]() -> Result<void> {
    VERNIER_TRY(std::vector<bool> coins, coins_of(twin, twin.canaries, source));
    const Canaries table = Canaries::of(twin, std::move(coins));
    VERNIER_TRY(const Released released, release(twin, table));
    return add(twin, table, released, tally);
  }));
  return tally;
}

Result<Section> audited_twins(const Release& release, const Timekeeper& time, double part,
                              std::vector<std::string>& engines) {
  VERNIER_TRY(random::Source source, random::Source::open());
  Section section{.name = "twins",
                  .title = "Nobody can tell who is in the data, beyond what is claimed",
                  .question =
                      "A coin decides for each canary whether it is in the table. The table is released by the "
                      "program, and whoever sees the release bets on the coins, in the best way there is. What "
                      "the bets win proves a lower bound on the privacy loss: it must not pass the claim, and "
                      "must come near it where noise is the whole mechanism."};
  const Release watched = [&](const TwinCase& twin, const Canaries& canaries) {
    Result<Released> released = release(twin, canaries);
    if (released && std::find(engines.begin(), engines.end(), released->engine) == engines.end()) {
      engines.push_back(released->engine);
    }
    return released;
  };
  const std::vector<TwinCase> cases = twin_cases();
  for (const TwinCase& twin : cases) {
    const auto end = time.end_of(part / static_cast<double>(cases.size()));
    VERNIER_TRY(const TwinTally tally, tried(twin, watched, source, time, end));
    for (Finding& finding : findings_on(twin, tally)) section.findings.push_back(std::move(finding));
  }
  return section;
}

}  // namespace vernier::audit
