#include "vernier/ledger/postgresql_rules.hpp"

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

}  // namespace vernier::ledger::postgresql
