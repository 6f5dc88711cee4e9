#pragma once

#include <span>
#include <vector>

#include "vernier/table/lattice.hpp"

// How much noise each contrast gets: the best for what is wanted of the tables. table.md has the duality.
namespace vernier::table {

struct Design {
  std::vector<double> variances;    // sigma_A^2, of one coordinate of each residual
  std::vector<double> multipliers;  // of each table: the dual point that shows what is least
  double cost = 0;   // the sum of p_A / sigma_A^2: the squared distance of neighbours in standard deviations
  double least = 0;  // no variances that promise as much cost less; a dual point shows it
  int steps = 0;

  double gap() const { return cost / least - 1; }
};

// No variances whose tables have at most these cost less, whatever the multipliers are: at least 0, not all of them 0.
double least_cost(const Lattice& lattice, std::span<const double> multipliers, std::span<const double> bounds);

// The least cost at which no cell of table W has a variance above targets[W]; its gap is 1e-7 at most but where that
// took too many steps. Targets are above 0. The search begins at these multipliers; without any at equal ones.
Design design_for(const Lattice& lattice, std::span<const double> targets, std::vector<double> multipliers = {});

// The least sum of weights[W] * (variance of a cell of W) at cost 1, by a closed form. Weights are above 0.
Design design_of_least_sum(const Lattice& lattice, std::span<const double> weights);

// The same design with every variance times the factor.
Design scaled(Design design, double factor);

// What the variances cost.
double cost_of(const Lattice& lattice, std::span<const double> variances);

}  // namespace vernier::table
