#include "cli/catalog_reopen.hpp"

#include <fmt/format.h>

#include "cli/errors.hpp"
#include "cli/json.hpp"
#include "vernier/core/suggestion.hpp"
#include "vernier/release/catalog_marks.hpp"

namespace vernier::cli {
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

}  // namespace vernier::cli
