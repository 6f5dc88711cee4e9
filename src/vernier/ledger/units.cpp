#include "vernier/ledger/units.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"

namespace vernier::ledger {
namespace {

using nlohmann::json;

bool is_same(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  return a.has_value() == b.has_value() && (!a || fold_case(*a) == fold_case(*b));
}

std::string by(const std::optional<std::string>& unit) { return unit ? "by the unit '" + *unit + "'" : "as public"; }

std::string written(const std::optional<std::string>& unit) {
  return toml(unit ? "unit = \"" + *unit + "\"" : "public = true");
}

std::string of_table(const TableUnit& bound, const TableUnit& now) {
  return "has releases of the table '" + bound.table + "' " + by(bound.unit) + ", but the catalog now has it " +
         by(now.unit) + "; whom it protects stays: write " + written(bound.unit) + " back, or begin another ledger";
}

std::string of_source(const TableUnit& bound, const TableUnit& now) {
  return "has releases of the file '" + bound.source + "' " + by(bound.unit) + ", as the table '" + bound.table +
         "', but the table '" + now.table + "' has it " + by(now.unit) +
         "; whom it protects stays: ask the former table, or begin another ledger";
}

Failure unknown() { return invalid("names tables in a way that this version does not know"); }

std::optional<TableUnit> unit_in(const json& one) {
  const bool is_triple = one.is_array() && one.size() == 3 && one[0].is_string() && one[2].is_string() &&
                         (one[1].is_null() || one[1].is_string());
  if (!is_triple) return std::nullopt;
  return TableUnit{one[0].get<std::string>(),
                   one[1].is_null() ? std::nullopt : std::optional(one[1].get<std::string>()),
                   one[2].get<std::string>()};
}

}  // namespace

std::string canonical(const Units& units) {
  json all = json::array();
  for (const TableUnit& one : units) {
    all.push_back(json::array({one.table, one.unit ? json(*one.unit) : json(nullptr), one.source}));
  }
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Units> units_in(std::string_view text) {
  const json all = json::parse(text, nullptr, false);
  if (!all.is_array() || all.empty()) return unknown();
  Units units;
  for (const json& one : all) {
    std::optional<TableUnit> read = unit_in(one);
    if (!read) return unknown();
    units.push_back(*std::move(read));
  }
  return units;
}

std::optional<std::string> BoundUnits::conflict(const Units& released) const {
  for (const TableUnit& now : released) {
    const auto named = tables_.find(fold_case(now.table));
    if (named != tables_.end() && !is_same(named->second.unit, now.unit)) return of_table(named->second, now);
    for (const auto& [name, bound] : tables_) {
      const bool is_same_file = !now.source.empty() && bound.source == now.source;
      if (is_same_file && !is_same(bound.unit, now.unit)) return of_source(bound, now);
    }
  }
  return std::nullopt;
}

std::optional<std::string> BoundUnits::conflict_of_catalog(const Units& declared) const {
  for (const TableUnit& now : declared) {
    const auto named = tables_.find(fold_case(now.table));
    if (named != tables_.end() && !is_same(named->second.unit, now.unit)) return of_table(named->second, now);
  }
  for (const std::string& unit : alone_) {
    const auto has_it = [&](const TableUnit& now) { return is_same(now.unit, unit); };
    if (declared.empty() || std::any_of(declared.begin(), declared.end(), has_it)) continue;
    return "has releases by the unit '" + unit +
           "', which no table of the catalog has now; whom it protects stays: write it back, or begin another ledger";
  }
  return std::nullopt;
}

void BoundUnits::add(const Units& released) {
  for (const TableUnit& one : released) tables_.insert_or_assign(fold_case(one.table), one);
}

}  // namespace vernier::ledger
