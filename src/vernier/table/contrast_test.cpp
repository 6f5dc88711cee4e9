#include "vernier/table/contrast.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/seeded_bits.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/table/cells.hpp"
#include "vernier/table/design.hpp"
#include "vernier/table/noise.hpp"

namespace vernier::table {
namespace {

using Counts = std::vector<std::int64_t>;

// A small domain of random columns, all of whose combinations can be gone through.
struct Domain {
  Lattice lattice;
  std::int64_t size;  // of all columns together
};

Domain random_domain(std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> keys(1, 4);
  std::vector<std::int64_t> all;
  for (int i = 0; i < 3; ++i) all.push_back(keys(random));
  all.push_back(2);
  std::vector<Columns> tables;
  for (Columns& set : subsets_of({0, 1, 2, 3})) {
    if (random() % 3 == 0) tables.push_back(std::move(set));
  }
  if (tables.empty()) tables.push_back({0, 2});
  std::int64_t size = 1;
  for (const std::int64_t n : all) size *= n;
  return {Lattice::of(all, tables).value(), size};
}

// One group for every combination of keys.
CountedRows rows_of(const Lattice& lattice, const Counts& counts) {
  CountedRows rows;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    std::vector<std::uint32_t> codes;
    std::size_t rest = cell;
    for (std::size_t column = lattice.keys().size(); column-- > 0;) {
      const auto keys = static_cast<std::size_t>(lattice.keys()[column]);
      codes.push_back(static_cast<std::uint32_t>(rest % keys));
      rest /= keys;
    }
    rows.codes.insert(rows.codes.end(), codes.rbegin(), codes.rend());
    rows.rows.push_back(static_cast<std::uint64_t>(counts[cell]));
  }
  return rows;
}

// The table over the set, cell by cell.
Counts table_of(const Lattice& lattice, const Columns& set, const Counts& counts) {
  Counts cells(static_cast<std::size_t>(lattice.cells(set)), 0);
  const CountedRows rows = rows_of(lattice, counts);
  for (std::size_t group = 0; group < counts.size(); ++group) {
    std::size_t place = 0;
    for (const std::size_t column : set)
      place =
          place * static_cast<std::size_t>(lattice.keys()[column]) + rows.codes[group * lattice.keys().size() + column];
    cells[place] += counts[group];
  }
  return cells;
}

Noisy signed_of(const Exact& exact) {
  Noisy noisy;
  for (const auto& one : exact) noisy.emplace_back(one.begin(), one.end());
  return noisy;
}

Counts random_counts(std::mt19937_64& random, std::int64_t size) {
  Counts counts;
  for (std::int64_t i = 0; i < size; ++i) counts.push_back(static_cast<std::int64_t>(random() % 50));
  return counts;
}

// Of every two rows, and of a row that comes or goes.
TEST(Replace, IsChargedByTheGreatestDistanceOfTwoRows) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 40; ++round) {
    const Domain domain = random_domain(random);
    std::vector<double> variances;
    for (std::size_t i = 0; i < domain.lattice.residuals().size(); ++i)
      variances.push_back(0.5 + static_cast<double>(random() % 100));
    const Laws laws = laws_of(domain.lattice, variances).value();
    std::vector<Noisy> columns;
    for (std::int64_t cell = 0; cell < domain.size; ++cell) {
      Counts one(static_cast<std::size_t>(domain.size), 0);
      one[static_cast<std::size_t>(cell)] = 1;
      columns.push_back(signed_of(contrasts_of(domain.lattice, rows_of(domain.lattice, one))));
    }
    const auto rho = [&](const Noisy& first, const Noisy* second) {
      double sum = 0;
      for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t j = 0; j < first[i].size(); ++j) {
          const auto moved = static_cast<double>(first[i][j] - (second == nullptr ? 0 : (*second)[i][j]));
          sum += moved * moved / (2 * laws[i].scale() * laws[i].scale());
        }
      }
      return sum;
    };
    double greatest = rho(columns[0], nullptr);
    for (const Noisy& first : columns) {
      for (const Noisy& second : columns) greatest = std::max(greatest, rho(first, &second));
    }
    const double charged = rho_of_replacing(domain.lattice, laws);
    EXPECT_GE(charged, greatest);
    EXPECT_LE(charged, greatest * (1 + 1e-9));
  }
}

TEST(Replace, OfManyColumnsIsABoundThatIsNotFarOff) {
  const Lattice few = Lattice::of(std::vector<std::int64_t>(8, 3), all_up_to(8, 2).value()).value();
  const Lattice many = Lattice::of(std::vector<std::int64_t>(22, 3), all_up_to(22, 2).value()).value();
  const auto times = [](const Lattice& lattice) {
    const std::vector<double> variances(lattice.residuals().size(), 100);
    const Laws laws = laws_of(lattice, variances).value();
    return rho_of_replacing(lattice, laws) / (cost_of(lattice, squares_of(lattice, laws)) / 2);
  };
  EXPECT_GE(times(few), 1.5);
  EXPECT_GE(times(many), times(few) * 0.9);
  EXPECT_LE(times(many), 4);
}

// ---- what the tables are

TEST(Contrast, GivesEveryTableBackExactlyWithoutNoise) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    const Domain domain = random_domain(random);
    const Counts counts = random_counts(random, domain.size);
    const Noisy exact = signed_of(contrasts_of(domain.lattice, rows_of(domain.lattice, counts)));
    for (std::size_t i = 0; i < domain.lattice.tables().size(); ++i) {
      const Columns& set = domain.lattice.tables()[i];
      const Wide square = Wide{domain.lattice.cells(set)} * domain.lattice.cells(set);
      const std::vector<Wide> found = numerators_of(domain.lattice, i, exact);
      const Counts wanted = table_of(domain.lattice, set, counts);
      for (std::size_t cell = 0; cell < found.size(); ++cell) ASSERT_TRUE(found[cell] == wanted[cell] * square);
    }
  }
}

// Whatever the noise is: sums of a table's estimates are the estimates of the smaller one, as rational numbers.
TEST(Contrast, MakesTablesThatAddUpExactly) {
  std::mt19937_64 random(2);
  std::uniform_int_distribution<std::int64_t> any(-1'000'000'000'000, 1'000'000'000'000);
  const Lattice lattice = Lattice::of({3, 4, 2, 5}, all_up_to(4, 3).value()).value();
  Noisy noisy;
  for (const Columns& set : lattice.residuals()) {
    noisy.emplace_back(static_cast<std::size_t>(lattice.cells(set)));
    for (std::int64_t& one : noisy.back()) one = any(random);
  }
  std::map<Columns, std::size_t> places;
  for (std::size_t i = 0; i < lattice.tables().size(); ++i) places[lattice.tables()[i]] = i;
  for (const auto& [set, place] : places) {
    const std::vector<Wide> cells = numerators_of(lattice, place, noisy);
    const std::int64_t size = lattice.cells(set);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const Columns smaller = without(set, {set[i]});
      const std::vector<Wide> sums = numerators_of(lattice, places.at(smaller), noisy);
      std::size_t stride = 1;
      for (std::size_t j = i + 1; j < set.size(); ++j) stride *= static_cast<std::size_t>(lattice.keys()[set[j]]);
      const auto keys = static_cast<std::size_t>(lattice.keys()[set[i]]);
      const std::int64_t small = lattice.cells(smaller);
      for (std::size_t cell = 0; cell < sums.size(); ++cell) {
        Wide sum = 0;
        for (std::size_t k = 0; k < keys; ++k) sum += cells[(cell / stride * keys + k) * stride + cell % stride];
        ASSERT_TRUE(sum * small * small == sums[cell] * size * size);
      }
    }
  }
}

TEST(Contrast, OfMoreRowsThanSixtyFourBitsIsStillAFunctionOfTheRows) {
  const Lattice lattice = Lattice::of({2}, {{0}}).value();
  CountedRows rows;
  rows.codes = {0, 1};
  rows.rows = {std::uint64_t{1} << 63U, 5};
  const Exact exact = contrasts_of(lattice, rows);
  EXPECT_EQ(exact[1][0], (std::uint64_t{1} << 63U) - 5);  // 2 x - (x + 5), modulo 2^64
}

// ---- what one row gives away

using Moved = std::map<std::pair<double, std::int64_t>, std::int64_t>;  // coordinates by scale and size of the move

Moved moved_by(const Laws& laws, const Noisy& before, const Noisy& after) {
  Moved moved;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t j = 0; j < before[i].size(); ++j) ++moved[{laws[i].scale(), std::abs(after[i][j] - before[i][j])}];
  }
  return moved;
}

Moved stated(const Lattice& lattice, const Laws& laws) {
  Moved moved;
  const std::vector<accounting::Event> events = events_of(lattice, laws).value();
  for (const accounting::Event& event : events) {
    const auto& one = std::get<mechanism::DiscreteGaussianMechanism>(event.release());
    moved[{one.law().scale(), one.sensitivity().value()}] += event.times().value();
  }
  return moved;
}

// The list of moves itself, and not only its length: for every row that can be added to random ones.
TEST(Contrast, IsMovedByOneRowAsItsEventsSay) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> variance(0.5, 3);
  for (int round = 0; round < 30; ++round) {
    const Domain domain = random_domain(random);
    const Lattice& lattice = domain.lattice;
    std::vector<double> variances;
    for (std::size_t i = 0; i < lattice.residuals().size(); ++i) variances.push_back(variance(random));
    const Laws laws = laws_of(lattice, variances).value();
    const Moved wanted = stated(lattice, laws);
    const Counts counts = random_counts(random, domain.size);
    const Noisy before = signed_of(contrasts_of(lattice, rows_of(lattice, counts)));
    for (std::int64_t cell = 0; cell < domain.size; ++cell) {
      Counts more = counts;
      ++more[static_cast<std::size_t>(cell)];
      const Noisy after = signed_of(contrasts_of(lattice, rows_of(lattice, more)));
      ASSERT_EQ(moved_by(laws, before, after), wanted);
    }
  }
}

TEST(Contrast, CostsTheSquaredLengthOfItsMoves) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> variance(0.5, 3);
  for (int round = 0; round < 30; ++round) {
    const Domain domain = random_domain(random);
    const Lattice& lattice = domain.lattice;
    std::vector<double> variances;
    for (std::size_t i = 0; i < lattice.residuals().size(); ++i) variances.push_back(variance(random));
    double cost = 0;
    const Moved moved = stated(lattice, laws_of(lattice, variances).value());
    for (const auto& [kind, times] : moved) {
      const double step = static_cast<double>(kind.second) / kind.first;
      cost += step * step * static_cast<double>(times);
    }
    EXPECT_NEAR(cost, cost_of(lattice, variances), 1e-9 * cost);
  }
}

// ---- how far noise moves a cell

// The weight of every draw in the estimate of a cell, times the square of the table's cells.
std::vector<std::pair<std::size_t, std::int64_t>> weights_of(const Lattice& lattice, std::size_t table,
                                                             std::size_t cell) {
  std::vector<std::pair<std::size_t, std::int64_t>> weights;
  Noisy none;
  for (const Columns& set : lattice.residuals()) none.emplace_back(static_cast<std::size_t>(lattice.cells(set)), 0);
  for (std::size_t i = 0; i < none.size(); ++i) {
    for (std::size_t j = 0; j < none[i].size(); ++j) {
      none[i][j] = 1;
      const auto weight = static_cast<std::int64_t>(numerators_of(lattice, table, none)[cell]);
      none[i][j] = 0;
      if (weight != 0) weights.emplace_back(i, weight);
    }
  }
  return weights;
}

TEST(TableNoise, HasTheVarianceAndTheWeightsOfTheEstimator) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> variance(0.5, 3);
  for (int round = 0; round < 20; ++round) {
    const Domain domain = random_domain(random);
    const Lattice& lattice = domain.lattice;
    std::vector<double> variances;
    for (std::size_t i = 0; i < lattice.residuals().size(); ++i) variances.push_back(variance(random));
    const Laws laws = laws_of(lattice, variances).value();
    const std::vector<double> wanted = table_variances(lattice, variances);
    for (std::size_t table = 0; table < lattice.tables().size(); ++table) {
      const auto cells = static_cast<std::size_t>(lattice.cells(lattice.tables()[table]));
      const double square = static_cast<double>(cells) * static_cast<double>(cells);
      double sum = 0;
      std::map<std::pair<double, double>, std::int64_t> draws;
      for (const auto& [residual, weight] : weights_of(lattice, table, random() % cells)) {
        const double part = static_cast<double>(std::abs(weight)) / square;
        sum += part * part * laws[residual].scale() * laws[residual].scale();
        ++draws[{laws[residual].scale(), part}];
      }
      EXPECT_NEAR(sum, wanted[table], 1e-9 * sum);
      std::int64_t stated_draws = 0, found_draws = 0;
      for (const denoise::Term& term : terms_of(lattice, table, laws)) {
        stated_draws += term.draws;
        for (const auto& [kind, count] : draws) {
          if (kind.first == term.scale && std::abs(kind.second / term.size - 1) < 1e-11) found_draws += count;
        }
      }
      EXPECT_EQ(stated_draws, found_draws);
    }
  }
}

// The exact law of a sum of whole multiples of draws.
std::map<std::int64_t, double> law_of_sum(const std::vector<std::pair<std::size_t, std::int64_t>>& weights,
                                          const Laws& laws) {
  std::map<std::int64_t, double> law = {{0, 1.0}};
  for (const auto& [residual, weight] : weights) {
    std::map<std::int64_t, double> next;
    for (std::int64_t x = -12; x <= 12; ++x) {
      const double mass = laws[residual].mass(x).upper;
      if (mass < 1e-13) continue;
      for (const auto& [value, chance] : law) next[value + weight * x] += chance * mass;
    }
    law = std::move(next);
  }
  return law;
}

double beyond(const std::map<std::int64_t, double>& law, double reach) {
  double sum = 0;
  for (const auto& [value, chance] : law) sum += std::abs(static_cast<double>(value)) > reach ? chance : 0;
  return sum;
}

// How often the sum of 100,000 releases lies further out: known to four thousandths, but for once in 10^9.
double simulated_beyond(const std::vector<std::pair<std::size_t, std::int64_t>>& weights, const Laws& laws,
                        double reach) {
  constexpr int releases = 100'000;
  testing::SeededSource source = testing::seeded_source(9);
  std::vector<double> sums(releases, 0.0);
  for (const auto& [residual, weight] : weights) {
    std::vector<std::int64_t> drawn(releases);
    EXPECT_TRUE(noise::IntegerSampler<noise::DiscreteGaussian>(laws[residual]).fill(source, drawn));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(weight * drawn[i]);
  }
  const auto far = std::ranges::count_if(sums, [&](double sum) { return std::abs(sum) > reach; });
  return static_cast<double>(far) / releases;
}

// By the exact law of a cell, at scales so small that the normal law is wrong.
TEST(TableNoise, ReachesHoldAndATenthLessDoesNot) {
  const Alpha alpha = Alpha::of(0.05).value();
  bool normal_fails = false;
  int shorter = 0, tables = 0;
  for (const double deviation : {0.4, 0.6, 0.8}) {
    const Lattice lattice = Lattice::of({2, 2}, {{0, 1}, {0}, {}}).value();
    const Laws laws = laws_of(lattice, std::vector<double>(lattice.residuals().size(), deviation * deviation)).value();
    const std::vector<double> reaches = reaches_of(lattice, laws, alpha);
    const std::vector<double> deviations = deviations_of(lattice, laws);
    for (std::size_t table = 0; table < lattice.tables().size(); ++table, ++tables) {
      const auto cells = static_cast<double>(lattice.cells(lattice.tables()[table]));
      const auto law = law_of_sum(weights_of(lattice, table, 0), laws);
      EXPECT_LE(beyond(law, reaches[table] * cells * cells), alpha.value());
      shorter += beyond(law, 0.9 * reaches[table] * cells * cells) > alpha.value() ? 1 : 0;
      EXPECT_GT(beyond(law, 0.85 * reaches[table] * cells * cells), alpha.value()) << deviation << " " << table;
      normal_fails |= beyond(law, 1.96 * deviations[table] * cells * cells) > alpha.value();
    }
  }
  EXPECT_TRUE(normal_fails);
  EXPECT_GE(2 * shorter, tables);  // the law has steps: not every tenth less crosses one
}

// On domains with more kinds of weights, at a scale at which a sum is nearly continuous: a tenth less never holds.
TEST(TableNoise, ReachesHoldAndATenthLessDoesNotOnWiderDomains) {
  const Alpha alpha = Alpha::of(0.05).value();
  for (const std::vector<std::int64_t>& keys : {std::vector<std::int64_t>{3, 2, 2}, {5, 3}, {4}}) {
    const Lattice lattice = Lattice::of(keys, all_up_to(keys.size(), keys.size()).value()).value();
    const Laws laws = laws_of(lattice, std::vector<double>(lattice.residuals().size(), 0.6 * 0.6)).value();
    const std::vector<double> reaches = reaches_of(lattice, laws, alpha);
    const std::vector<double> deviations = deviations_of(lattice, laws);
    for (std::size_t table = 0; table < lattice.tables().size(); ++table) {
      const auto cells = static_cast<double>(lattice.cells(lattice.tables()[table]));
      if (lattice.tables()[table].size() < keys.size()) continue;  // those have few draws
      double missed = 0, missed_by_less = 0;
      const auto weights = weights_of(lattice, table, 0);
      missed = simulated_beyond(weights, laws, reaches[table] * cells * cells);
      missed_by_less = simulated_beyond(weights, laws, 0.9 * reaches[table] * cells * cells);
      EXPECT_LT(missed, alpha.value() + 0.004) << keys.size();
      EXPECT_GT(missed_by_less, alpha.value() + 0.004) << keys.size() << " " << reaches[table] / deviations[table];
    }
  }
}

TEST(TableNoise, ReachesAreNextToTheNormalOnesWhereScalesAreLarge) {
  const Lattice lattice = Lattice::of({13, 7, 23, 4, 2, 3}, all_up_to(6, 2).value()).value();
  const std::vector<double> ones(lattice.tables().size(), 400.0);
  const Laws laws = laws_of(lattice, design_for(lattice, ones).variances).value();
  const std::vector<double> reaches = reaches_of(lattice, laws, Alpha::of(0.05).value());
  for (const double reach : reaches) {
    EXPECT_GE(reach, 1.9599 * 20 * (1 - 1e-6) * 0.99);
    EXPECT_LE(reach, 1.96 * 20 * 1.03);
  }
}

// ---- what is published

// In 64 bits and in 128 the same doubles and whole numbers.
TEST(TableCell, IsTheSameInNarrowWordsAndInWideOnes) {
  std::mt19937_64 random(7);
  const Lattice lattice = Lattice::of({7, 4, 5}, all_up_to(3, 3).value()).value();
  for (const std::int64_t size : {std::int64_t{1000}, std::int64_t{1} << 40, std::int64_t{1} << 55, INT64_MAX}) {
    std::uniform_int_distribution<std::int64_t> any(-size, size);
    Noisy noisy;
    for (const Columns& set : lattice.residuals()) {
      noisy.emplace_back(static_cast<std::size_t>(lattice.cells(set)));
      for (std::int64_t& one : noisy.back()) one = any(random);
    }
    for (std::size_t table = 0; table < lattice.tables().size(); ++table) {
      const std::vector<Cell> cells = cells_of(lattice, table, noisy, 12.5, 1'000'000);
      const std::vector<Wide> numerators = numerators_of(lattice, table, noisy);
      ASSERT_EQ(cells.size(), numerators.size());
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell wide = cell_of(numerators[i], lattice.cells(lattice.tables()[table]), 12.5, 1'000'000);
        ASSERT_EQ(cells[i].estimate, wide.estimate);
        ASSERT_EQ(cells[i].value, wide.value);
        ASSERT_EQ(cells[i].low, wide.low);
        ASSERT_EQ(cells[i].high, wide.high);
      }
    }
  }
}

TEST(TableCell, IsWholeBetweenZeroAndTheRowLimitAndWithinItsInterval) {
  const Cell some = cell_of(Wide{4} * 74 + 2, 2, 3, 1000);  // 74.5
  EXPECT_EQ(some.estimate, 74.5);
  EXPECT_EQ(some.low, 72);
  EXPECT_EQ(some.high, 77);
  const Cell negative = cell_of(Wide{-4} * 2, 2, 3, 1000);
  EXPECT_EQ(negative.estimate, -2);
  EXPECT_EQ(negative.value, 0);
  EXPECT_EQ(negative.low, 0);
  EXPECT_EQ(negative.high, 1);
  const Cell missed = cell_of(Wide{-4} * 20, 2, 3, 1000);  // no count is so near
  EXPECT_EQ(missed.low, 0);
  EXPECT_EQ(missed.high, 0);
  const Cell above = cell_of(Wide{4} * 2000, 2, 3, 1000);
  EXPECT_EQ(above.value, 1000);
  EXPECT_EQ(above.high, 1000);
}

}  // namespace
}  // namespace vernier::table
