#include "vernier/ledger/postgresql/schema.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace vernier::ledger::postgresql {

const std::array<RuleFunction, 3> rule_functions = {{
    {"vernier_refuse", R"(
BEGIN
  RAISE EXCEPTION 'what a ledger holds is never changed or removed' USING ERRCODE = 'restrict_violation';
END )"},
    {"vernier_entry_follows", R"(
BEGIN
  IF NEW.idx IS DISTINCT FROM coalesce((SELECT idx FROM vernier_tally), 0) + 1 THEN
    RAISE EXCEPTION 'an entry follows the last one' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END )"},
    {"vernier_tally_follows", R"(
BEGIN
  IF NEW.idx IS DISTINCT FROM OLD.idx + 1
    OR NOT EXISTS (SELECT 1 FROM vernier_entries WHERE idx = NEW.idx AND hash = NEW.head
                   AND NEW.left_epsilon = OLD.left_epsilon - epsilon AND NEW.left_delta = OLD.left_delta - delta) THEN
    RAISE EXCEPTION 'the tally follows its entry' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END )"},
}};

namespace {

// Everything that makes the rules, a line each, without the name of the schema. A trigger that also fires on copies
// ('A') is as good. `apart` is what another role owns or another schema has.
constexpr const char* list_rules = R"(
WITH ledger AS (
  SELECT c.*, quote_ident(n.nspname) || '.' AS place
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.oid = ANY (ARRAY['vernier_entries'::regclass, 'vernier_tally'::regclass, 'vernier_documents'::regclass]::oid[])
), called AS (
  SELECT DISTINCT proname, lanname, prosecdef, proowner, pronamespace, prosrc, relowner, relnamespace
  FROM ledger JOIN pg_catalog.pg_trigger ON tgrelid = ledger.oid JOIN pg_catalog.pg_proc p ON p.oid = tgfoid
  JOIN pg_catalog.pg_language l ON l.oid = prolang WHERE NOT tgisinternal
)
SELECT 'table ' || relname || ' ' || relkind::text || relpersistence::text
    || CASE WHEN relrowsecurity OR relforcerowsecurity THEN ' with policies' ELSE '' END
    || CASE WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE oid IN (inhrelid, inhparent)) THEN ' inherited' ELSE '' END
    || CASE WHEN (relowner, relnamespace) = (SELECT relowner, relnamespace FROM ledger WHERE relname = 'vernier_tally')
            THEN '' ELSE ' apart' END
  FROM ledger
UNION ALL
SELECT 'column ' || relname || ' ' || attnum || ' ' || attname || ' ' || pg_catalog.format_type(atttypid, atttypmod)
    || CASE WHEN attnotnull THEN '' ELSE ' or null' END
    || CASE WHEN atthasdef OR attidentity <> '' OR attgenerated <> '' THEN ' by default' ELSE '' END
  FROM ledger JOIN pg_catalog.pg_attribute ON attrelid = ledger.oid WHERE attnum > 0
UNION ALL
SELECT 'constraint ' || relname || ' ' || pg_catalog.pg_get_constraintdef(k.oid)
    || CASE WHEN convalidated THEN '' ELSE ' not valid' END
  FROM ledger JOIN pg_catalog.pg_constraint k ON conrelid = ledger.oid WHERE contype <> 'n'
UNION ALL
SELECT 'index ' || replace(pg_catalog.pg_get_indexdef(indexrelid), place, '')
    || CASE WHEN indisvalid AND indisready THEN '' ELSE ' not valid' END
  FROM ledger JOIN pg_catalog.pg_index ON indrelid = ledger.oid
UNION ALL
SELECT 'trigger ' || replace(pg_catalog.pg_get_triggerdef(t.oid), place, '')
    || CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE ' not in force' END
  FROM ledger JOIN pg_catalog.pg_trigger t ON tgrelid = ledger.oid WHERE NOT tgisinternal
UNION ALL
SELECT 'rule ' || rulename FROM ledger JOIN pg_catalog.pg_rewrite ON ev_class = ledger.oid
UNION ALL
SELECT 'function ' || proname || ' ' || lanname || CASE WHEN prosecdef THEN ' of its owner' ELSE '' END
    || CASE WHEN proowner = relowner AND pronamespace = relnamespace THEN '' ELSE ' apart' END || prosrc
  FROM called
UNION ALL
SELECT 'session without triggers' WHERE pg_catalog.current_setting('session_replication_role') = 'replica'
)";

// What the list is where the tables of postgresql_schema.cpp were made and nothing was changed.
constexpr std::string_view rules_as_made[] = {
    "table vernier_documents rp",
    "table vernier_entries rp",
    "table vernier_tally rp",
    "column vernier_documents 1 release text",
    "column vernier_documents 2 place bigint",
    "column vernier_documents 3 name text",
    "column vernier_documents 4 content bytea",
    "column vernier_entries 1 idx bigint",
    "column vernier_entries 2 kind text",
    "column vernier_entries 3 time bigint",
    "column vernier_entries 4 release text",
    "column vernier_entries 5 request text",
    "column vernier_entries 6 analyst text",
    "column vernier_entries 7 study text",
    "column vernier_entries 8 unit text",
    "column vernier_entries 9 plan text",
    "column vernier_entries 10 manner text",
    "column vernier_entries 11 epsilon bigint",
    "column vernier_entries 12 delta bigint",
    "column vernier_entries 13 content text",
    "column vernier_entries 14 hash text",
    "column vernier_tally 1 id integer",
    "column vernier_tally 2 idx bigint",
    "column vernier_tally 3 head text",
    "column vernier_tally 4 left_epsilon bigint",
    "column vernier_tally 5 left_delta bigint",
    "constraint vernier_documents PRIMARY KEY (release, place)",
    "constraint vernier_entries CHECK ((delta >= 0))",
    "constraint vernier_entries CHECK ((epsilon >= 0))",
    "constraint vernier_entries CHECK ((idx >= 1))",
    "constraint vernier_entries CHECK ((kind = ANY (ARRAY['terms'::text, 'shares'::text, 'reserve'::text, "
    "'settle'::text])))",
    "constraint vernier_entries CHECK ((manner = ANY (ARRAY['total'::text, 'divergence'::text])))",
    "constraint vernier_entries PRIMARY KEY (idx)",
    "constraint vernier_tally CHECK ((id = 1))",
    "constraint vernier_tally CHECK ((left_delta >= 0))",
    "constraint vernier_tally CHECK ((left_epsilon >= 0))",
    "constraint vernier_tally PRIMARY KEY (id)",
    "index CREATE UNIQUE INDEX vernier_documents_pkey ON vernier_documents USING btree (release, place)",
    "index CREATE UNIQUE INDEX vernier_entries_by_release ON vernier_entries USING btree (release, kind) WHERE "
    "(release <> ''::text)",
    "index CREATE UNIQUE INDEX vernier_entries_by_request ON vernier_entries USING btree (request) WHERE "
    "((request <> ''::text) AND (kind = 'reserve'::text))",
    "index CREATE UNIQUE INDEX vernier_entries_pkey ON vernier_entries USING btree (idx)",
    "index CREATE UNIQUE INDEX vernier_tally_pkey ON vernier_tally USING btree (id)",
    "trigger CREATE TRIGGER vernier_follows BEFORE INSERT ON vernier_entries FOR EACH ROW EXECUTE FUNCTION "
    "vernier_entry_follows()",
    "trigger CREATE TRIGGER vernier_follows BEFORE UPDATE ON vernier_tally FOR EACH ROW EXECUTE FUNCTION "
    "vernier_tally_follows()",
    "trigger CREATE TRIGGER vernier_remains BEFORE TRUNCATE ON vernier_documents FOR EACH STATEMENT EXECUTE FUNCTION "
    "vernier_refuse()",
    "trigger CREATE TRIGGER vernier_remains BEFORE TRUNCATE ON vernier_entries FOR EACH STATEMENT EXECUTE FUNCTION "
    "vernier_refuse()",
    "trigger CREATE TRIGGER vernier_remains BEFORE TRUNCATE ON vernier_tally FOR EACH STATEMENT EXECUTE FUNCTION "
    "vernier_refuse()",
    "trigger CREATE TRIGGER vernier_stays BEFORE DELETE ON vernier_tally FOR EACH ROW EXECUTE FUNCTION "
    "vernier_refuse()",
    "trigger CREATE TRIGGER vernier_stays BEFORE DELETE OR UPDATE ON vernier_documents FOR EACH ROW EXECUTE FUNCTION "
    "vernier_refuse()",
    "trigger CREATE TRIGGER vernier_stays BEFORE DELETE OR UPDATE ON vernier_entries FOR EACH ROW EXECUTE FUNCTION "
    "vernier_refuse()",
};

std::vector<std::string> made_rules() {
  std::vector<std::string> rules(std::begin(rules_as_made), std::end(rules_as_made));
  for (const RuleFunction& function : rule_functions) {
    rules.push_back("function " + std::string(function.name) + " plpgsql" + std::string(function.body));
  }
  std::sort(rules.begin(), rules.end());
  return rules;
}

std::vector<std::string> lines_of(const Answer& answer) {
  std::vector<std::string> lines;
  for (int row = 0; row < answer.rows(); ++row) lines.emplace_back(answer.text(row, 0));
  std::sort(lines.begin(), lines.end());
  return lines;
}

Failure lacks_rules(const Connection& connection) {
  return connection.refused(
      "lacks rules that it was made with, or has others; go on from a copy that has those and no more");
}

// The functions that the triggers call, and the schema of the ledger as SQL has it.
constexpr const char* paths_are_fixed = R"(
SELECT coalesce(bool_and(proconfig IS NOT DISTINCT FROM
                         ARRAY['search_path=pg_catalog, ' || quote_ident(nspname) || ', pg_temp']), false)::text
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
JOIN pg_catalog.pg_trigger ON tgrelid = c.oid AND NOT tgisinternal JOIN pg_catalog.pg_proc p ON p.oid = tgfoid
WHERE c.oid = ANY (ARRAY['vernier_entries'::regclass, 'vernier_tally'::regclass, 'vernier_documents'::regclass]::oid[])
)";

constexpr const char* schema_of_ledger = R"(
SELECT quote_ident(nspname) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
WHERE c.oid = 'vernier_tally'::regclass
)";

}  // namespace

Result<void> check_rules(const Connection& connection) {
  VERNIER_TRY(const Answer found, connection.run(list_rules));
  if (lines_of(found) == made_rules()) return {};
  return lacks_rules(connection);
}

Result<bool> has_fixed_paths(const Connection& connection) {
  return connection.run(paths_are_fixed).map([](const Answer& answer) { return answer.text(0, 0) == "true"; });
}

Result<void> fix_paths(const Connection& connection) {
  VERNIER_TRY(const Answer schema, connection.run(schema_of_ledger));
  const std::string place(schema.text(0, 0));
  for (const RuleFunction& function : rule_functions) {
    VERNIER_TRY(connection.run("ALTER FUNCTION " + place + "." + std::string(function.name) +
                               "() SET search_path = pg_catalog, " + place + ", pg_temp"));
  }
  return {};
}

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
        "release as the owner of its tables, which repairs it");
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
