#include "cli/catalog.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/catalog_check.hpp"
#include "cli/catalog_new.hpp"
#include "cli/catalog_reopen.hpp"
#include "cli/errors.hpp"

namespace vernier::cli {
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
  for (const char* const option : {"--out", "--delimiter"}) {
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
          "  vernier catalog check FILE [--json]\n"
          "  vernier catalog reopen FILE --table NAME [--json]\n"
          "\n"
          "new     writes a catalog to fill in, with the names of the columns of a CSV or Parquet file;\n"
          "        of CSV the first line is read, of Parquet the schema, and nothing else of the data\n"
          "check   says what a catalog declares, or everything that is wrong with it; opens no data\n"
          "reopen  opens a table again that a failed run has closed, once its file was mended or replaced; a run that\n"
          "        fails after data was read closes its table, since a failure may tell something of the data",
      .subject = "ACTION",
      .subject_help = "new, check or reopen",
      .subject_choices = actions(),
      .object = "FILE",
      .object_help = "the data, or the catalog",
      .options = {{"--out", Takes::one_value, "FILE", "where the catalog is written; unless given catalog.toml"},
                  {"--delimiter", Takes::one_value, "C",
                   "what stands between the cells of CSV: , (unless given), ;, | or tab"},
                  {"--table", Takes::one_value, "NAME", "the table to reopen"}},
      .example =
          "  vernier catalog new people.csv\n"
          "  vernier catalog check catalog.toml\n"
          "  vernier catalog reopen catalog.toml --table people\n"};
}

Result<void> run_catalog(const Arguments& arguments, Output& output) {
  if (Result<void> checked = check_words(arguments); !checked) return checked;
  if (arguments.subject == "new") return run_catalog_new(arguments, output);
  if (arguments.subject == "reopen") return run_catalog_reopen(arguments, output);
  return run_catalog_check(arguments, output);
}

}  // namespace vernier::cli
