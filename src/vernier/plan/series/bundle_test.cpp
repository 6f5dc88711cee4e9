#include "vernier/plan/series/bundle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "vernier/noise/integer_sampler.hpp"
#include "vernier/plan/series/series_plan.hpp"
#include "vernier/random/source.hpp"
#include "vernier/series/strategy.hpp"
#include "vernier/table/contrast.hpp"

namespace vernier::plan {
namespace {

using series::Kind;
using series::Wide;
using Noisy = std::vector<std::vector<std::int64_t>>;

SeriesColumn column_of(const std::string& name, std::int64_t keys) {
  SeriesColumn column{name, query::Type::integer, {}};
  for (std::int64_t key = 0; key < keys; ++key) column.keys.emplace_back(key);
  return column;
}

// All tables up to two of these columns.
std::vector<SeriesFacts> tables_up_to_two(const std::vector<std::int64_t>& keys, std::int64_t days = 5) {
  std::vector<SeriesFacts> all;
  const std::vector<table::Columns> sets = table::all_up_to(keys.size(), 2).value();
  for (const table::Columns& set : sets) {
    SeriesFacts& one = all.emplace_back();
    one.row_limit = 1'000'000;
    one.calendar = {query::StepLength::day, query::Day{0}, query::Day{static_cast<std::int32_t>(days - 1)}};
    one.together = "cases";
    one.percent = 50;
    for (const std::size_t place : set) {
      one.columns.push_back(column_of(std::string(1, static_cast<char>('a' + place)), keys[place]));
      one.name += one.columns.back().name;
    }
  }
  return all;
}

SeriesBundle bundle_of_tables(const std::vector<std::int64_t>& keys) {
  return bundles_of(tables_up_to_two(keys)).value().front();
}

std::vector<std::int64_t> shape_of(const SeriesBundle& bundle, std::size_t place) {
  return bundle.lattice->shape(bundle.lattice->tables()[place]);
}

Noisy random_noisy(const SeriesBundle& bundle, std::mt19937_64& bits, std::int64_t most) {
  Noisy noisy;
  for (const table::Columns& set : bundle.lattice->tables()) {
    std::vector<std::int64_t>& cells = noisy.emplace_back(static_cast<std::size_t>(bundle.lattice->cells(set)));
    for (std::int64_t& one : cells) one = std::uniform_int_distribution<std::int64_t>(-most, most)(bits);
  }
  return noisy;
}

// The sums over one column of a table's cells: over the parts of the smaller one.
void expect_sums(const SeriesBundle& bundle, const std::vector<std::vector<Wide>>& tables, std::size_t whole,
                 std::size_t column) {
  const table::Columns &set = bundle.lattice->tables()[whole], smaller = table::without(set, {column});
  const auto part =
      static_cast<std::size_t>(std::ranges::find(bundle.lattice->tables(), smaller) - bundle.lattice->tables().begin());
  std::vector<Wide> sums(tables[part].size(), 0);
  const std::size_t keys = static_cast<std::size_t>(bundle.lattice->keys()[column]);
  const std::size_t behind = set.back() == column ? 1 : static_cast<std::size_t>(bundle.lattice->keys()[set.back()]);
  for (std::size_t i = 0; i < tables[whole].size(); ++i)
    sums[i / (behind * keys) * behind + i % behind] += tables[whole][i];
  const Wide times = Wide{static_cast<std::int64_t>(keys)} * static_cast<std::int64_t>(keys);
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_TRUE(sums[i] == tables[part][i] * times) << whole << " " << i;
}

TEST(SeriesBundle, TablesAddUpExactly) {
  std::mt19937_64 bits(1);
  for (const auto& keys : {std::vector<std::int64_t>{2, 3, 4}, {5, 1, 2}, {7, 7}}) {
    const SeriesBundle bundle = bundle_of_tables(keys);
    for (const std::int64_t most : {std::int64_t{10}, std::int64_t{1} << 50}) {
      const auto tables = tables_of(bundle, random_noisy(bundle, bits, most));
      for (std::size_t whole = 0; whole < bundle.count; ++whole) {
        for (const std::size_t column : bundle.lattice->tables()[whole]) expect_sums(bundle, tables, whole, column);
      }
    }
  }
}

TEST(SeriesBundle, GivesBackTablesWithoutNoise) {
  const SeriesBundle bundle = bundle_of_tables({2, 3, 4});
  std::mt19937_64 bits(2);
  std::vector<std::uint64_t> rows(24);
  for (std::uint64_t& one : rows) one = bits() % 100;
  Noisy exact, counted;
  for (std::size_t i = 0; i < bundle.count; ++i) {
    const table::Columns& set = bundle.lattice->tables()[i];
    random::Wiped<std::uint64_t> cells(static_cast<std::size_t>(bundle.lattice->cells(set)), 0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::size_t places[] = {row / 12, row / 4 % 3, row % 4};
      std::size_t cell = 0;
      for (const std::size_t column : set)
        cell = cell * static_cast<std::size_t>(bundle.lattice->keys()[column]) + places[column];
      cells[cell] += rows[row];
    }
    counted.emplace_back(cells.begin(), cells.end());
    table::contrast(cells, shape_of(bundle, i));
    exact.emplace_back(cells.begin(), cells.end());
  }
  const auto tables = tables_of(bundle, exact);
  for (std::size_t i = 0; i < bundle.count; ++i) {
    for (std::size_t cell = 0; cell < counted[i].size(); ++cell)
      EXPECT_TRUE(tables[i][cell] == Wide{counted[i][cell]} * static_cast<std::int64_t>(parts_of_table(bundle, i)));
  }
}

// ---- how far one unit moves all of it

constexpr std::size_t few_steps = 4;

// What is measured of a unit that is in these cells (of all columns of 2 and 3 keys) at these steps, in deviations.
double moved(const SeriesBundle& bundle, const std::vector<SeriesFacts>& all, const series::Strategy& strategy,
             const std::vector<std::pair<std::size_t, std::size_t>>& visits) {
  double square = 0;
  for (std::size_t i = 0; i < bundle.count; ++i) {
    const table::Columns& set = bundle.lattice->tables()[i];
    for (std::size_t t = 0; t < few_steps; ++t) {
      std::vector<std::uint64_t> cells(static_cast<std::size_t>(bundle.lattice->cells(set)), 0);
      for (const auto& [step, cell] : visits) {
        std::size_t place = 0;
        for (const std::size_t column : set)
          place = place * (column == 0 ? 2 : 3) + (column == 0 ? cell / 3 : cell % 3);
        cells[place] += static_cast<std::uint64_t>(strategy.at(t, step));
      }
      table::contrast(cells, shape_of(bundle, i));
      for (const std::uint64_t one : cells) {
        const double by = static_cast<double>(static_cast<std::int64_t>(one)) / all[i].scale;
        square += by * by;
      }
    }
  }
  return square;
}

// Over every set of steps that may be, with every cell at each.
double worst_move(const SeriesBundle& bundle, const std::vector<SeriesFacts>& all, const series::Strategy& strategy,
                  const series::Participation& participation) {
  double worst = 0;
  std::vector<std::pair<std::size_t, std::size_t>> visits;
  const std::function<void(std::size_t)> look = [&](std::size_t from) {
    worst = std::max(worst, moved(bundle, all, strategy, visits));
    if (visits.size() == static_cast<std::size_t>(participation.most)) return;
    for (std::size_t step = from; step < few_steps; ++step) {
      for (std::size_t cell = 0; cell < 6; ++cell) {
        visits.emplace_back(step, cell);
        look(step + static_cast<std::size_t>(participation.apart));
        visits.pop_back();
      }
    }
  };
  look(0);
  return worst;
}

// The charge is that of the worst unit, no more and no less.
TEST(SeriesBundle, ChargesTheWorstOfAllUnits) {
  for (const series::Participation& participation : {series::Participation{1, 1}, {2, 1}, {3, 2}}) {
    std::vector<SeriesFacts> all = tables_up_to_two({2, 3}, few_steps);
    const SeriesBundle bundle = bundles_of(all).value().front();
    const auto laws = laws_at(bundle, 5000).value();
    for (std::size_t i = 0; i < all.size(); ++i) all[i].scale = laws[i].scale();
    const auto strategy = series::Strategy::of({50, false}, few_steps).value();
    const double length = series::sensitivity_of(squared_sensitivity(strategy, participation).value());
    double charged = 0;
    for (const SeriesFacts& one : all) charged += length * length * one.squared_contrast() / (one.scale * one.scale);
    const double worst = worst_move(bundle, all, strategy, participation);
    EXPECT_LE(worst, charged);
    EXPECT_GE(worst, charged * (1 - 1e-9));
    EXPECT_NEAR(charged, length * length * bundle.cost / (5000.0 * 5000.0), 1e-6 * charged);
  }
}

// Every cell of every table is as good as that of a series alone of that scale.
TEST(SeriesBundle, MakesAllCellsAlike) {
  const SeriesBundle bundle = bundle_of_tables({2, 3, 4});
  const auto laws = laws_at(bundle, 1e5).value();
  for (std::size_t i = 0; i < bundle.count; ++i) {
    const series::Spread spread = spread_of_table(bundle, i, laws, 5);
    EXPECT_LE(spread.scale, 1e5 * (1 + 1e-6));
    EXPECT_GE(spread.scale, 0.8e5);
  }
  EXPECT_NEAR(bundle.cost, 3.1, 1e-5);  // noise of their own costs 7
}

// ---- intervals

struct Missed {
  double trials = 0, stated = 0, shorter = 0;  // cells, years and steps
};

// By table and kind, of an empty table: all numbers are errors.
std::vector<std::array<Missed, 3>> missed_in(const SeriesBundle& bundle, int years) {
  constexpr std::size_t steps = 12;
  const auto design = series::design_of({50, false}, steps, {1, 1}, 7).value();
  const auto laws = laws_at(bundle, 4 * design.sensitivity()).value();
  random::Source* const source = random::thread_source().value();
  std::vector<std::array<Missed, 3>> missed(bundle.count);
  std::vector<noise::IntegerSampler<noise::DiscreteGaussian>> samplers;
  for (const noise::DiscreteGaussian& law : laws) samplers.emplace_back(law);
  std::vector<series::Reaches> reaches;
  for (std::size_t i = 0; i < bundle.count; ++i)
    reaches.emplace_back(design, spread_of_table(bundle, i, laws, steps), Alpha::of(0.05).value(), 1000);
  for (int year = 0; year < years; ++year) {
    std::vector<std::vector<std::vector<Wide>>> lines(bundle.count);  // of each table's cells
    for (std::size_t t = 0; t < steps; ++t) {
      Noisy noisy;
      for (std::size_t i = 0; i < bundle.count; ++i) {
        noisy.emplace_back(static_cast<std::size_t>(bundle.lattice->cells(bundle.lattice->tables()[i])));
        EXPECT_TRUE(samplers[i].fill(*source, noisy.back()).has_value());
      }
      const auto tables = tables_of(bundle, std::move(noisy));
      for (std::size_t i = 0; i < bundle.count; ++i) {
        lines[i].resize(tables[i].size());
        for (std::size_t cell = 0; cell < tables[i].size(); ++cell) {
          lines[i][cell].push_back(tables[i][cell]);
          for (const Kind kind : series::all_kinds) {
            const Wide off = numerator_of(design.of(kind), t, std::span<const Wide>(lines[i][cell]));
            const double error =
                std::abs(std::ldexp(static_cast<double>(off), -series::weight_bits)) / parts_of_table(bundle, i);
            Missed& one = missed[i][static_cast<std::size_t>(kind)];
            one.stated += error > reaches[i].of(kind, t) ? 1 : 0;
            one.shorter += error > 0.9 * reaches[i].of(kind, t) ? 1 : 0;
            ++one.trials;
          }
        }
      }
    }
  }
  return missed;
}

// The chance of one number is 0.05 at most. The mean of 4,000 independent years has a deviation of 0.0035 at most, so
// that 0.074 is passed less than once in 1e9; of a reach a tenth short 0.0777 are missed.
TEST(SeriesBundle, IntervalsHoldAndShorterOnesDoNot) {
  const SeriesBundle bundle = bundle_of_tables({2, 3});
  double stated = 0, shorter = 0, trials = 0;
  for (const auto& kinds : missed_in(bundle, 4000)) {
    for (const Missed& one : kinds) {
      EXPECT_LE(one.stated, 0.074 * one.trials);
      stated += one.stated;
      shorter += one.shorter;
      trials += one.trials;
    }
  }
  EXPECT_GE(stated, 0.04 * trials);
  EXPECT_GE(shorter, 0.067 * trials);
}

TEST(SeriesBundle, RefusesTablesThatAreNotAllOfThem) {
  std::vector<SeriesFacts> all = tables_up_to_two({2, 3, 4});
  EXPECT_TRUE(bundles_of(all).has_value());
  std::vector<SeriesFacts> lacking = all;
  lacking.erase(lacking.begin() + 5);
  EXPECT_FALSE(bundles_of(lacking).has_value());
  std::vector<SeriesFacts> other = all;
  other[6].columns[0].keys.pop_back();
  EXPECT_FALSE(bundles_of(other).has_value());
  other = all;
  other[3].statement = "another";
  EXPECT_FALSE(bundles_of(other).has_value());
}

}  // namespace
}  // namespace vernier::plan
