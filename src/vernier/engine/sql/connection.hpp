#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/value.hpp"

namespace vernier::engine {

using Cell = std::optional<query::Value>;

// What a statement answered. It is wiped when it goes: exact numbers stand in it.
class Cells {
 public:
  Cells() = default;
  Cells(Cells&&) = default;
  Cells& operator=(Cells&&) = default;
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  ~Cells();

  std::vector<std::vector<Cell>> rows;
};

// A column of a table, as its engine has it.
struct EngineColumn {
  std::string name;
  std::string stored;               // "numeric(10,2)"
  std::vector<query::Type> may_be;  // the types in which every value of it has a place

  // Where a cast to one of these could fail by what stands in a row: the value of the column, so named in the dialect,
  // that never does.
  using Reading = std::string (*)(const std::string& column, query::Type as);
  Reading reading = nullptr;
};

// Runs text on a server: one small class for each engine (docs/recipes/engine.md). Of use in one thread at a time.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // The columns of a table, without a look at a row. An error where it is not there, where this user may not read all
  // of it, or where it is none that rows can be counted from.
  virtual Result<std::vector<EngineColumn>> columns(const query::Source& source) = 0;

  // Whether the server takes the statement: it is planned there, and no row is read; refused_statement() where it does
  // not.
  virtual Result<void> check(const std::string& sql) = 0;

  // From here on all statements see one state of the data, where the engine can do that, and nothing can be changed.
  // Connects again where the connection was lost.
  virtual Result<void> begin() = 0;

  // The rows of a statement, whose columns have these types; failed_run() where they have others, where there are more
  // than `most_rows`, and for whatever else goes wrong. The watcher is asked every 50 ms.
  virtual Result<Cells> read(const std::string& sql, const std::vector<query::Type>& types, std::size_t most_rows,
                             const Progress& progress) = 0;

  virtual bool is_lost() const = 0;         // so that another try may succeed
  virtual std::string version() const = 0;  // "PostgreSQL 15.18"
  virtual bool has_snapshot() const = 0;    // whether begin() holds one state of the data
};

// Of a statement that a server would not run, behind what has it: with the server's own short word for the reason,
// before anything is spent.
Failure refused_statement(const std::string& reason, const std::string& advice = "");

// Whether this program opens connections to it by itself.
bool has_connection(const query::Engine& engine);

// Opens what [engine] names. The list of engines is in connections.cpp.
Result<std::unique_ptr<Connection>> connect(const query::Engine& engine);

}  // namespace vernier::engine
