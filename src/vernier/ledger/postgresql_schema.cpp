#include "vernier/ledger/postgresql_schema.hpp"

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
CREATE FUNCTION vernier_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what a ledger holds is never changed or removed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION vernier_entry_follows() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.idx IS DISTINCT FROM coalesce((SELECT idx FROM vernier_tally), 0) + 1 THEN
    RAISE EXCEPTION 'an entry follows the last one' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION vernier_tally_follows() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.idx IS DISTINCT FROM OLD.idx + 1
    OR NOT EXISTS (SELECT 1 FROM vernier_entries WHERE idx = NEW.idx AND hash = NEW.head
                   AND NEW.left_epsilon = OLD.left_epsilon - epsilon AND NEW.left_delta = OLD.left_delta - delta) THEN
    RAISE EXCEPTION 'the tally follows its entry' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
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

// How many rules there are in force: 8 triggers, 8 checks and 5 keys.
constexpr const char* count_rules = R"(
SELECT (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND tgrelid = ANY (ledger))
    || ' ' || (SELECT count(*) FROM pg_constraint WHERE contype = 'c' AND convalidated AND conrelid = ANY (ledger))
    || ' ' || (SELECT count(*) FROM pg_index WHERE indisunique AND indisvalid AND indrelid = ANY (ledger))
FROM (SELECT ARRAY['vernier_entries'::regclass, 'vernier_tally'::regclass, 'vernier_documents'::regclass]::oid[]) AS of (ledger)
)";

Result<std::string> value(const Connection& connection, const std::string& sql) {
  const Result<Answer> answer = connection.run(sql);
  if (!answer) return tl::unexpected(answer.error());
  return answer->rows() == 0 ? std::string() : std::string(answer->text(0, 0));
}

Result<void> check_ledger(const Connection& connection) {
  const Result<std::string> version =
      value(connection, "SELECT obj_description(to_regclass('vernier_tally'), 'pg_class')");
  if (!version) return tl::unexpected(version.error());
  if (*version != "a ledger of vernier, version 1") {
    return connection.refused("is not of the version that this program knows; use the program that wrote it");
  }
  const Result<std::string> rules = value(connection, count_rules);
  if (!rules) return tl::unexpected(rules.error());
  if (*rules != "8 8 5")
    return connection.refused("lacks rules that it was made with; go on from a copy that has them");
  return {};
}

Result<void> make_where_missing(const Connection& connection) {
  const Result<std::string> schema = value(connection, "SELECT current_schema()");
  if (!schema) return tl::unexpected(schema.error());
  if (schema->empty()) {
    return connection.refused("names a schema that does not exist; make it with CREATE SCHEMA, or name another");
  }
  if (const Result<Answer> locked = connection.run(lock_of_schema); !locked) return tl::unexpected(locked.error());
  const Result<bool> is_there = is_begun(connection);
  if (!is_there) return tl::unexpected(is_there.error());
  if (*is_there) return {};
  const Result<Answer> made = connection.run(std::string(tables) + triggers);
  if (!made) return tl::unexpected(made.error());
  return {};
}

// In one transaction, so that nobody ever sees half of it.
Result<void> make_ledger(const Connection& connection) {
  if (const Result<Answer> begun = connection.run("BEGIN"); !begun) return tl::unexpected(begun.error());
  Result<void> made = make_where_missing(connection);
  const Result<Answer> ended = connection.run(made ? "COMMIT" : "ROLLBACK");
  if (made && !ended) return tl::unexpected(ended.error());
  return made;
}

}  // namespace

// Asks the catalog itself: a name that was not there before a wait may still seem missing to to_regclass after it.
Result<bool> is_begun(const Connection& connection) {
  const Result<std::string> count =
      value(connection, "SELECT count(*) FROM pg_class WHERE relname = 'vernier_tally' AND pg_table_is_visible(oid)");
  if (!count) return tl::unexpected(count.error());
  return *count != "0";
}

Result<void> check_durable(const Connection& connection) {
  for (const std::string setting : {"fsync", "full_page_writes"}) {
    const Result<std::string> set = value(connection, "SHOW " + setting);
    if (!set) return tl::unexpected(set.error());
    if (*set != "on") {
      return connection.refused("lies on a server with " + setting +
                                " = off, which forgets what was spent when the power goes; set it to on");
    }
  }
  return {};
}

Result<void> make_ready(const Connection& connection, Missing missing) {
  const Result<bool> is_there = is_begun(connection);
  if (!is_there) return tl::unexpected(is_there.error());
  if (!*is_there && missing != Missing::is_made) {
    return connection.refused(
        "does not exist in the schema of its address; check the address, or begin it with a first release");
  }
  if (!*is_there) {
    if (Result<void> made = make_ledger(connection); !made) return made;
  }
  return check_ledger(connection);
}

}  // namespace vernier::ledger::postgresql
