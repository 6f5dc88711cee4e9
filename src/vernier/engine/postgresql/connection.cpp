#include "vernier/engine/postgresql/connection.hpp"

#include <cstring>
#include <string_view>
#include <utility>

#include <libpq-fe.h>

#include "vernier/engine/engine.hpp"
#include "vernier/engine/postgresql/address.hpp"
#include "vernier/engine/postgresql/stored_types.hpp"
#include "vernier/engine/postgresql/wire.hpp"

namespace vernier::engine {
namespace {

using query::Type;
using Answer = Wire::Answer;

constexpr std::chrono::seconds grace{10};  // beyond the server's own timeout

// ---- values in PostgreSQL's binary form

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

constexpr Oid oid_of(Type type) {
  switch (type) {
    case Type::boolean:
      return 16;
    case Type::integer:
      return 20;
    case Type::real:
      return 701;
    case Type::string:
      return 25;
    case Type::date:
      break;
  }
  return 1082;
}

// From days since 2000-01-01 to days since 1970-01-01; infinite ones, which no statement of ours gives, stay numbers.
query::Day day_of(std::uint64_t stored) {
  return query::Day{static_cast<std::int32_t>(static_cast<std::uint32_t>(stored) + 10957U)};
}

Cell cell_of(std::string_view bytes, Type type) {
  switch (type) {
    case Type::boolean:
      return query::Value(bytes != std::string_view("\0", 1));
    case Type::integer:
      return query::Value(static_cast<std::int64_t>(big_endian(bytes)));
    case Type::real: {
      const std::uint64_t bits = big_endian(bytes);
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return query::Value(value);
    }
    case Type::date:
      return query::Value(day_of(big_endian(bytes)));
    case Type::string:
      break;
  }
  return query::Value(std::string(bytes));
}

// ---- what is asked about tables and roles

// Of a table: its kind, whether a policy hides rows, whether all of it may be read, and its schema used, and whether
// there is anything in it.
constexpr const char* look_at_table =
    "SELECT CAST(c.relkind AS TEXT), row_security_active(c.oid), "
    "has_table_privilege(c.oid, 'SELECT'), has_schema_privilege(n.oid, 'USAGE'), c.relispopulated FROM pg_class AS c "
    "JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE n.nspname = $1 AND c.relname = $2";
// Types of others than PostgreSQL itself are told with their schema, and so are none of the list.
constexpr const char* look_at_columns =
    "SELECT CAST(a.attname AS TEXT), format_type(a.atttypid, a.atttypmod) FROM pg_attribute AS a "
    "JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

// A READ ONLY transaction keeps these from nothing.
constexpr const char* rights_that_are_too_many =
    "SELECT CASE WHEN rolsuper THEN 'superuser' WHEN pg_has_role('pg_execute_server_program', 'MEMBER') THEN "
    "'pg_execute_server_program' WHEN pg_has_role('pg_write_server_files', 'MEMBER') THEN 'pg_write_server_files' WHEN "
    "pg_has_role('pg_read_server_files', 'MEMBER') THEN 'pg_read_server_files' ELSE '' END FROM pg_roles WHERE "
    "rolname = current_user";

class Postgresql final : public Connection {
 public:
  explicit Postgresql(query::Engine engine) : engine_(std::move(engine)) {}

  // Connects, and sets what statements mean. A server that is not there any more is noticed after some 45 s.
  Result<void> open() {
    const bool verified = !is_on_this_machine(engine_.address) && !engine_.plaintext;
    std::vector<std::pair<const char*, std::string>> options = {
        {"connect_timeout", "10"},     {"keepalives_idle", "30"},
        {"keepalives_interval", "5"},  {"keepalives_count", "3"},
        {"tcp_user_timeout", "45000"}, {"dbname", engine_.address},
        {"client_encoding", "UTF8"},   {"fallback_application_name", "vernier"}};
    if (verified) options.emplace_back("sslmode", "verify-full");
    wire_.open(options);
    if (is_lost()) return refused(verified);
    version_ = "PostgreSQL " + std::to_string(wire_.version() / 10000) + "." + std::to_string(wire_.version() % 10000);
    VERNIER_TRY(set_up());
    return check_role();
  }

  Result<std::vector<EngineColumn>> columns(const query::Source& source) override {
    if (source.table.size() != 2) {
      return invalid("the table '" + source.told() + "' must be named with its schema",
                     "write for example public.people");
    }
    VERNIER_TRY(check_table(source));
    VERNIER_TRY(const Answer answer, asked(look_at_columns, source.table));
    std::vector<EngineColumn> columns;
    for (int row = 0; row < PQntuples(answer.get()); ++row) {
      columns.push_back(postgresql_column(text(answer, row, 0), text(answer, row, 1)));
    }
    return columns;
  }

  // The plan is made, and rights are looked at; no row is read.
  Result<void> check(const std::string& sql) override {
    const std::chrono::seconds within = std::chrono::seconds(engine_.seconds) + grace;
    const Answer answer = wire_.send("EXPLAIN " + sql, {}, false) ? last_answer(within) : nullptr;
    if (!answer) return refused_statement("there was no answer", "see that it still runs");
    if (PQresultStatus(answer.get()) == PGRES_TUPLES_OK) return {};
    const char* const state = PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE);
    const std::string code = state == nullptr ? "" : state;
    return refused_statement("SQLSTATE " + code,
                             code == "42501" ? "grant this role SELECT on the tables and USAGE on their schemas" : "");
  }

  Result<void> begin() override {
    if (is_lost()) {
      VERNIER_TRY(open());
    }
    VERNIER_TRY(done("ROLLBACK"));  // of no transaction it is a remark
    return done("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  }

  Result<Cells> read(const std::string& sql, const std::vector<Type>& types, std::size_t most_rows,
                     const Progress& progress) override {
    const auto end = Wire::Clock::now() + std::chrono::seconds(engine_.seconds) + grace;
    if (!wire_.send(sql, {}, true)) return failed_run();
    Cells cells;
    while (true) {
      const auto [came, answer] = wire_.next(end, progress);
      if (came == Wire::Came::stopped) return stopped_run();
      if (came == Wire::Came::nothing) return failed_run();
      if (came == Wire::Came::end) return cells;
      if (!take(answer, types, most_rows, cells)) {
        wire_.cancel();
        return failed_run();
      }
    }
  }

  bool is_lost() const override { return wire_.is_lost(); }
  std::string version() const override { return version_; }
  bool has_snapshot() const override { return true; }

 private:
  static std::string text(const Answer& answer, int row, int column) {
    return {PQgetvalue(answer.get(), row, column), static_cast<std::size_t>(PQgetlength(answer.get(), row, column))};
  }

  Failure refused(bool verified) const {
    if (wire_.needs_password()) {
      return fail(ErrorKind::system, "the server of the catalog's engine asks for a password",
                  "write one into a password file (~/.pgpass) or into PGPASSWORD; nothing was spent");
    }
    return fail(ErrorKind::system, "the server of the catalog's engine could not be reached, or lets nobody in",
                std::string("see that it runs, and check address, user and password") +
                    (verified ? "; its certificate must be one that ~/.postgresql/root.crt vouches for" : "") +
                    "; nothing was spent");
  }

  static Failure not_told() {
    return fail(ErrorKind::system, "the server of the catalog's engine does not tell what it has",
                "see that it is PostgreSQL 15 or later; nothing was spent");
  }

  // Names mean those of PostgreSQL alone, texts and days what they mean in the standard, and a policy that would hide
  // rows is an error. A server that can do so ends the statements of a client that is gone.
  Result<void> set_up() {
    VERNIER_TRY(
        done("SET search_path = pg_catalog; SET standard_conforming_strings = on; SET timezone = 'UTC'; "
             "SET datestyle = 'ISO, YMD'; SET jit = off; SET row_security = off; SET client_min_messages = error; "
             "SET default_transaction_read_only = on; SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 5; "
             "SET tcp_keepalives_count = 3; SET statement_timeout = '" +
             std::to_string(engine_.seconds) + "s'"));
    (void)done("SET client_connection_check_interval = '10s'");
    return {};
  }

  // The last answer to what was sent, in a time that small statements never need.
  Answer last_answer(std::chrono::seconds within = std::chrono::seconds(60)) {
    const auto end = Wire::Clock::now() + within;
    Answer last;
    for (;;) {
      auto [came, answer] = wire_.next(end, nobody_watches);
      if (came == Wire::Came::end) return last;
      if (came != Wire::Came::answer) return nullptr;
      last = std::move(answer);
    }
  }

  Result<void> done(const std::string& sql) {
    const Answer answer = wire_.send(sql) ? last_answer() : nullptr;
    if (PQresultStatus(answer.get()) == PGRES_COMMAND_OK) return {};
    return fail(ErrorKind::system, "the server of the catalog's engine refused what a session needs",
                "see that it is PostgreSQL 15 or later; nothing was spent");
  }

  Result<Answer> asked(const char* sql, const std::vector<std::string>& texts = {}) {
    Answer answer = wire_.send(sql, texts, false) ? last_answer() : nullptr;
    if (PQresultStatus(answer.get()) == PGRES_TUPLES_OK) return answer;
    return not_told();
  }

  Result<void> check_role() {
    VERNIER_TRY(const Answer encoding, asked("SELECT current_setting('server_encoding')"));
    if (text(encoding, 0, 0) != "UTF8") {
      return fail(ErrorKind::system, "the database of the catalog's engine has texts that are not UTF-8",
                  "name a database with the encoding UTF8; nothing was spent");
    }
    VERNIER_TRY(const Answer answer, asked(rights_that_are_too_many));
    const std::string right = PQntuples(answer.get()) == 1 ? text(answer, 0, 0) : "unknown";
    if (right.empty()) return {};
    return invalid("the role of the engine's address may do more than read (" + right +
                       "), and a transaction that only reads keeps it from nothing",
                   "name one that only SELECT on the tables of the catalog is granted to; nothing was spent");
  }

  Result<void> check_table(const query::Source& source) {
    const std::string name = "the table '" + source.told() + "' ";
    VERNIER_TRY(const Answer answer, asked(look_at_table, source.table));
    if (PQntuples(answer.get()) != 1) {
      return invalid(name + "is not in the database", "check schema and name, to the letter; nothing was spent");
    }
    const auto is = [&](int column) { return text(answer, 0, column) == "t"; };
    if (std::string_view("rpm").find(text(answer, 0, 0)) == std::string_view::npos) {
      return invalid(name + "is a view or lies elsewhere, and what runs behind it is not known",
                     "name a table, or make a materialized view of it; nothing was spent");
    }
    if (!is(2)) {
      return invalid(name + "may not be read by the role of the engine's address",
                     "grant SELECT on it; nothing was spent");
    }
    if (!is(3)) {
      return invalid(name + "lies in a schema that the role of the engine's address may not use",
                     "grant USAGE on the schema; nothing was spent");
    }
    if (!is(4)) {
      return invalid(name + "is a materialized view that was never filled",
                     "write REFRESH MATERIALIZED VIEW; nothing was spent");
    }
    if (is(1)) {
      return invalid(name + "shows this role only some of its rows, by row security",
                     "name a role that sees all of them, or a table of those that are meant; nothing was spent");
    }
    return {};
  }

  static bool has_types(const Answer& answer, const std::vector<Type>& types) {
    if (static_cast<std::size_t>(PQnfields(answer.get())) != types.size()) return false;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (PQftype(answer.get(), static_cast<int>(i)) != oid_of(types[i])) return false;
    }
    return true;
  }

  // Whether the answer, a row or the end of all rows, is as it was asked for.
  static bool take(const Answer& answer, const std::vector<Type>& types, std::size_t most_rows, Cells& cells) {
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK) return false;
    if (!has_types(answer, types)) return false;
    for (int row = 0; row < PQntuples(answer.get()); ++row) {
      if (cells.rows.size() == most_rows) return false;
      std::vector<Cell>& made = cells.rows.emplace_back();
      for (std::size_t i = 0; i < types.size(); ++i) {
        const int column = static_cast<int>(i);
        const bool is_null = PQgetisnull(answer.get(), row, column) == 1;
        made.push_back(is_null ? Cell() : cell_of(text(answer, row, column), types[i]));
      }
    }
    return true;
  }

  query::Engine engine_;
  Wire wire_;
  std::string version_;
};

}  // namespace

Result<std::unique_ptr<Connection>> connect_postgresql(const query::Engine& engine) {
  auto connection = std::make_unique<Postgresql>(engine);
  VERNIER_TRY(connection->open());
  return connection;
}

}  // namespace vernier::engine
