#pragma once

#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "vernier/engine/raw_aggregates.hpp"
#include "vernier/release/run/tables.hpp"
#include "vernier/table/noise.hpp"

// How far the contrasts of two neighbouring tables are apart, beside what is charged for it.
namespace vernier::testing {

using Moves = std::map<std::pair<double, std::int64_t>, std::int64_t>;  // coordinates, by scale and size of the move

// Laws by whose scales residuals can be told from each other.
inline table::Laws distinct_laws(const table::Lattice& lattice) {
  std::vector<double> variances;
  for (std::size_t i = 0; i < lattice.residuals().size(); ++i) variances.push_back(2 + 0.013 * static_cast<double>(i));
  return table::laws_of(lattice, variances).value();
}

inline Moves charged_moves(const table::Lattice& lattice, const table::Laws& laws) {
  Moves moves;
  const std::vector<accounting::Event> events = table::events_of(lattice, laws).value();
  for (const accounting::Event& event : events) {
    const auto& one = std::get<mechanism::DiscreteGaussianMechanism>(event.release());
    moves[{one.law().scale(), one.sensitivity().value()}] += event.times().value();
  }
  return moves;
}

// Of whole numbers modulo 2^64; none where nothing moved.
inline Moves found_moves(const table::Laws& laws, const table::Exact& before, const table::Exact& after) {
  Moves moves;
  bool has_moved = false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t j = 0; j < before[i].size(); ++j) {
      const auto by = std::abs(static_cast<std::int64_t>(after[i][j] - before[i][j]));
      has_moved |= by != 0;
      ++moves[{laws[i].scale(), by}];
    }
  }
  return has_moved ? moves : Moves();
}

inline table::Exact contrasts_of(const plan::BoundTables& tables, engine::RawAggregates raw) {
  return table::contrasts_of(*tables.lattice, release::counted_rows(tables, std::move(raw)).value());
}

}  // namespace vernier::testing
