#include "vernier/ledger/units.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"

namespace vernier::ledger {
namespace {

using nlohmann::json;

std::string by(const std::optional<std::string>& unit) { return unit ? "by the unit '" + *unit + "'" : "as public"; }

std::string written(const std::optional<std::string>& unit) {
  return toml(unit ? "unit = \"" + *unit + "\"" : "public = true");
}

std::string of_table(const TableUnit& bound, const TableUnit& now) {
  return "has releases of the table '" + bound.table + "' " + by(bound.unit) + ", but the catalog now has it " +
         by(now.unit) + "; whom it protects stays: write " + written(bound.unit) + " back, or begin another ledger";
}

bool is_wild(char c) { return c == '*' || c == '?'; }
bool is_pattern(std::string_view name) { return std::any_of(name.begin(), name.end(), is_wild); }

// Whether both may stand for one file, where * and ? stand for any characters but /: by how far a text can be read in
// both at once.
bool may_be_one_file(std::string_view a, std::string_view b) {
  if (!is_pattern(a) && !is_pattern(b)) return a == b;
  std::vector<char> here(b.size() + 1), next;  // by the place in b; of `here` at place i of a
  here[0] = 1;
  for (std::size_t i = 0; i <= a.size(); ++i) {
    next.assign(b.size() + 1, 0);
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (here[j] == 0) continue;
      const bool is_end = i == a.size(), is_other_end = j == b.size();
      if (is_end && is_other_end) return true;
      const bool is_wild_here = !is_end && is_wild(a[i]), is_wild_there = !is_other_end && is_wild(b[j]);
      if (is_wild_there || (is_wild_here && !is_other_end && b[j] != '/')) here[j + 1] = 1;
      if (is_wild_here || (is_wild_there && !is_end && a[i] != '/')) next[j] = 1;
      if (!is_end && !is_other_end && a[i] == b[j]) next[j + 1] = 1;
    }
    here.swap(next);
  }
  return false;
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

bool is_same_unit(const TableUnit& a, const TableUnit& b) {
  return a.unit.has_value() == b.unit.has_value() && (!a.unit || fold_case(*a.unit) == fold_case(*b.unit));
}

std::vector<std::string> files_of(const TableUnit& table) {
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin < table.source.size();) {
    const std::size_t end = std::min(table.source.find('\n', begin), table.source.size());
    files.push_back(table.source.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

std::string conflict_of_file(const std::string& file, const TableUnit& bound, const TableUnit& now) {
  return "has releases of the file '" + file + "' " + by(bound.unit) + ", as the table '" + bound.table +
         "', but the table '" + now.table + "' has it " + by(now.unit) +
         "; whom it protects stays: ask the former table, or begin another ledger";
}

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
    if (named != tables_.end() && !is_same_unit(named->second, now)) return of_table(named->second, now);
    for (const std::string& file : files_of(now)) {
      for (const auto& [name, bound] : files_) {
        if (!is_same_unit(bound, now) && may_be_one_file(name, file)) return conflict_of_file(name, bound, now);
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> BoundUnits::conflict_of_catalog(const Units& declared) const {
  for (const TableUnit& now : declared) {
    const auto named = tables_.find(fold_case(now.table));
    if (named != tables_.end() && !is_same_unit(named->second, now)) return of_table(named->second, now);
  }
  for (const std::string& unit : alone_) {
    const auto has_it = [&](const TableUnit& now) { return is_same_unit(now, {now.table, unit}); };
    if (declared.empty() || std::any_of(declared.begin(), declared.end(), has_it)) continue;
    return "has releases by the unit '" + unit +
           "', which no table of the catalog has now; whom it protects stays: write it back, or begin another ledger";
  }
  return std::nullopt;
}

void BoundUnits::add(const Units& released) {
  for (const TableUnit& one : released) {
    tables_.insert_or_assign(fold_case(one.table), one);
    for (const std::string& file : files_of(one)) files_.insert_or_assign(file, one);
  }
}

}  // namespace vernier::ledger
