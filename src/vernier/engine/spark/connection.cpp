#include "vernier/engine/spark/connection.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "vernier/engine/arrow/column.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/stored_types.hpp"

namespace vernier::engine {
namespace {

using query::Type;

// CHAR is refused, since it is filled with blanks; timestamps, since their day depends on a zone.
constexpr std::array stored_types = {
    StoredType{"boolean", {Type::boolean}},
    StoredType{"tinyint", {Type::integer, Type::real}},
    StoredType{"smallint", {Type::integer, Type::real}},
    StoredType{"int", {Type::integer, Type::real}},
    StoredType{"bigint", {Type::integer, Type::real}},
    StoredType{"float", {Type::real}},
    StoredType{"double", {Type::real}},
    StoredType{"decimal", {Type::real}},
    StoredType{"string", {Type::string}},
    StoredType{"varchar", {Type::string}},
    StoredType{"date", {Type::date}},
};

// ---- values in Arrow

bool holds(ArrowKind kind, Type type) {
  switch (type) {
    case Type::boolean:
      return kind == ArrowKind::boolean;
    case Type::integer:
      return kind == ArrowKind::int64;
    case Type::real:
      return kind == ArrowKind::float64;
    case Type::string:
      return is_text(kind);
    case Type::date:
      break;
  }
  return kind == ArrowKind::date;
}

// The values of one column of a batch, by the function that reads such.
template <class Stored, class Read>
std::vector<Cell> read_as(const ArrowColumn& column, const ArrowArray& values, std::vector<std::int64_t>& positions,
                          const Read& read) {
  const auto found = std::make_unique<Stored[]>(positions.size());  // not a vector: of bool it would be bits
  read(values, column.kind(), Positions(positions), found.get());
  std::vector<Cell> cells(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == no_value) continue;
    if constexpr (std::is_same_v<Stored, std::int32_t>)
      cells[i] = query::Value(query::Day{found[i]});
    else
      cells[i] = query::Value(found[i]);
  }
  return cells;
}

std::vector<Cell> cells_in(const ArrowColumn& column, std::size_t batch, std::int64_t rows, Type type) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(rows));
  column.find(batch, 0, Positions(positions));
  const ArrowArray& values = column.values(batch);
  switch (type) {
    case Type::boolean:
      return read_as<bool>(column, values, positions, read_booleans);
    case Type::integer:
      return read_as<std::int64_t>(column, values, positions, read_integers);
    case Type::real:
      return read_as<double>(column, values, positions, read_reals);
    case Type::string:
      return read_as<std::string>(column, values, positions, read_texts);
    case Type::date:
      break;
  }
  return read_as<std::int32_t>(column, values, positions, read_days);
}

class Given final : public Connection {
 public:
  Given(std::shared_ptr<const GivenSession> session, std::int64_t seconds)
      : session_(std::move(session)), seconds_(seconds) {}

  Result<std::vector<EngineColumn>> columns(const query::Source& source) override {
    VERNIER_TRY(const GivenSession::Columns found, session_->columns(source));
    std::vector<EngineColumn> columns;
    for (const auto& [name, stored] : found) columns.push_back({name, stored, types_that_hold(stored, stored_types)});
    return columns;
  }

  // Spark tells what is wrong with a statement as the text of its plan.
  Result<void> check(const std::string& sql) override {
    const Result<Cells> plan = read("EXPLAIN " + sql, {Type::string}, 1, nobody_watches);
    if (!plan && plan.error().kind == ErrorKind::stopped) {
      return fail(ErrorKind::stopped, "the run was stopped before it began", "nothing was charged");
    }
    const bool is_told = plan && plan->rows.size() == 1 && plan->rows.front().front();
    if (!is_told && session_->is_lost()) return refused_statement("there was no answer", "see that it still runs");
    if (!is_told) return refused_statement("there was no plan");
    const auto& text = std::get<std::string>(*plan->rows.front().front());
    const bool is_planned = text.find("Error occurred during query planning") == std::string::npos;
    return is_planned ? Result<void>() : refused_statement("it cannot be planned");
  }

  Result<void> begin() override { return is_lost() ? session_->renew() : Result<void>(); }

  Result<Cells> read(const std::string& sql, const std::vector<Type>& types, std::size_t most_rows,
                     const Progress& progress) override {
    if (!progress(0)) return stopped_run();
    VERNIER_TRY(const std::shared_ptr<const ArrowTable> answer, session_->read(sql, seconds_, progress));
    return cells_of(*answer, types, most_rows);
  }

  bool is_lost() const override { return session_->is_lost(); }
  std::string version() const override { return session_->version; }
  bool has_snapshot() const override { return false; }

 private:
  std::shared_ptr<const GivenSession> session_;
  std::int64_t seconds_;
};

}  // namespace

Result<Cells> cells_of(const ArrowTable& answer, const std::vector<Type>& types, std::size_t most_rows) {
  const bool is_as_asked = answer.names().size() == types.size() && answer.rows() >= 0 &&
                           static_cast<std::uint64_t>(answer.rows()) <= most_rows;
  if (!is_as_asked) return failed_run();
  Cells cells;
  cells.rows.resize(static_cast<std::size_t>(answer.rows()));
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Result<ArrowColumn> column = ArrowColumn::of(answer, i);
    if (!column || !holds(column->kind(), types[i])) return failed_run();
    std::size_t row = 0;
    for (std::size_t batch = 0; batch < answer.batches().size(); ++batch) {
      for (Cell& cell : cells_in(*column, batch, answer.batches()[batch].length, types[i])) {
        cells.rows[row++].push_back(std::move(cell));
      }
    }
  }
  return cells;
}

Result<std::unique_ptr<Connection>> connect_given(const query::Engine& engine,
                                                  std::shared_ptr<const GivenSession> session) {
  if (engine.kind != session->kind) {
    return invalid("a session of " + session->kind + " is given, but the engine of the catalog is " + engine.kind,
                   "write [engine] with kind = \"" + session->kind + "\" into the catalog, or leave out the session");
  }
  return std::make_unique<Given>(std::move(session), engine.seconds);
}

}  // namespace vernier::engine
