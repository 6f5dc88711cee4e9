#include "cli/catalog/catalog.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "vernier/core/names.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/study/catalog.hpp"
#include "vernier/study/session.hpp"

namespace vernier::cli {
namespace {

using query::Catalog;
using query::Reading;

// The problems are the answer, so they are printed although the command fails.
void tell_problems(Output& output, const std::string& path, const std::vector<query::Problem>& problems) {
  for (const query::Problem& problem : problems)
    output.write(one_line(query::located(path, problem).sentence()) + "\n");
}

Failure summary(const std::string& path, std::size_t count) {
  return invalid(count == 1 ? fmt::format("'{}' has a problem; fix it and check again", path)
                            : fmt::format("'{}' has {} problems; fix them and check again", path, count));
}

// Connects to the engine of the catalog, if it is one that is connected to, and compares what it has. Of the others a
// program has a session, and compares it (vn.Catalog.check).
Result<void> check_engine(const query::Catalog& catalog) {
  if (!engine::has_connection(catalog.engine)) return {};
  VERNIER_TRY(study::open_session(catalog, study::all_tables(catalog)));
  return {};
}

}  // namespace

Result<void> run_catalog_check(const Arguments& arguments, Output& output) {
  const std::string& path = arguments.object;
  VERNIER_TRY(const Reading<Catalog> reading, query::examine_catalog(path).map(query::with_definitions));
  if (reading.content && arguments.has("--data")) return write_fit(*reading.content, output, arguments.has("--json"));
  if (arguments.has("--json")) {
    write_json(output, path, reading);
  } else if (reading.content) {
    write_report(output, *reading.content);
  } else {
    tell_problems(output, path, reading.problems);
  }
  if (reading.content) return check_engine(*reading.content);
  if (Result<void> printed = output.finish(); !printed) return printed;
  return summary(path, reading.problems.size());
}

namespace {

Failure no_table(const query::Catalog& catalog, const std::string& name) {
  std::vector<std::string> names;
  for (const query::Table& table : catalog.tables) names.push_back(table.name);
  return invalid(fmt::format("'{}' protects no table '{}'{}; 'vernier catalog check {}' names those that there are",
                             catalog.path.string(), name, suggestion(name, names), catalog.path.string()));
}

void write_reopened(Output& output, const std::string& table, bool was_closed) {
  output.write(one_line(was_closed ? fmt::format("the table '{}' is open again; its file is read to the end before the "
                                                 "next release of it, which is paid for as always",
                                                 table)
                                   : fmt::format("the table '{}' was not closed; nothing was changed", table)) +
               "\n");
}

void write_reopened_json(Output& output, const std::string& table, bool was_closed) {
  JsonWriter json(output);
  json.begin_object();
  json.member("table", std::string_view(table));
  json.key("was_closed");
  json.boolean(was_closed);
  json.end_object();
  output.write("\n");
}

}  // namespace

Result<void> run_catalog_reopen(const Arguments& arguments, Output& output) {
  if (!arguments.has("--table")) {
    return invalid(
        "which table to reopen is missing; write for example 'vernier catalog reopen catalog.toml --table "
        "people'");
  }
  VERNIER_TRY(const query::Catalog catalog, query::read_catalog(arguments.object));
  const query::Table* const table = catalog.table(arguments.one("--table"));
  if (table == nullptr) return no_table(catalog, arguments.one("--table"));
  VERNIER_TRY(const bool was_closed, release::marks_of(catalog).reopen(table->name));
  if (arguments.has("--json"))
    write_reopened_json(output, table->name, was_closed);
  else
    write_reopened(output, table->name, was_closed);
  return {};
}

namespace {

const char* missing_object(const std::string& action) {
  if (action == "new") return "the data file is missing; write for example 'vernier catalog new people.csv'";
  if (action == "reopen")
    return "the catalog is missing; write for example 'vernier catalog reopen catalog.toml --table people'";
  return "the catalog is missing; write for example 'vernier catalog check catalog.toml'";
}

const std::vector<std::string>& actions() {
  static const std::vector<std::string> all = {"new", "check", "reopen"};
  return all;
}

Result<void> check_words(const Arguments& arguments) {
  const std::string& action = arguments.subject;
  if (std::find(actions().begin(), actions().end(), action) == actions().end()) {
    const std::string found =
        action.empty() ? "nothing is said" : fmt::format("it is '{}'{}", action, suggestion(action, actions()));
    return invalid(fmt::format("what to do must be new, check or reopen, but {}; see 'vernier catalog --help'", found));
  }
  if (arguments.object.empty()) return invalid(missing_object(action));
  if (action != "reopen" && arguments.has("--table"))
    return invalid("--table belongs to 'vernier catalog reopen'; leave it out");
  if (action != "check" && arguments.has("--data"))
    return invalid("--data belongs to 'vernier catalog check'; leave it out");
  for (const char* const option : {"--out", "--delimiter", "--engine"}) {
    if (action != "new" && arguments.has(option))
      return invalid(fmt::format("{} belongs to 'vernier catalog new'; leave it out", option));
  }
  return {};
}

}  // namespace

Usage catalog_usage() {
  return {
      .name = "catalog",
      .summary = "what is protected, what may be spent, and what is public about the data",
      .synopsis =
          "vernier catalog new DATA [--out FILE] [--delimiter C] [--json]\n"
          "  vernier catalog new SCHEMA.TABLE --engine ADDRESS [--out FILE] [--json]\n"
          "  vernier catalog check FILE [--data] [--json]\n"
          "  vernier catalog reopen FILE --table NAME [--json]\n"
          "\n"
          "new     writes a catalog to fill in, with the names of the columns of a CSV or Parquet file;\n"
          "        of CSV the first line is read, of Parquet the schema, and nothing else of the data; with --engine "
          "the\n"
          "        names and types of a table in a database\n"
          "check   says what a catalog declares, or everything that is wrong with it; opens no data, but connects to "
          "the\n"
          "        engine that the catalog names, and compares the columns of its tables. With --data it counts, for "
          "the\n"
          "        steward alone, which cells of CSV do not fit, and how to fix that\n"
          "reopen  opens a table again that a failed run has closed, once its file was repaired or replaced; a run "
          "that\n"
          "        fails after data was read closes its table, since a failure may tell something of the data",
      .subject = "ACTION",
      .subject_help = "new, check or reopen",
      .subject_choices = actions(),
      .object = "FILE",
      .object_help = "the data, or the catalog",
      .options =
          {{"--out", Takes::one_value, "FILE", "where the catalog is written (default catalog.toml)"},
           {"--delimiter", Takes::one_value, "C",
            "what stands between the cells of CSV: , ;, | or tab (default: whichever the first line has most of)"},
           {"--engine", Takes::one_value, "ADDRESS", "of new: the database that has the table"},
           {"--data", Takes::nothing, "", "count the cells that do not fit; exact, so for the steward alone"},
           {"--table", Takes::one_value, "NAME", "the table to reopen"}},
      .example =
          "  vernier catalog new people.csv\n"
          "  vernier catalog new public.people --engine postgresql://reader@db.example/health\n"
          "  vernier catalog check catalog.toml\n"
          "  vernier catalog check catalog.toml --data\n"
          "  vernier catalog reopen catalog.toml --table people\n"};
}

Result<void> run_catalog(const Arguments& arguments, Output& output) {
  if (Result<void> checked = check_words(arguments); !checked) return checked;
  if (arguments.subject != "check" || arguments.has("--data")) {
    const std::string what = arguments.has("--data") ? "--data" : "'vernier catalog " + arguments.subject + "'";
    VERNIER_TRY(study::check_kept_for_stewards(what));
  }
  if (arguments.subject == "new") return run_catalog_new(arguments, output);
  if (arguments.subject == "reopen") return run_catalog_reopen(arguments, output);
  return run_catalog_check(arguments, output);
}

}  // namespace vernier::cli
