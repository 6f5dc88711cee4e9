#pragma once

#include <string_view>
#include <vector>

#include "vernier/coverage/question.hpp"

// Populations of pairs, for relations of two columns.
namespace vernier::coverage {

// Values of x and y, as many of one as of the other.
struct Pairs {
  std::vector<double> x, y;
};

// Every pair as its step, by which a population of one column is sampled: it is then on the grid of codes.
Result<Population> coded(const Pairs& pairs, const PairGrids& grids);
Result<ValueGrid> grid_of_codes(const PairGrids& grids);

// Both columns of a named shape, as ranks of a normal law of two dimensions with correlation one half: 65,536 members;
// and a grid for either that a release does not make coarser.
struct NamedPairs {
  Pairs pairs;
  PairGrids grids;
};
Result<NamedPairs> pairs_named(std::string_view words);

}  // namespace vernier::coverage
