#pragma once

#include <optional>
#include <vector>

#include <duckdb.h>

#include "vernier/core/progress.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/raw_aggregates.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/plan/render/sql.hpp"

namespace vernier::engine {

// The rows of a finished statement; none where they have another form than `sql` says.
std::optional<std::vector<RawGroup>> read_groups(duckdb_result& result, const plan::Sql& sql);

// Runs the statement to its end and gives its groups. Whatever fails is run_failed, and run_stopped where `progress`
// answered no; the engine's own message is never looked at.
Result<RawAggregates> run_statement(duckdb_connection connection, const plan::Sql& sql, const Secret& secret,
                                    const Progress& progress);

// Likewise, of a statement of columns of these types.
Result<Cells> read_cells(duckdb_connection connection, const std::string& sql, const std::vector<query::Type>& types,
                         std::size_t most_rows, const Progress& progress);

// Likewise, and throws away what it answers.
Result<void> run_through(duckdb_connection connection, const std::string& sql, const Progress& progress);

}  // namespace vernier::engine
