#include "vernier/ledger/sqlite/schema.hpp"

#include <algorithm>
#include <array>
#include <bitset>

#include "vernier/ledger/entry.hpp"

namespace vernier::ledger::sqlite {
namespace {

// A row of sqlite_schema.
struct Object {
  std::string_view type;
  std::string_view name;
  std::string_view table;
  std::string_view sql;

  friend bool operator==(const Object&, const Object&) = default;
};

// As SQLite keeps them in sqlite_schema; the last one it makes by itself, for a key. What a row says is left comes
// before the texts, which may be long; a list of words in IN would be sorted anew for each row.
constexpr std::array<Object, 8> schema = {{
    {"table", "entries", "entries",
     R"(CREATE TABLE entries (
  idx INTEGER PRIMARY KEY CHECK (idx >= 1),
  left_epsilon INTEGER NOT NULL CHECK (left_epsilon >= 0),
  left_delta INTEGER NOT NULL CHECK (left_delta >= 0),
  kind TEXT NOT NULL CHECK (kind = 'reserve' OR kind = 'settle' OR kind = 'shares' OR kind = 'terms'),
  time INTEGER NOT NULL,
  release TEXT NOT NULL,
  request TEXT NOT NULL,
  analyst TEXT NOT NULL,
  study TEXT NOT NULL,
  unit TEXT NOT NULL,
  plan TEXT NOT NULL,
  manner TEXT NOT NULL CHECK (manner = 'total' OR manner = 'divergence'),
  epsilon INTEGER NOT NULL CHECK (epsilon >= 0),
  delta INTEGER NOT NULL CHECK (delta >= 0),
  content TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT)"},
    {"table", "documents", "documents",
     R"(CREATE TABLE documents (
  release TEXT NOT NULL,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (release, place)
) STRICT)"},
    {"trigger", "entries_follow", "entries",
     R"(CREATE TRIGGER entries_follow BEFORE INSERT ON entries
  WHEN CASE WHEN NEW.idx = 1 THEN EXISTS (SELECT 1 FROM entries)
       ELSE (NEW.idx - 1, NEW.left_epsilon + NEW.epsilon, NEW.left_delta + NEW.delta)
         IS NOT (SELECT idx, left_epsilon, left_delta FROM entries ORDER BY idx DESC LIMIT 1) END
  BEGIN SELECT RAISE(ABORT, 'an entry follows the last one'); END)"},
    {"trigger", "entries_stay", "entries",
     R"(CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
  BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END)"},
    {"trigger", "entries_remain", "entries",
     R"(CREATE TRIGGER entries_remain BEFORE DELETE ON entries
  BEGIN SELECT RAISE(ABORT, 'an entry is never removed'); END)"},
    {"trigger", "documents_stay", "documents",
     R"(CREATE TRIGGER documents_stay BEFORE UPDATE ON documents
  BEGIN SELECT RAISE(ABORT, 'a document is never changed'); END)"},
    {"trigger", "documents_remain", "documents",
     R"(CREATE TRIGGER documents_remain BEFORE DELETE ON documents
  BEGIN SELECT RAISE(ABORT, 'a document is never removed'); END)"},
    {"index", "sqlite_autoindex_documents_1", "documents", ""},
}};

Failure refused(const Connection& connection, std::string_view why) {
  return fail(ErrorKind::system, "the ledger '" + connection.ledger() + "' " + std::string(why));
}

struct Header {
  std::string application;
  std::string version;
  std::string objects;  // how many there are
};

// By one statement, which sees the file at one moment: another process may make the ledger meanwhile.
Result<Header> header_of(const Connection& connection) {
  VERNIER_TRY(
      Statement statement,
      connection.prepare(
          "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), "
          "(SELECT count(*) FROM sqlite_schema)"));
  VERNIER_TRY(connection.step(statement));
  return Header{std::string(statement.text(0)), std::string(statement.text(1)), std::string(statement.text(2))};
}

// Whether there are exactly those objects, whatever they are called: whoever writes sqlite_schema itself can give a
// trigger a name that begins with sqlite_.
Result<bool> has_exactly_the_schema(const Connection& connection) {
  VERNIER_TRY(Statement statement,
              connection.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"));
  std::bitset<schema.size()> found;
  while (true) {
    const Result<bool> row = connection.step(statement);
    if (!row) return row;
    if (!*row) return found.all();
    const Object object{statement.text(0), statement.text(1), statement.text(2), statement.text(3)};
    const auto known = std::find(schema.begin(), schema.end(), object);
    const auto place = static_cast<std::size_t>(known - schema.begin());
    if (known == schema.end() || found[place]) return false;
    found[place] = true;
  }
}

Result<void> make_schema(const Connection& connection) {
  for (const Object& object : schema) {
    if (object.sql.empty()) continue;
    if (Result<void> made = connection.run(object.sql); !made) return made;
  }
  if (Result<void> set = connection.run("PRAGMA application_id = " + std::to_string(application_id)); !set) return set;
  return connection.run("PRAGMA user_version = " + std::to_string(schema_version));
}

Result<void> make_where_empty(const Connection& connection) {
  VERNIER_TRY(const Content content, content_of(connection));
  return content == Content::ledger ? Result<void>() : make_schema(connection);
}

}  // namespace

Result<void> check_rules(const Connection& connection) {
  VERNIER_TRY(const bool is_whole, has_exactly_the_schema(connection));
  if (is_whole) return {};
  return refused(connection,
                 "lacks rules that it was made with, or has others; go on from a copy that has those and no more");
}

Result<Content> content_of(const Connection& connection) {
  VERNIER_TRY(const Header header, header_of(connection));
  if (header.application == "0" && header.version == "0" && header.objects == "0") return Content::nothing;
  if (header.application != std::to_string(application_id)) {
    return refused(connection, "is a SQLite database of another program; name another file");
  }
  if (header.version != std::to_string(schema_version)) {
    return refused(connection, "has version " + header.version + " of the format, but this program knows version " +
                                   std::to_string(schema_version) + " only; use the program that wrote it");
  }
  return check_rules(connection).map([] { return Content::ledger; });
}

Result<void> make_ledger(const Connection& connection) {
  if (Result<void> begun = connection.run("BEGIN IMMEDIATE"); !begun) return begun;
  Result<void> made = make_where_empty(connection);
  if (made) made = connection.run("COMMIT");
  if (!made && connection.is_in_transaction()) static_cast<void>(connection.run("ROLLBACK"));
  return made;
}

namespace {

std::string columns() { return entry_columns + ", left_epsilon, left_delta"; }

}  // namespace

std::string select_entries(std::string_view where) {
  return ("SELECT " + columns() + " FROM entries WHERE ").append(where);
}

std::string insert_entry() {
  return "INSERT INTO entries (" + columns() + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
}

Result<void> read_entry(const Statement& row, const std::string& ledger, Entry& entry) {
  const std::optional<Kind> kind = kind_named(row.text(1));
  const std::optional<Manner> manner = manner_named(row.text(9));
  if (!kind || !manner) return failure(ledger, SQLITE_CORRUPT);
  entry.index = row.number(0);
  entry.kind = *kind;
  entry.time = row.number(2);
  entry.release = row.text(3);
  entry.request = row.text(4);
  entry.analyst = row.text(5);
  entry.study = row.text(6);
  entry.unit = row.text(7);
  entry.plan = row.text(8);
  entry.manner = *manner;
  entry.cost = {row.number(10), row.number(11)};
  entry.content = row.text(12);
  entry.hash = row.text(13);
  return {};
}

Cost left_in(const Statement& row) { return {row.number(14), row.number(15)}; }

void bind_entry(Statement& statement, const Entry& entry, const Cost& left) {
  statement.bind(0, entry.index);
  statement.bind(1, name_of(entry.kind));
  statement.bind(2, entry.time);
  statement.bind(3, entry.release);
  statement.bind(4, entry.request);
  statement.bind(5, entry.analyst);
  statement.bind(6, entry.study);
  statement.bind(7, entry.unit);
  statement.bind(8, entry.plan);
  statement.bind(9, name_of(entry.manner));
  statement.bind(10, entry.cost.epsilon);
  statement.bind(11, entry.cost.delta);
  statement.bind(12, entry.content);
  statement.bind(13, entry.hash);
  statement.bind(14, left.epsilon);
  statement.bind(15, left.delta);
}

}  // namespace vernier::ledger::sqlite
