#include "vernier/audit/twins.hpp"

#include <algorithm>

#include "vernier/audit/laws.hpp"

namespace vernier::audit {
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

void guess(const TwinCase& twin, bool coin, const std::vector<std::int64_t>& numbers, Guesses& guesses) {
  for (const bool said : {true, false}) {
    if (!speaks_for(twin, said, numbers)) continue;
    ++guesses.made;
    guesses.right += said == coin ? 1 : 0;
    return;
  }
}

void add_noise(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  const auto noise_of = [&](std::size_t canary) {
    const auto first = outputs(twin, released, canary).front();
    return first - twin.truth(canaries.coins[canary], 0, 0);
  };
  for (std::size_t i = 0; i < canaries.coins.size(); ++i) ++tally.noise[noise_of(i)];
  for (std::size_t i = 0; i + 1 < canaries.coins.size(); i += 2) {
    ++tally.pairs;
    tally.equal_pairs += noise_of(i) == noise_of(i + 1) ? 1 : 0;
  }
}

void add_numbers(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  for (std::size_t i = 0; i < canaries.coins.size(); ++i) {
    const bool coin = canaries.coins[i];
    const std::vector<std::int64_t> numbers = outputs(twin, released, i);
    guess(twin, coin, numbers, tally.guesses);
    ++(coin ? tally.seen.with : tally.seen.without)[numbers.front()];
    tally.equal_columns += released.columns.size() > 1 && numbers[0] == numbers[1] ? 1 : 0;
  }
  add_noise(twin, canaries, released, tally);
}

void add_points(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  for (std::size_t i = 0; i < canaries.coins.size(); ++i) {
    const std::size_t place = 2 * (i % 2) + (canaries.coins[i] ? 1 : 0);
    ++tally.points[outputs(twin, released, i)][place];
  }
}

}  // namespace

Result<void> add(const TwinCase& twin, const Canaries& canaries, const Released& released, TwinTally& tally) {
  const std::size_t groups = canaries.coins.size() * static_cast<std::size_t>(twin.groups);
  const bool has_numbers = twin.kind == Kind::choice ||
                           std::all_of(released.groups.begin(), released.groups.end(),
                                       [&](const Group& group) { return group.noisy.size() == twin.moved.size(); });
  if (!has_numbers || (twin.kind != Kind::keys && released.groups.size() != groups)) {
    return fail(ErrorKind::system, "a release of the audit lacks groups or numbers that are public");
  }
  tally.canaries += static_cast<std::int64_t>(canaries.coins.size());
  tally.epsilon = released.epsilon;
  tally.delta = released.delta;
  tally.threshold = released.threshold;
  tally.columns = released.columns;
  if (twin.kind == Kind::keys) {
    tally.published += static_cast<std::int64_t>(released.groups.size());
  } else if (twin.kind == Kind::choice) {
    add_points(twin, canaries, released, tally);
  } else {
    add_numbers(twin, canaries, released, tally);
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
