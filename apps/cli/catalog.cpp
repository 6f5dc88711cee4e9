#include "cli/catalog.hpp"

#include <fmt/format.h>

#include "cli/catalog_check.hpp"
#include "cli/catalog_new.hpp"
#include "cli/errors.hpp"

namespace vernier::cli {
namespace {

Result<void> check_words(const Arguments& arguments) {
  const bool is_new = arguments.subject == "new";
  if (!is_new && arguments.subject != "check") {
    const std::string found = arguments.subject.empty() ? "nothing is said"
                                                        : fmt::format("it is '{}'{}", arguments.subject,
                                                                      suggestion(arguments.subject, {"new", "check"}));
    return invalid(fmt::format("what to do must be new or check, but {}; see 'vernier catalog --help'", found));
  }
  if (arguments.object.empty()) {
    return invalid(is_new ? "the data file is missing; write for example 'vernier catalog new people.csv'"
                          : "the catalog is missing; write for example 'vernier catalog check catalog.toml'");
  }
  for (const char* const option : {"--out", "--delimiter"}) {
    if (!is_new && arguments.has(option))
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
          "\n"
          "new    writes a catalog to fill in, with the names of the columns of a CSV or Parquet file;\n"
          "       of CSV the first line is read, of Parquet the schema, and nothing else of the data\n"
          "check  says what a catalog declares, or everything that is wrong with it; opens no data",
      .subject = "ACTION",
      .subject_help = "new or check",
      .subject_choices = {"new", "check"},
      .object = "FILE",
      .object_help = "the data, or the catalog",
      .options = {{"--out", Takes::one_value, "FILE", "where the new catalog is written; catalog.toml unless given"},
                  {"--delimiter", Takes::one_value, "C",
                   "what stands between the cells of CSV: , (unless given), ;, | or tab"}},
      .example =
          "  vernier catalog new people.csv\n"
          "  vernier catalog check catalog.toml\n"};
}

Result<void> run_catalog(const Arguments& arguments, Output& output) {
  if (Result<void> checked = check_words(arguments); !checked) return checked;
  return arguments.subject == "new" ? run_catalog_new(arguments, output) : run_catalog_check(arguments, output);
}

}  // namespace vernier::cli
