#include "vernier/engine/trino/connection.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/stored_types.hpp"
#include "vernier/engine/trino/http.hpp"
#include "vernier/query/dialect/dialect.hpp"

namespace vernier::engine {
namespace {

using nlohmann::json;
using query::Type;
using Clock = std::chrono::steady_clock;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// ---- values in Trino's JSON

bool is_type(std::string_view told, Type type) {
  switch (type) {
    case Type::boolean:
      return told == "boolean";
    case Type::integer:
      return told == "bigint";
    case Type::real:
      return told == "double";
    case Type::string:
      return told == "varchar" || told.starts_with("varchar(");
    case Type::date:
      break;
  }
  return told == "date";
}

Cell real_of(const json& value) {
  if (value.is_number()) return query::Value(value.get<double>());
  if (value == "NaN") return query::Value(std::nan(""));
  if (value == "Infinity") return query::Value(HUGE_VAL);
  return value == "-Infinity" ? Cell(query::Value(-HUGE_VAL)) : std::nullopt;
}

Cell integer_of(const json& value) {
  const bool is_narrow = value.is_number_integer() &&
                         (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  return is_narrow ? Cell(query::Value(value.get<std::int64_t>())) : std::nullopt;
}

Cell day_of(const json& value) {
  const auto day = value.is_string() ? query::read_day(value.get_ref<const std::string&>()) : std::nullopt;
  return day ? Cell(query::Value(*day)) : std::nullopt;
}

// None where it is no such value.
Cell cell_of(const json& value, Type type) {
  switch (type) {
    case Type::boolean:
      return value.is_boolean() ? Cell(query::Value(value.get<bool>())) : std::nullopt;
    case Type::integer:
      return integer_of(value);
    case Type::real:
      return real_of(value);
    case Type::string:
      return value.is_string() ? Cell(query::Value(value.get<std::string>())) : std::nullopt;
    case Type::date:
      break;
  }
  return day_of(value);
}

// ---- columns

// CHAR is refused, since blanks at its end do not count; timestamps, since their day depends on a zone.
constexpr std::array stored_types = {
    StoredType{"boolean", {Type::boolean}},
    StoredType{"tinyint", {Type::integer, Type::real}},
    StoredType{"smallint", {Type::integer, Type::real}},
    StoredType{"integer", {Type::integer, Type::real}},
    StoredType{"bigint", {Type::integer, Type::real}},
    StoredType{"real", {Type::real}},
    StoredType{"double", {Type::real}},
    StoredType{"decimal", {Type::real}},
    StoredType{"varchar", {Type::string}},
    StoredType{"uuid", {Type::string}},
    StoredType{"date", {Type::date}},
};

// A table that the session reads: its name as statements have it, and the state of it that a run sees.
struct KnownTable {
  query::Source source;
  std::string name;
  bool has_snapshots = false;
  std::string version = {};  // " FOR VERSION AS OF 17"
};

// What the last statement came to, where it failed.
struct Reason {
  int status = 0;    // of HTTP
  std::string name;  // of Trino: TABLE_NOT_FOUND
};

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Names of errors are ours to repeat, since they are Trino's own words.
std::string error_name(const json& error) {
  std::string name = text_at(error, "errorName");
  const bool is_name = name.size() <= 80 && std::all_of(name.begin(), name.end(), [](char c) {
                         return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
                       });
  return is_name && !name.empty() ? name : "UNKNOWN";
}

// Only the path is taken, so that nothing is ever sent to another server.
std::string path_of(const std::string& uri) {
  const std::size_t scheme = uri.find("://");
  const std::size_t path = scheme == std::string::npos ? 0 : uri.find('/', scheme + 3);
  const std::string found = path == std::string::npos ? "" : uri.substr(path);
  return found.starts_with("/v1/statement/") ? found : "";
}

// Without it an answer may take a second to say that there is none yet.
std::string soon(const std::string& path) {
  return path + (path.find('?') == std::string::npos ? "?" : "&") + "maxWait=100ms";
}

class Trino final : public Connection {
 public:
  Trino(query::Engine engine, const HttpAddress& address, Http::Headers headers)
      : engine_(std::move(engine)), http_(address, std::move(headers)) {}

  // Looks whether the server is there, and lets this user in.
  Result<void> open() {
    const HttpAnswer info = http_.ask("GET", "/v1/info", "", nobody_watches);
    lost_ = info.reached != Reached::yes || info.status != 200;
    if (info.reached == Reached::untrusted) {
      return fail(ErrorKind::system, "the server of the catalog's engine has no certificate that this machine trusts",
                  "name it as its certificate does, or let SSL_CERT_FILE name the one that vouches for it; nothing was "
                  "spent");
    }
    const json told = json::parse(info.body, nullptr, false);
    if (lost_ || !told.is_object() || !told.contains("nodeVersion")) return not_reached();
    if (told.value("starting", false)) lost_ = true;
    if (lost_) return not_reached();
    version_ = "Trino " + text_at(told.at("nodeVersion"), "version");
    const Result<Cells> one = asked("SELECT CAST(1 AS BIGINT)", {Type::integer});
    return one ? Result<void>() : Failure(one.error());
  }

  Result<std::vector<EngineColumn>> columns(const query::Source& source) override {
    if (source.table.size() != 3 || source.told().find('"') != std::string::npos) {
      return invalid("the table '" + source.told() + "' must be named with its catalog and schema",
                     "write for example hive.census.people");
    }
    VERNIER_TRY(check_table(source));
    VERNIER_TRY(const Cells cells, asked("SELECT column_name, data_type FROM " + schema_of(source, "columns") +
                                             " ORDER BY ordinal_position",
                                         {Type::string, Type::string}));
    std::vector<EngineColumn> columns;
    for (const auto& row : cells.rows) {
      const std::string stored = text(row[1]);
      columns.push_back({text(row[0]), stored, types_that_hold(stored, stored_types)});
    }
    return columns;
  }

  // The statement is planned; no row is read.
  Result<void> check(const std::string& sql) override {
    if (run("EXPLAIN " + sql, {Type::string}, 100'000, nobody_watches)) return {};
    if (reason_.name == "PERMISSION_DENIED") {
      return refused_statement(reason_.name, "grant this user SELECT on the tables of the catalog");
    }
    return reason_.name.empty() ? refused_statement("there was no answer", "see that it still runs")
                                : refused_statement(reason_.name);
  }

  Result<void> begin() override {
    if (lost_) {
      VERNIER_TRY(open());
    }
    for (KnownTable& table : tables_) {
      if (!table.has_snapshots) continue;
      VERNIER_TRY(table.version, version_of(table.source));
    }
    return {};
  }

  Result<Cells> read(const std::string& sql, const std::vector<Type>& types, std::size_t most_rows,
                     const Progress& progress) override {
    return run(pinned(sql), types, most_rows, progress);
  }

  bool is_lost() const override { return lost_; }
  std::string version() const override { return version_; }
  bool has_snapshot() const override {
    return !tables_.empty() &&
           std::all_of(tables_.begin(), tables_.end(), [](const KnownTable& one) { return !one.version.empty(); });
  }

 private:
  static std::string text(const Cell& cell) { return cell ? std::get<std::string>(*cell) : std::string(); }
  static std::string quoted(const std::string& name) { return query::trino_dialect().identifier(name); }
  static std::string literal(const std::string& value) { return query::trino_dialect().text(value); }

  static std::string schema_of(const query::Source& source, const std::string& list) {
    return quoted(source.table[0]) + ".information_schema." + list +
           " WHERE table_schema = " + literal(source.table[1]) + " AND table_name = " + literal(source.table[2]);
  }

  static Failure not_reached() {
    return fail(ErrorKind::system, "the server of the catalog's engine could not be reached, or is no Trino",
                "see that it runs, and check the address; nothing was spent");
  }

  // Before any row of a table is read, reasons are told.
  Result<Cells> asked(const std::string& sql, const std::vector<Type>& types) {
    Result<Cells> cells = run(sql, types, 100'000, nobody_watches);
    if (cells) return cells;
    if (reason_.status == 401 || reason_.status == 403) {
      return fail(
          ErrorKind::system, "the server of the catalog's engine asks for a password, or takes another one",
          "write it into VERNIER_TRINO_PASSWORD, or a token into VERNIER_TRINO_TOKEN, and check the user of the "
          "address; nothing was spent");
    }
    if (reason_.name.empty()) return not_reached();
    if (reason_.name == "PERMISSION_DENIED") {
      return invalid("the user of the engine's address may not read what the catalog names",
                     "grant SELECT on its tables; nothing was spent");
    }
    if (reason_.name == "CATALOG_NOT_FOUND" || reason_.name == "SCHEMA_NOT_FOUND") return Failure(cells.error());
    return fail(ErrorKind::system, "the server of the catalog's engine does not tell what it has: " + reason_.name,
                "see that it is Trino 476 or later; nothing was spent");
  }

  Result<void> check_table(const query::Source& source) {
    const std::string name = "the table '" + source.told() + "' ";
    const Result<Cells> found = asked("SELECT table_type FROM " + schema_of(source, "tables"), {Type::string});
    if (!found && found.error().kind != ErrorKind::engine) return Failure(found.error());
    if (!found || found->rows.size() != 1) {
      return invalid(name + "is not there",
                     "check catalog, schema and name, which Trino writes in small letters; nothing was spent");
    }
    if (text(found->rows.front().front()) != "BASE TABLE") {
      return invalid(name + "is a view, and what runs behind it is not known", "name a table; nothing was spent");
    }
    KnownTable known{source, name_of(source)};
    VERNIER_TRY(check_rights(known));
    VERNIER_TRY(known.has_snapshots, is_of_iceberg(source));
    tables_.push_back(std::move(known));
    return {};
  }

  // Validates a statement that reads all columns, and runs nothing.
  Result<void> check_rights(const KnownTable& table) {
    const Result<Cells> valid = asked("EXPLAIN (TYPE VALIDATE) SELECT * FROM " + table.name, {Type::boolean});
    return valid ? Result<void>() : Failure(valid.error());
  }

  static std::string name_of(const query::Source& source) {
    return quoted(source.table[0]) + "." + quoted(source.table[1]) + "." + quoted(source.table[2]);
  }

  // Where this user may not ask which connector a catalog has, no state is held.
  Result<bool> is_of_iceberg(const query::Source& source) {
    const Result<Cells> found =
        run("SELECT connector_name FROM system.metadata.catalogs WHERE catalog_name = " + literal(source.table[0]),
            {Type::string}, 1, nobody_watches);
    if (!found && lost_) return not_reached();
    return found && found->rows.size() == 1 && text(found->rows.front().front()) == "iceberg";
  }

  // The state that the table's main branch is in. A table that nobody has written into has none.
  Result<std::string> version_of(const query::Source& source) {
    const std::string refs =
        quoted(source.table[0]) + "." + quoted(source.table[1]) + "." + quoted(source.table[2] + "$refs");
    VERNIER_TRY(const Cells found, asked("SELECT snapshot_id FROM " + refs + " WHERE name = 'main'", {Type::integer}));
    if (found.rows.size() != 1 || !found.rows.front().front()) return std::string();
    return " FOR VERSION AS OF " + std::to_string(std::get<std::int64_t>(*found.rows.front().front()));
  }

  // Names of tables stand behind FROM and nowhere else: no known one has a quote in it, within quotes every quote is
  // doubled, and texts are written in hex.
  std::string pinned(const std::string& sql) const {
    std::string text = sql;
    for (const KnownTable& table : tables_) {
      const std::string place = " FROM " + table.name + ")";
      for (std::size_t at = text.find(place); at != std::string::npos && !table.version.empty();
           at = text.find(place, at + 1)) {
        text.insert(at + place.size() - 1, table.version);
      }
    }
    return text;
  }

  // ---- statements

  Result<Cells> run(const std::string& sql, const std::vector<Type>& types, std::size_t most_rows,
                    const Progress& progress) {
    reason_ = {};
    const auto end = Clock::now() + std::chrono::seconds(engine_.seconds + 30);
    Cells cells;
    bool has_columns = false;
    VERNIER_TRY(json page, answered("POST", "/v1/statement", sql, patient(progress)));
    while (true) {
      if (page.contains("error")) return failed(page.at("error"));
      const std::string next = path_of(text_at(page, "nextUri"));
      const bool is_as_asked = take(page, types, most_rows, has_columns, cells);
      if (is_as_asked && next.empty()) return has_columns ? Result<Cells>(std::move(cells)) : failed_run();
      if (!is_as_asked || Clock::now() > end) return given_up(next, failed_run());
      if (!progress(0)) return given_up(next, stopped_run());
      Result<json> more = answered("GET", soon(next), "", progress);
      if (!more) return given_up(next, Failure(more.error()));
      page = *std::move(more);
    }
  }

  // Only the answer to a new statement says how it is ended: whoever stops a run waits for it, a few seconds at most.
  // What is never answered Trino ends by itself, since nobody asks for it (query.client.timeout).
  static Progress patient(const Progress& progress) {
    return [&progress, stopped = std::optional<Clock::time_point>()](double done) mutable {
      if (!stopped && !progress(done)) stopped = Clock::now();
      return !stopped || Clock::now() < *stopped + std::chrono::seconds(10);
    };
  }

  Failure failed(const json& error) {
    reason_.name = error_name(error);
    lost_ = reason_.name == "SERVER_STARTING_UP" || reason_.name == "SERVER_SHUTTING_DOWN" ||
            reason_.name == "NO_NODES_AVAILABLE";
    return failed_run();
  }

  // Ends the statement on the server.
  Failure given_up(const std::string& next, Failure why) {
    if (!next.empty() && !lost_) (void)http_.ask("DELETE", next, "", nobody_watches);
    return why;
  }

  // A page of the answer. A server that is busy says so, and is asked again; a page may be asked for twice.
  Result<json> answered(const std::string& method, const std::string& path, const std::string& body,
                        const Progress& progress) {
    constexpr int most_tries = 6;
    for (int tried = 0; tried < most_tries; ++tried) {
      const HttpAnswer answer = http_.ask(method, path, body, progress);
      if (answer.reached == Reached::stopped) return stopped_run();
      reason_.status = answer.status;
      if (answer.status == 200) return page_of(answer.body);
      const bool is_busy = answer.status == 429 || (answer.status >= 502 && answer.status <= 504);
      if (!is_busy && (answer.status != 0 || method != "GET")) break;
      if (!progress(0)) return stopped_run();
      std::this_thread::sleep_for(std::chrono::milliseconds(50 << tried));
    }
    lost_ = reason_.status != 401 && reason_.status != 403;
    return failed_run();
  }

  static Result<json> page_of(const std::string& body) {
    json page = json::parse(body, nullptr, false);
    return page.is_object() ? Result<json>(std::move(page)) : failed_run();
  }

  // Whether the page has columns of these types, where it has any, and rows of them.
  static bool take(const json& page, const std::vector<Type>& types, std::size_t most_rows, bool& has_columns,
                   Cells& cells) {
    if (const auto columns = page.find("columns"); columns != page.end() && !columns->is_null()) {
      if (!are_types(*columns, types)) return false;
      has_columns = true;
    }
    const auto data = page.find("data");
    if (data == page.end() || data->is_null()) return true;
    return has_columns && data->is_array() && std::all_of(data->begin(), data->end(), [&](const json& row) {
             return take_row(row, types, most_rows, cells);
           });
  }

  static bool are_types(const json& columns, const std::vector<Type>& types) {
    if (!columns.is_array() || columns.size() != types.size()) return false;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (!columns[i].is_object() || !is_type(text_at(columns[i], "type"), types[i])) return false;
    }
    return true;
  }

  static bool take_row(const json& row, const std::vector<Type>& types, std::size_t most_rows, Cells& cells) {
    if (!row.is_array() || row.size() != types.size() || cells.rows.size() == most_rows) return false;
    std::vector<Cell>& made = cells.rows.emplace_back();
    for (std::size_t i = 0; i < types.size(); ++i) {
      made.push_back(row[i].is_null() ? Cell() : cell_of(row[i], types[i]));
      if (!row[i].is_null() && !made.back()) return false;
    }
    return true;
  }

  query::Engine engine_;
  Http http_;
  std::string version_;
  std::vector<KnownTable> tables_;
  Reason reason_;
  bool lost_ = false;
};

Result<std::string> authorization(const HttpAddress& address) {
  const std::string token = variable("VERNIER_TRINO_TOKEN"), password = variable("VERNIER_TRINO_PASSWORD");
  if (token.empty() && password.empty()) return std::string();
  if (!address.is_secure && !address.is_on_this_machine()) {
    return invalid("a password would go to the server of the catalog's engine where anybody can read it",
                   "write https:// in the address, or unset VERNIER_TRINO_PASSWORD and VERNIER_TRINO_TOKEN");
  }
  return token.empty() ? basic_access(address.user, password) : "Bearer " + token;
}

bool is_header(const std::string& value) {
  return std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c < '\x7f'; });
}

Result<Http::Headers> headers_of(const query::Engine& engine, const HttpAddress& address) {
  VERNIER_TRY(const std::string access, authorization(address));
  if (!is_header(address.user) || !is_header(access)) {
    return invalid("the user or the password of the engine has a character that no header can hold",
                   "use letters, digits and marks of ASCII");
  }
  Http::Headers headers = {{"X-Trino-User", address.user},
                           {"X-Trino-Source", "vernier"},
                           {"X-Trino-Time-Zone", "UTC"},
                           {"X-Trino-Session", "query_max_run_time=" + std::to_string(engine.seconds) + "s"},
                           {"Content-Type", "text/plain; charset=utf-8"},
                           {"User-Agent", "vernier"}};
  if (!access.empty()) headers.emplace_back("Authorization", access);
  return headers;
}

}  // namespace

Result<std::unique_ptr<Connection>> connect_trino(const query::Engine& engine) {
  VERNIER_TRY(const HttpAddress address, http_address(engine.address));
  if (!address.is_secure && !engine.plaintext && !address.is_on_this_machine()) {
    return invalid("the address of the engine leads to another machine without TLS",
                   "write https://, or plaintext = true where nobody can listen");
  }
  VERNIER_TRY(Http::Headers headers, headers_of(engine, address));
  auto connection = std::make_unique<Trino>(engine, address, std::move(headers));
  VERNIER_TRY(connection->open());
  return connection;
}

}  // namespace vernier::engine
