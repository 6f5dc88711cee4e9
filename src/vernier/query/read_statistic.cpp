#include "vernier/query/read_statistic.hpp"

#include "vernier/core/names.hpp"
#include "vernier/query/read_inference.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

std::string read_name(TableReader& reader) {
  const TomlNode* const node = reader.require("name", "name = \"income by region\"");
  const auto name = reader.text("name", "income by region");
  if (!name) return {};
  if (const auto fault = fault_of_name(*name)) {
    reader.refuse(node->place, "a statistic cannot have this name, since " + *fault + "; choose another");
  }
  return *name;
}

std::string read_sql(TableReader& reader, Statistic& statistic) {
  const TomlNode* const node = reader.require("sql", "sql = \"SELECT COUNT(*) AS people FROM people\"");
  const auto sql = reader.text("sql", "SELECT COUNT(*) AS people FROM people");
  if (!sql) return {};
  statistic.sql_place = node->place;
  if (sql->find_first_not_of(" \t\r\n") == std::string::npos || sql->find('\0') != std::string::npos) {
    reader.refuse(node->place, reader.subject("sql") +
                                   " must be a SELECT statement, but it is empty or has a null "
                                   "character; write for example SELECT COUNT(*) AS people FROM people");
  }
  return *sql;
}

void read_target(TableReader& reader, const TomlEntry& entry, std::vector<Target>& targets) {
  const std::string subject = "the accuracy of " + in_quotes(entry.key) + " of " + reader.name();
  if (const auto fault = fault_of_name(entry.key)) {
    return reader.refuse(
        entry.place, "no output column can have this name, since " + *fault + "; write the name behind AS in the SQL");
  }
  for (const Target& other : targets) {
    if (fold_case(other.column) != fold_case(entry.key)) continue;
    return reader.refuse(entry.place,
                         subject + " is given as " + in_quotes(other.column) + " already, up to case; write it once");
  }
  auto accuracy = number_of(entry.node);
  if (!accuracy || *accuracy <= Rational::of(0)) {
    return reader.refuse(entry.node.place,
                         subject + " must be a number above 0 such as 50, but it is " + described(entry.node));
  }
  targets.push_back({entry.key, *std::move(accuracy), entry.place});
}

std::vector<Target> read_accuracy(TableReader& reader) {
  const TomlTable* const table = reader.table("accuracy", "{ people = 50 }, with a number for each output column");
  std::vector<Target> targets;
  if (table == nullptr) return targets;
  if (table->empty()) {
    reader.refuse(reader.find("accuracy")->place,
                  reader.subject("accuracy") + " is empty; write for example { people = 50 }, or leave it out");
  }
  for (const TomlEntry& entry : *table) read_target(reader, entry, targets);
  return targets;
}

Rational read_weight(TableReader& reader) {
  auto weight = reader.number("weight");
  if (!weight) return Rational::of(1);
  if (*weight < Rational::of_decimal("1e-6").value() || *weight > Rational::of_decimal("1e6").value()) {
    const TomlNode& node = *reader.find("weight");
    reader.refuse(node.place, reader.subject("weight") + " must be between 1e-6 and 1e6, where 1 is usual, but it is " +
                                  described(node));
  }
  return *std::move(weight);
}

// "the statistic 'people'", or where it has no name, "this statistic".
std::string subject_of(const TomlTable& table) {
  for (const TomlEntry& entry : table) {
    const auto* const name = std::get_if<std::string>(&entry.node.content);
    if (entry.key == "name" && name != nullptr) return "the statistic " + in_quotes(*name);
  }
  return "this statistic";
}

}  // namespace

Statistic read_statistic(const TomlNode& node, std::vector<Problem>& problems) {
  Statistic statistic{
      .name = {}, .sql = {}, .accuracy = {}, .weight = Rational::of(1), .place = node.place, .sql_place = node.place};
  const auto* const table = std::get_if<TomlTable>(&node.content);
  if (table == nullptr) {
    problems.push_back(
        {node.place, "a statistic must be a table that begins with [[statistic]], but it is " + described(node)});
    return statistic;
  }
  TableReader reader(*table, node.place, subject_of(*table), problems);
  statistic.name = read_name(reader);
  statistic.sql = read_sql(reader, statistic);
  statistic.accuracy = read_accuracy(reader);
  statistic.weight = read_weight(reader);
  statistic.max_groups = reader.whole("max_groups", 1, greatest_max_groups).value_or(1);
  statistic.max_rows = reader.whole("max_rows", 1, greatest_max_rows).value_or(1);
  statistic.typical_rows = reader.whole("typical_rows", 1, greatest_typical_rows).value_or(usual_typical_rows);
  statistic.inference = read_inference(reader);
  reader.finish();
  return statistic;
}

}  // namespace vernier::query
