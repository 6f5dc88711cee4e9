#include "vernier/engine/column_names.hpp"

#include <map>

#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/engine/csv_header.hpp"
#include "vernier/engine/parquet_schema.hpp"
#include "vernier/query/value.hpp"

namespace vernier::engine {
namespace {

bool is_like_data(const std::string& cell) { return read_number("a name", cell) || query::read_day(cell); }

// A file without a header begins with data, which must not become names.
Result<void> check_header(const std::string& path, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_like_data(names[i])) continue;
    return invalid(
        "column " + std::to_string(i + 1) + " of the first line of '" + path +
        "' is a number or a date, so that line seems to be data; begin the file with a line of column names");
  }
  return {};
}

Result<void> check_names(const std::string& path, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto fault = fault_of_name(names[i])) {
      return invalid("the name of column " + std::to_string(i + 1) + " of '" + path + "' cannot be used, since " +
                     *fault + "; rename it in the file");
    }
    const auto [first, is_new] = seen.emplace(fold_case(names[i]), i + 1);
    if (is_new) continue;
    return invalid("columns " + std::to_string(first->second) + " and " + std::to_string(i + 1) + " of '" + path +
                   "' have the same name, up to case; rename one of them in the file");
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> column_names(const std::string& path, query::SourceKind kind, char delimiter) {
  const bool is_csv = kind == query::SourceKind::csv;
  Result<std::vector<std::string>> names = is_csv ? csv_header(path, delimiter) : parquet_names(path);
  if (!names) return names;
  VERNIER_TRY(is_csv ? check_header(path, *names) : Result<void>());
  VERNIER_TRY(check_names(path, *names));
  if (names->empty()) return invalid("'" + path + "' has no columns that a catalog could name");
  return names;
}

}  // namespace vernier::engine
