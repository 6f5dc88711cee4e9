#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/series/accuracy.hpp"
#include "vernier/table/lattice.hpp"

// Which series are measured together: one alone, or all tables of a [[series]] with up_to. Of the latter the contrasts
// of table.md are measured at every step, so that what is published of a step adds up. series.md, "Whole tables".
namespace vernier::plan {

struct SeriesFacts;

struct SeriesBundle {
  std::size_t first = 0;                          // of its series, which follow each other
  std::size_t count = 1;                          // in the order of the lattice's tables
  std::shared_ptr<const table::Lattice> lattice;  // none of one alone
  std::vector<double> variances = {1};            // of each contrast, over those of a table's cells, 1 at most
  double cost = 1;                                // of them

  // The contrast of the table at this place; none where one of its columns has one key, so that it is 0.
  std::optional<std::size_t> contrast_of(std::size_t place) const;
};

// In their order. An error where series that are called together are not all tables up to an order of the same columns.
Result<std::vector<SeriesBundle>> bundles_of(const std::vector<SeriesFacts>& all);

// The scales at which every cell of every table has the noise of a series alone of this scale.
Result<std::vector<noise::DiscreteGaussian>> laws_at(const SeriesBundle& bundle, double scale);

// How the noise of a table's cells spreads, at the laws of all tables of the bundle.
series::Spread spread_of_table(const SeriesBundle& bundle, std::size_t place,
                               std::span<const noise::DiscreteGaussian> laws, std::size_t steps);

// The noisy cells of every table at one step, from the noisy contrasts of that step, each times the square of its
// number of cells: whole numbers, whose sums agree exactly. Of a series alone what was measured.
std::vector<std::vector<series::Wide>> tables_of(const SeriesBundle& bundle,
                                                 std::vector<std::vector<std::int64_t>> noisy);

// What the noisy cells of a table were multiplied by.
double parts_of_table(const SeriesBundle& bundle, std::size_t place);

}  // namespace vernier::plan
