#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/plan/render/sql.hpp"

namespace vernier::engine {

// More private groups, or occupied points of histograms, than this are a failed run.
inline constexpr std::size_t most_rows_of_answer = 10'000'000;

// The answer to a statement of columns of these types.
using ReadCells = std::function<Result<Cells>(const std::string& sql, const std::vector<query::Type>& types)>;

// How a run is told to an engine: the hash's key, and in how many parts of the units statements are run.
struct Running {
  const Secret& secret;
  std::int64_t passes = 1;
  const query::Dialect& in = query::duckdb_dialect();
};

// Runs the statements of a portable Sql, with the secret in its place, and puts their answers together. What no engine
// answers that means what we mean is a failed run: NULLs, groups twice, keys that are no text.
Result<RawAggregates> run_portable(const plan::Sql& sql, const Running& running, const ReadCells& read);

// The statement with the secret as 32 hex digits, for the units of one pass.
std::string told(const std::string& text, const plan::Sql& sql, const Running& running, std::int64_t pass);

}  // namespace vernier::engine
