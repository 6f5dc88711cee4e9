#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/denoise/weighted_noise.hpp"

// Cells and totals that were released apart, each with noise of its own, made to add up: the linear estimates of least
// variance (generalised least squares), with exact weights on every noise and so an interval of their own.
// consistent.md has the proofs.
//
// For a release:
//   1. Cells are the finest groups; each was released itself. A total is another released number whose EXACT value is
//      the sum of the exact values of the cells that it lists: the margins of a table of two keys, the total of one
//      key, the inner nodes of a tree. This must hold of the rows as bounded and clamped, for every data set: counts
//      and sums whose rows are bounded alike and whose keys are public and complete. Not of distinct counts, of means,
//      or of keys that were chosen from data.
//   2. Numbers are integers in units of one grid, as they were drawn.
//   3. `Consistency::of` needs no data: it runs, and can fail, before there is any. `estimates` gives one estimate for
//      each released number, in the order cells, totals; those of totals are the sums of those of cells.
//   4. `reaches` gives the accuracy of each at alpha: the exact number lies within value +- reach with probability
//      1 - alpha at least. Moving the value into what is possible, and then cutting the interval off there, loses
//      nothing (interval/rows/additive.md). Where the exact number is whole, ends may be moved inwards to whole
//      numbers.
namespace vernier::denoise {

struct Layout {
  std::size_t cells;
  std::vector<std::vector<std::size_t>> totals;  // the indexes of the cells in each, ascending
};

// Layouts that are often wanted. Cells of a table lie row by row.
Layout one_total(std::size_t cells);
Layout margins_of_table(std::size_t rows, std::size_t columns);  // row totals, then column totals

// Most totals, and most cells times totals, for which the equations are solved.
inline constexpr std::size_t most_totals = 1000;
inline constexpr std::size_t most_gains = 10'000'000;

class Consistency {
 public:
  // One law per released number, cells first.
  static Result<Consistency> of(Layout layout, std::vector<IntegerLaw> laws);

  std::size_t numbers() const { return laws_.size(); }

  // In units of the grid; one released number per law, in the same order.
  Result<std::vector<double>> estimates(std::span<const std::int64_t> released) const;

  // The estimate of a number is its exact value plus the sum of weight * noise over all released numbers.
  std::vector<double> weights(std::size_t number) const;
  double variance(std::size_t number) const;  // of that sum; never above that of the number's own noise

  // The same over the variance of the number's own noise: 1 at most, but for rounding.
  double risk(std::size_t number) const;

  // A total whose cells do not add up to it, by more than their noises explain but for this chance: what a total and
  // its cells say of the same rows differs by noise of a known law alone, where the exact numbers add up. None: all of
  // them may. It costs no budget; intervals that are only told otherwise share their alpha with it.
  std::optional<std::size_t> disagreement(std::span<const std::int64_t> released, Alpha chance) const;

  // How far each estimate is from the exact number, but for alpha.
  std::vector<Reach> reaches(Alpha alpha) const;

 private:
  Consistency(Layout layout, std::vector<IntegerLaw> laws) : layout_(std::move(layout)), laws_(std::move(laws)) {}
  void solve();
  const double* gains_of(std::size_t number) const { return gains_.data() + number * layout_.totals.size(); }

  Layout layout_;
  std::vector<IntegerLaw> laws_;
  std::vector<double> variances_;  // over the greatest of them, and above 0
  double greatest_variance_ = 0;
  std::vector<std::vector<std::size_t>> totals_of_;  // of each cell
  std::vector<double> gains_;  // what each total's discrepancy adds to each number: cells, then totals, row by row
};

}  // namespace vernier::denoise
