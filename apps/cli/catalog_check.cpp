#include "cli/catalog_check.hpp"

#include <fmt/format.h>

#include "cli/catalog_json.hpp"
#include "cli/catalog_report.hpp"
#include "cli/errors.hpp"
#include "vernier/query/duckdb_catalog.hpp"

namespace vernier::cli {
namespace {

using query::Catalog;
using query::Reading;

// The problems are the answer, so they are printed although the command fails.
void tell_problems(Output& output, const std::string& path, const std::vector<query::Problem>& problems) {
  for (const query::Problem& problem : problems) output.write(one_line(query::located(path, problem)) + "\n");
}

Failure summary(const std::string& path, std::size_t count) {
  return invalid(count == 1 ? fmt::format("'{}' has a problem; mend it and check again", path)
                            : fmt::format("'{}' has {} problems; mend them and check again", path, count));
}

}  // namespace

Result<void> run_catalog_check(const Arguments& arguments, Output& output) {
  const std::string& path = arguments.object;
  VERNIER_TRY(const Reading<Catalog> reading, query::examine_catalog(path).map(query::with_definitions));
  if (arguments.has("--json")) {
    write_json(output, path, reading);
  } else if (reading.content) {
    write_report(output, *reading.content);
  } else {
    tell_problems(output, path, reading.problems);
  }
  if (reading.content) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return summary(path, reading.problems.size());
}

}  // namespace vernier::cli
