#pragma once

#include <map>
#include <span>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/core/types.hpp"
#include "vernier/denoise/weighted_noise.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/table/lattice.hpp"

// The noise of contrasts: its laws, what they give away, and how far they move a cell. table.md has the proofs.
namespace vernier::table {

// One law for each residual.
using Laws = std::vector<noise::DiscreteGaussian>;

// Scales sigma_A * N_A, rounded up to 40 bits so that equal ones stay equal; none below what the law takes. An error
// where one is above.
Result<Laws> laws_of(const Lattice& lattice, std::span<const double> variances);

// What one row gives away by all noisy contrasts together: it moves the coordinates of each by known whole numbers.
// Equal events are counted together where neighbours add or remove one row. Where they replace one, by their zCDP: what
// is moved depends on the columns in which both rows agree.
Result<std::vector<accounting::Event>> events_of(const Lattice& lattice, const Laws& laws,
                                                 privacy::Neighbours neighbours = privacy::Neighbours::add_remove);

// The rho of replacing one row by any other, or by none, from above: the greatest over all sets of columns in which two
// rows agree, or of many columns a bound of it.
double rho_of_replacing(const Lattice& lattice, const Laws& laws);

// The draws in the error of a cell of the table, with their weights; from above.
std::vector<denoise::Term> terms_of(const Lattice& lattice, std::size_t table, const Laws& laws);

// The square of the scale of one coordinate of each residual, over its cells: from above what its variance is.
std::vector<double> squares_of(const Lattice& lattice, const Laws& laws);

// The standard deviation of the error of a cell of each table, from above.
std::vector<double> deviations_of(const Lattice& lattice, const Laws& laws);

// How far the estimate of a cell of each table lies from the exact count, but for alpha: proven, whatever the rows are.
// For what doubles lose a part in 2^40 is charged; but the error of a cell is a multiple of one over the square of its
// table's cells, and what lies between two of these is not counted.
std::vector<double> reaches_of(const Lattice& lattice, const Laws& laws, Alpha alpha);
// The same of some tables, in their order.
std::vector<double> reaches_of(const Lattice& lattice, const Laws& laws, Alpha alpha,
                               std::span<const std::size_t> tables);

// The greatest multiple of one over the square of a table's cells that is not above, rounded up to a double: no error
// lies between the two.
double whole_steps(double reach, std::int64_t cells);

}  // namespace vernier::table
