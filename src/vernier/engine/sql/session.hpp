#pragma once

#include <memory>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/query/dialect/dialect.hpp"

namespace vernier::engine {

// A public table that lies in a file, read: it is sent along with every statement that joins it.
struct SentTable {
  query::Table table;
  Cells rows;  // of its columns
  PublicFile file;
};
inline constexpr std::size_t most_sent_rows = 10'000;

// A session over any engine that takes SQL: looks at the tables of the catalog and probes the engine before it is
// handed out, so that nothing is spent where it means something else than we do. All statements of a run are read
// before it ends, in one state of the data where there is one; where the connection is lost all of them are read again,
// three times at most.
Result<std::unique_ptr<Session>> open_sql_session(const query::Dialect& dialect, std::unique_ptr<Connection> connection,
                                                  const std::vector<query::Table>& tables,
                                                  std::vector<SentTable> sent = {}, std::int64_t passes = 1);

// Whether the table on the engine has the declared columns, in types of which every value has a place in the declared
// one.
Result<void> check_columns(const query::Table& table, const std::vector<EngineColumn>& columns);

}  // namespace vernier::engine
