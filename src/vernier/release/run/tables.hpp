#pragma once

#include <utility>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/release/release.hpp"
#include "vernier/release/run/exact_numbers.hpp"
#include "vernier/table/contrast.hpp"

// Contrasts of a [[table]]: counted in one read, and given noise before anything else is made of them.
namespace vernier::release {

// Everything about it that needs no data.
struct PreparedTables {
  const plan::BoundTables* tables;
  plan::Sql sql;
  std::vector<noise::IntegerSampler<noise::DiscreteGaussian>> samplers;  // one per residual
};

// One per [[table]]; the plan must outlive them. An error where there are more cells than can be held.
Result<std::vector<PreparedTables>> prepare_tables(const plan::Plan& plan, const engine::Session& session);

// The rows by the places of their keys. An error, which says nothing of the data, where the engine brought something
// else than was asked.
Result<table::CountedRows> counted_rows(const plan::BoundTables& tables, engine::RawAggregates raw);

// Every cell of every residual with noise of its own, whatever stands in it.
template <class Stream>
Result<table::Noisy> noisy_contrasts(const PreparedTables& prepared, engine::RawAggregates raw,
                                     random::BasicSource<Stream>& source) {
  table::Exact exact;
  {
    VERNIER_TRY(const table::CountedRows rows, counted_rows(*prepared.tables, std::move(raw)));
    exact = table::contrasts_of(*prepared.tables->lattice, rows);
  }
  table::Noisy noisy;
  noisy.reserve(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    std::vector<std::int64_t> drawn(exact[i].size());
    VERNIER_TRY(prepared.samplers[i].fill(source, drawn));
    for (std::size_t j = 0; j < drawn.size(); ++j)
      drawn[j] = static_cast<std::int64_t>(static_cast<std::uint64_t>(drawn[j]) + exact[i][j]);  // modulo 2^64
    exact[i] = {};  // so that exact and noisy ones are not all held at once
    noisy.push_back(std::move(drawn));
  }
  return noisy;
}

}  // namespace vernier::release
