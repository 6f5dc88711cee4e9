#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/plan/plan.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

constexpr std::size_t most_limits = 100;

Failure is_none(const std::string& path) {
  return invalid(fmt::format("'{}' is no limits.json", path),
                 "name the one that 'vernier bounds CATALOG TABLE --epsilon E --out DIR' writes into the folder");
}

// None where one of them is missing, or no such number.
std::optional<CutOff> limit_of(const nlohmann::json& one) {
  const auto number = [&](const char* name) {
    return one.is_object() ? one.value(name, nlohmann::json()) : nlohmann::json();
  };
  const nlohmann::json rows = number("max_rows"), share = number("share_with_more_at_most"),
                       cut = number("cut_off_about");
  if (!rows.is_number_integer() || !share.is_number() || !cut.is_number()) return std::nullopt;
  const auto max_rows = rows.get<std::int64_t>();
  if (max_rows < 1 || max_rows > query::greatest_max_rows) return std::nullopt;
  return CutOff{max_rows, share.get<double>(), cut.get<double>()};
}

}  // namespace

Result<std::vector<CutOff>> read_limits(const std::string& path, const study::Study& study) {
  VERNIER_TRY(const std::string text, study::read_file(path));
  const nlohmann::json content = nlohmann::json::parse(text, nullptr, false);
  if (!content.is_object() || !content.contains("limits") || !content["limits"].is_array()) return is_none(path);
  const nlohmann::json table = content.value("table", nlohmann::json());
  const std::vector<query::Table> tables = study.tables();
  if (!table.is_string() || std::none_of(tables.begin(), tables.end(),
                                         [&](const query::Table& one) { return one.name == table.get<std::string>(); }))
    return invalid(fmt::format("'{}' is about a table that the study does not ask", path),
                   "find the limits of its own table by vernier bounds");
  std::vector<CutOff> found;
  for (const nlohmann::json& one : content["limits"]) {
    const std::optional<CutOff> limit = limit_of(one);
    if (!limit || found.size() == most_limits) return is_none(path);
    found.push_back(*limit);
  }
  if (found.empty()) return is_none(path);
  return found;
}

}  // namespace vernier::cli
