#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/engine/sql/connection.hpp"

namespace vernier::engine {

// A session of an engine that the calling program has opened, with its own rights and catalogs: Spark's in Python. It
// is called in the thread of the run alone.
struct GivenSession {
  std::string kind;     // the name of its dialect
  std::string version;  // "Spark 4.3.0"

  // Names and stored types of the columns of a table. Every reason not to read it is an error.
  using Columns = std::vector<std::pair<std::string, std::string>>;
  std::function<Result<Columns>(const query::Source& source)> columns;

  // The rows of a statement. Whatever goes wrong is failed_run(), or stopped_run() where somebody stopped it.
  // `seconds` is how long it may take; a watcher that can be asked meanwhile says whether to go on.
  std::function<Result<std::shared_ptr<const ArrowTable>>(const std::string& sql, std::int64_t seconds,
                                                          const Progress& progress)>
      read;

  // Whether it answers nothing any more, and another one in its place, where the program can have one.
  std::function<bool()> is_lost = [] { return false; };
  std::function<Result<void>()> renew = [] { return Result<void>(); };
};

// A connection over it; an error where the catalog names another engine. No state of the data is held.
Result<std::unique_ptr<Connection>> connect_given(const query::Engine& engine,
                                                  std::shared_ptr<const GivenSession> session);

// The rows of an answer, whose columns have exactly these types; failed_run() where they have others, or there are
// more.
Result<Cells> cells_of(const ArrowTable& answer, const std::vector<query::Type>& types, std::size_t most_rows);

}  // namespace vernier::engine
