#include "release/memory/freed_memory.hpp"

#include <bit>

#include <flint/flint.h>
#include <gtest/gtest.h>

#include "support/every_kind.hpp"
#include "support/released_tables.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/release/run/run_with.hpp"

// No exact number of the data, and no draw of noise, is left in memory that a release gives back: for every kind of
// number. (What an engine has in its own memory is not looked at.)
namespace vernier::release {
namespace {

using testing::Additive;
using testing::Kind;
using testing::Patterns;
using testing::RawGroup;

// Numbers that are found nowhere by chance, nor as sums of each other: thirteen digits of a multiplicative sequence.
class Canaries {
 public:
  std::int64_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>(1'000'000'000'000 + (state_ >> 20) % 8'000'000'000'000);
  }

 private:
  std::uint64_t state_ = 20;
};

// Where exact numbers are moved to by what is possible; this, and small numbers, are found by chance.
constexpr std::int64_t greatest = std::int64_t{1} << 60;

void add(Patterns& patterns, std::int64_t value) {
  if (std::abs(value) < 1'000'000 || value == greatest) return;
  for (const std::int64_t one : {value, -value}) {
    patterns[static_cast<std::uint64_t>(one)];
    patterns[std::bit_cast<std::uint64_t>(static_cast<double>(one))];
  }
}

constexpr int groups = 12;

// Rows at points that are far apart, so many that each number of them is a canary.
std::vector<noise::Occupied> canary_rows(Canaries& canaries) {
  std::vector<noise::Occupied> rows;
  for (std::int64_t point = 3; point < 200; point += 9) rows.push_back({point, canaries.next()});
  return rows;
}

// The kind with exact numbers that are canaries, and room for them.
std::vector<RawGroup> with_canaries(Kind& kind, Canaries& canaries) {
  kind.statistic.table.row_limit = std::int64_t{1} << 50;
  for (plan::Measurement& one : kind.statistic.measurements) {
    if (!plan::has_histogram(one.kind)) one.greatest = greatest, one.least = 0;
  }
  std::vector<RawGroup> all = testing::groups_of(kind, groups);
  for (RawGroup& group : all) {
    for (std::int64_t& tally : group.tallies) tally = canaries.next();
    for (auto& histogram : group.histograms) histogram = canary_rows(canaries);
    if (!kind.statistic.keys.are_public) group.keys = {query::Value("key " + std::to_string(canaries.next()))};
  }
  return all;
}

// Counts, their partial sums, and D at every step, as choices see it.
void add_ranks(Patterns& patterns, const plan::BoundStatistic& statistic, const std::vector<noise::Occupied>& rows) {
  const std::int64_t all = noise::number_of(rows);
  std::int64_t up_to = 0;
  for (const noise::Occupied& one : rows) {
    add(patterns, one.rows);
    add(patterns, up_to += one.rows);
    for (const plan::Measurement& measurement : statistic.measurements) {
      if (!plan::has_histogram(measurement.kind)) continue;
      if (const auto ranked = plan::rank_statistic(measurement)) add(patterns, ranked->at(up_to, all));
    }
  }
}

struct Watched {
  Patterns patterns;
  std::vector<std::string> hidden_keys;  // of groups that were not published
  int found = 0;
};

// All exact numbers of a release, and what noise they got.
Watched released(Kind kind, Additive additive) {
  kind = testing::repeated(std::move(kind), groups);
  Canaries canaries;
  const std::vector<RawGroup> all = with_canaries(kind, canaries);
  Watched watched;
  for (const RawGroup& group : all) {
    for (const std::int64_t tally : group.tallies) add(watched.patterns, tally);
    for (const auto& histogram : group.histograms) add_ranks(watched.patterns, kind.statistic, histogram);
  }
  plan::Plan plan = testing::plan_of(kind.statistic, additive, 1e9);  // noise that is a canary as well
  if (plan.statistics[0].keys) plan.statistics[0].keys->threshold = 5'000'000'000'000;
  testing::ToldSession session({all});
  const std::vector<Prepared> prepared = prepare(plan, session).value();
  testing::SeededSource source = testing::seeded_source(4);
  std::vector<Table> tables;
  testing::watch_freed_memory([&] { tables = detail::tables_of(prepared, session, source, nobody_watches).value(); });
  // The exact integers of measurements, which follow from the tallies; and noise, which is what they differ by.
  const auto exact = ExactNumbers::of(*prepared[0].statistic, engine::RawAggregates(all)).value();
  for (std::size_t i = 0, first = 0; i < kind.statistic.measurements.size(); ++i) {
    const plan::Measurement& one = kind.statistic.measurements[i];
    const std::size_t kept = plan::public_integers(one.kind);
    for (std::size_t k = 0; k < exact.of_measurement(i).size() && !plan::has_histogram(one.kind); ++k) {
      const std::int64_t value = exact.of_measurement(i)[k];
      if (k % one.width < kept) {
        watched.patterns.erase(static_cast<std::uint64_t>(value));  // public, as it is
        watched.patterns.erase(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
        continue;
      }
      add(watched.patterns, value);
      if (!kind.statistic.keys.are_public || value == 0 || value == greatest)
        continue;  // moved there: it tells nothing
      add(watched.patterns, tables[0].rows[k / one.width].noisy[first + k % one.width] - value);
    }
    first += one.width;
  }
  for (const RawGroup& group : all) {
    const auto is_row = [&](const Row& row) { return row.keys == group.keys; };
    if (kind.statistic.keys.are_public || std::any_of(tables[0].rows.begin(), tables[0].rows.end(), is_row)) continue;
    watched.hidden_keys.push_back(std::get<std::string>(group.keys[0]));
  }
  testing::count_in_freed_memory(watched.patterns);
  for (const auto& [pattern, count] : watched.patterns) watched.found += count;
  return watched;
}

TEST(FreedMemory, HasNoExactNumberOfAnyKindOfRelease) {
  for (const Additive additive : {Additive::geometric, Additive::discrete_gaussian}) {
    for (const Kind& kind : testing::every_kind()) {
      const Watched watched = released(kind, additive);
      EXPECT_EQ(watched.found, 0) << kind.name;
      EXPECT_GT(watched.patterns.size(), 3U) << kind.name;
      EXPECT_GT(testing::freed_blocks(), 5U) << kind.name;
      for (const std::string& key : watched.hidden_keys) {
        EXPECT_FALSE(testing::is_in_freed_memory(key)) << kind.name;
      }
      EXPECT_TRUE(kind.statistic.keys.are_public || !watched.hidden_keys.empty());
    }
  }
}

// Rows by two columns, each number of them a canary.
std::vector<RawGroup> canary_cells(const table::Lattice& lattice) {
  Canaries canaries;
  std::vector<RawGroup> cells;
  for (std::int64_t i = 0; i < lattice.keys()[0]; ++i) {
    for (std::int64_t j = 0; j < lattice.keys()[1]; ++j) cells.push_back(testing::raw_cell({i, j}, canaries.next()));
  }
  return cells;
}

void add_all(Patterns& patterns, const table::Exact& exact) {
  for (const auto& numbers : exact) {
    for (const std::uint64_t one : numbers) add(patterns, static_cast<std::int64_t>(one));
  }
}

// Counted cells and tables, their contrasts, and the noise that these got.
TEST(FreedMemory, HasNoExactNumberOfTablesThatAddUp) {
  plan::Plan plan = testing::plan_of_tables(testing::bound_tables({5, 4}, 2), "1");
  const table::Lattice& lattice = *plan.study.tables[0].lattice;
  for (noise::DiscreteGaussian& law : plan.tables[0].laws) law = *noise::DiscreteGaussian::of(*Sigma::of(3e9));
  const std::vector<RawGroup> cells = canary_cells(lattice);
  testing::ToldSession session({cells});
  const std::vector<PreparedTables> prepared = prepare_tables(plan, session).value();
  testing::SeededSource source = testing::seeded_source(4);
  table::Noisy noisy;
  testing::watch_freed_memory(
      [&] { noisy = detail::released_of({}, prepared, session, source, nobody_watches).value().contrasts[0]; });
  Patterns patterns;
  const table::CountedRows rows = counted_rows(plan.study.tables[0], engine::RawAggregates(cells)).value();
  for (const std::uint64_t count : rows.rows) add(patterns, static_cast<std::int64_t>(count));
  const table::Exact exact = table::contrasts_of(lattice, rows);
  add_all(patterns, exact);
  for (std::size_t set = 0; set < exact.size(); ++set) {
    for (std::size_t j = 0; j < exact[set].size(); ++j) {
      add(patterns, static_cast<std::int64_t>(static_cast<std::uint64_t>(noisy[set][j]) - exact[set][j]));
    }
  }
  testing::count_in_freed_memory(patterns);
  int found = 0;
  for (const auto& [pattern, count] : patterns) found += count;
  EXPECT_EQ(found, 0);
  EXPECT_GT(patterns.size(), 150U);
  EXPECT_GT(testing::freed_blocks(), 5U);
}

// The words of random bits, and how they begin a number whose first bit is 1, as Arb keeps it.
void add_bits(Patterns& patterns, std::uint64_t word) {
  patterns[word];
  const int zeros = std::countl_zero(word);
  if (zeros > 0 && zeros < 40) patterns[(word << zeros) | (std::uint64_t{1} << (zeros - 1))];
}

int number_found(Patterns& patterns) {
  testing::count_in_freed_memory(patterns);
  int found = 0;
  for (const auto& [pattern, count] : patterns) found += count;
  return found;
}

// Numbers that share their noise: it is made from random bits by the arithmetic library, which keeps memory of its own
// until its cleanup.
TEST(FreedMemory, HasNoNoiseOfABoxAndNotItsBits) {
  constexpr std::size_t width = 3, draws = 400, words = (2 * width + 1) * draws;
  Canaries canaries;
  std::vector<std::int64_t> exact(width * draws);
  for (std::int64_t& one : exact) one = canaries.next();
  const auto law = LaplaceScale::of(1e12).and_then(noise::Box::of).value();
  const BoxesSampler sampler(noise::BoxSampler::of(law, {64, 100, 640}).value());
  testing::SeededSource source = testing::seeded_source(4), same = testing::seeded_source(4);
  std::vector<std::int64_t> noisy(exact.size());
  testing::watch_freed_memory([&] {
    const Integers made = sampler.perturb(exact, source).value();
    std::copy(made.all().begin(), made.all().end(), noisy.begin());
    flint_cleanup();
  });
  Patterns patterns;
  for (std::size_t i = 0; i < words; ++i) add_bits(patterns, *same.draws.next());
  for (std::size_t i = 0; i < exact.size(); ++i) add(patterns, exact[i]), add(patterns, noisy[i] - exact[i]);
  EXPECT_EQ(number_found(patterns), 0);
  EXPECT_GT(patterns.size(), 7000U);
  EXPECT_GT(testing::freed_blocks(), draws);
}

// Draws that stay open take more bits, and numbers of more limbs.
TEST(FreedMemory, HasNoBitsOfADrawThatWasOpen) {
  constexpr std::size_t words = 5;
  testing::SeededSource source = testing::seeded_source(6), same = testing::seeded_source(6);
  double sum = 0;
  testing::watch_freed_memory([&] {
    for (int i = 0; i < 50; ++i) {
      numeric::LazyUniform uniform;
      for (std::size_t k = 0; k < words; ++k) {
        ASSERT_TRUE(uniform.extend(source.draws));
        const numeric::LazyUniform copy = uniform;
        const numeric::Ball ball = copy.ball({static_cast<long>(64 * (k + 2))});
        sum += (log(ball) * ball + ball).nearest();
      }
    }
    flint_cleanup();
  });
  EXPECT_LT(std::abs(sum), 1000);
  Patterns patterns;
  for (std::size_t i = 0; i < 50 * words; ++i) add_bits(patterns, *same.draws.next());
  EXPECT_EQ(number_found(patterns), 0);
  EXPECT_GT(testing::freed_blocks(), 100U);
}

// This has power: what is left by a vector that grew, and one that shrank, is found.
TEST(FreedMemory, ShowsWhatIsLeftThere) {
  Canaries canaries;
  const std::int64_t first = canaries.next(), last = canaries.next();
  const std::string text = "a key of many letters";
  Patterns patterns{{static_cast<std::uint64_t>(first), 0}, {static_cast<std::uint64_t>(last), 0}};
  testing::watch_freed_memory([&] {
    std::vector<std::int64_t> grown(4, first);
    grown.push_back(0);
    grown.assign(grown.size(), 0);
    std::vector<std::int64_t> shrunk(4, last);
    shrunk.resize(2);
    shrunk.assign(2, 0);
    const std::string copy = text + "!";
    EXPECT_EQ(copy.size(), text.size() + 1);
  });
  testing::count_in_freed_memory(patterns);
  EXPECT_EQ(patterns[static_cast<std::uint64_t>(first)], 4);
  EXPECT_EQ(patterns[static_cast<std::uint64_t>(last)], 2);
  EXPECT_TRUE(testing::is_in_freed_memory(text));
}

}  // namespace
}  // namespace vernier::release
