#include "vernier/ledger/postgresql_schema.hpp"

#include "vernier/ledger/postgresql_rules.hpp"

namespace vernier::ledger::postgresql {
namespace {

constexpr const char* tables = R"(
CREATE TABLE vernier_entries (
  idx BIGINT PRIMARY KEY CHECK (idx >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('terms', 'shares', 'reserve', 'settle')),
  time BIGINT NOT NULL,
  release TEXT NOT NULL,
  request TEXT NOT NULL,
  analyst TEXT NOT NULL,
  study TEXT NOT NULL,
  unit TEXT NOT NULL,
  plan TEXT NOT NULL,
  manner TEXT NOT NULL CHECK (manner IN ('total', 'divergence')),
  epsilon BIGINT NOT NULL CHECK (epsilon >= 0),
  delta BIGINT NOT NULL CHECK (delta >= 0),
  content TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE UNIQUE INDEX vernier_entries_by_release ON vernier_entries (release, kind) WHERE release <> '';
CREATE UNIQUE INDEX vernier_entries_by_request ON vernier_entries (request) WHERE request <> '' AND kind = 'reserve';
CREATE TABLE vernier_tally (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  idx BIGINT NOT NULL,
  head TEXT NOT NULL,
  left_epsilon BIGINT NOT NULL CHECK (left_epsilon >= 0),
  left_delta BIGINT NOT NULL CHECK (left_delta >= 0)
);
CREATE TABLE vernier_documents (
  release TEXT NOT NULL,
  place BIGINT NOT NULL,
  name TEXT NOT NULL,
  content BYTEA NOT NULL,
  PRIMARY KEY (release, place)
);
COMMENT ON TABLE vernier_tally IS 'a ledger of vernier, version 1';
)";

constexpr const char* triggers = R"(
CREATE TRIGGER vernier_follows BEFORE INSERT ON vernier_entries
  FOR EACH ROW EXECUTE FUNCTION vernier_entry_follows();
CREATE TRIGGER vernier_stays BEFORE UPDATE OR DELETE ON vernier_entries FOR EACH ROW EXECUTE FUNCTION vernier_refuse();
CREATE TRIGGER vernier_remains BEFORE TRUNCATE ON vernier_entries EXECUTE FUNCTION vernier_refuse();
CREATE TRIGGER vernier_follows BEFORE UPDATE ON vernier_tally
  FOR EACH ROW EXECUTE FUNCTION vernier_tally_follows();
CREATE TRIGGER vernier_stays BEFORE DELETE ON vernier_tally FOR EACH ROW EXECUTE FUNCTION vernier_refuse();
CREATE TRIGGER vernier_remains BEFORE TRUNCATE ON vernier_tally EXECUTE FUNCTION vernier_refuse();
CREATE TRIGGER vernier_stays BEFORE UPDATE OR DELETE ON vernier_documents FOR EACH ROW EXECUTE FUNCTION vernier_refuse();
CREATE TRIGGER vernier_remains BEFORE TRUNCATE ON vernier_documents EXECUTE FUNCTION vernier_refuse();
)";

std::string functions() {
  std::string sql;
  for (const RuleFunction& function : rule_functions) {
    sql.append("CREATE FUNCTION ").append(function.name).append("() RETURNS trigger LANGUAGE plpgsql AS $$");
    sql.append(function.body).append("$$;\n");
  }
  return sql;
}

Result<std::string> value(const Connection& connection, const std::string& sql) {
  VERNIER_TRY(const Answer answer, connection.run(sql));
  return answer.rows() == 0 ? std::string() : std::string(answer.text(0, 0));
}

Result<void> check_ledger(const Connection& connection) {
  VERNIER_TRY(const std::string version,
              value(connection, "SELECT obj_description(to_regclass('vernier_tally'), 'pg_class')"));
  if (version != "a ledger of vernier, version 1") {
    return connection.refused("is not of the version that this program knows; use the program that wrote it");
  }
  return check_rules(connection);
}

Result<bool> is_owned(const Connection& connection) {
  return value(connection,
               "SELECT pg_has_role(relowner, 'USAGE')::text FROM pg_catalog.pg_class WHERE oid = "
               "'vernier_tally'::regclass")
      .map([](const std::string& owned) { return owned == "true"; });
}

// In one transaction, in which nobody else makes or mends the ledger; undone where it fails.
template <class Work>
Result<void> under_the_lock(const Connection& connection, const Work& work) {
  VERNIER_TRY(connection.run("BEGIN"));
  const Result<Answer> locked = connection.run(lock_of_schema);
  Result<void> done = locked ? work() : Result<void>(tl::unexpected(locked.error()));
  const Result<Answer> ended = connection.run(done ? "COMMIT" : "ROLLBACK");
  if (done && !ended) return tl::unexpected(ended.error());
  return done;
}

// As earlier versions made it, to be mended by its owner.
Result<void> mend(const Connection& connection) {
  VERNIER_TRY(const bool owned, is_owned(connection));
  if (!owned) {
    return connection.refused(
        "was made by an earlier version, whose rules anybody could go around who may make temporary tables; make one "
        "release as the owner of its tables, which mends it");
  }
  return under_the_lock(connection, [&] { return fix_paths(connection); });
}

// Who only looks holds the tally against the entries herself, and changes nothing.
Result<void> check_paths(const Connection& connection, Missing missing) {
  if (missing == Missing::is_none) return {};
  VERNIER_TRY(const bool fixed, has_fixed_paths(connection));
  return fixed ? Result<void>() : mend(connection);
}

Result<void> make_where_missing(const Connection& connection) {
  VERNIER_TRY(const std::string schema, value(connection, "SELECT current_schema()"));
  if (schema.empty()) {
    return connection.refused("names a schema that does not exist; make it with CREATE SCHEMA, or name another");
  }
  VERNIER_TRY(const bool is_there, is_begun(connection));
  if (is_there) return {};
  VERNIER_TRY(connection.run(tables + functions() + triggers));
  return fix_paths(connection);
}

}  // namespace

// Asks the catalog itself: a name that was not there before a wait may still seem missing to to_regclass after it.
Result<bool> is_begun(const Connection& connection) {
  VERNIER_TRY(
      const std::string count,
      value(connection, "SELECT count(*) FROM pg_class WHERE relname = 'vernier_tally' AND pg_table_is_visible(oid)"));
  return count != "0";
}

Result<void> check_durable(const Connection& connection) {
  for (const std::string setting : {"fsync", "full_page_writes"}) {
    VERNIER_TRY(const std::string set, value(connection, "SHOW " + setting));
    if (set != "on") {
      return connection.refused("lies on a server with " + setting +
                                " = off, which forgets what was spent when the power goes; set it to on");
    }
  }
  return {};
}

Result<void> make_ready(const Connection& connection, Missing missing) {
  VERNIER_TRY(const bool is_there, is_begun(connection));
  if (!is_there && missing != Missing::is_made) {
    return connection.refused(
        "does not exist in the schema of its address; check the address, or begin it with a first release");
  }
  if (!is_there) {
    const auto make = [&] { return make_where_missing(connection); };
    if (Result<void> made = under_the_lock(connection, make); !made) return made;
  }
  if (Result<void> checked = check_ledger(connection); !checked) return checked;
  return check_paths(connection, missing);
}

}  // namespace vernier::ledger::postgresql
