#include "vernier/query/read/statistic.hpp"

#include <optional>

#include "vernier/core/names.hpp"
#include "vernier/query/toml/reader.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

constexpr std::array<std::string_view, 5> denoise_names = {"none", "least-risk", "james-stein", "soft-threshold",
                                                           "consistent"};

Denoise read_denoise(TableReader& reader) {
  const auto word = reader.word("denoise", {denoise_names.begin(), denoise_names.end()});
  for (std::size_t i = 0; word && i < denoise_names.size(); ++i) {
    if (*word == denoise_names[i]) return static_cast<Denoise>(i);
  }
  return Denoise::none;
}

// A key of a group, as text_of shows its value: 5, 2.5; none for what is no key.
std::optional<std::string> key_text(const TomlNode& node) {
  if (const auto* const text = std::get_if<std::string>(&node.content)) return *text;
  const auto number = number_of(node);
  if (!number) return std::nullopt;
  std::string text = number->text();
  return text.find('/') == std::string::npos ? std::move(text) : plain(nearest(*number));
}

std::optional<Difference> difference_of(const TomlNode& node) {
  const auto* const pair = std::get_if<TomlArray>(&node.content);
  if (pair == nullptr || pair->size() != 2) return std::nullopt;
  auto first = key_text(pair->front()), second = key_text(pair->back());
  if (!first || !second || *first == *second) return std::nullopt;
  return Difference{*std::move(first), *std::move(second)};
}

std::vector<Difference> read_differences(TableReader& reader) {
  const TomlNode* const node = reader.find("differences");
  if (node == nullptr) return {};
  std::vector<Difference> differences;
  const auto* const pairs = std::get_if<TomlArray>(&node->content);
  for (std::size_t i = 0; pairs != nullptr && i < pairs->size(); ++i) {
    auto difference = difference_of((*pairs)[i]);
    if (!difference) break;
    differences.push_back(*std::move(difference));
  }
  if (pairs == nullptr || pairs->empty() || differences.size() != pairs->size()) {
    reader.refuse(node->place, reader.subject("differences"),
                  "must be a list of pairs of groups that differ, such as [[\"north\", \"south\"]], "
                  "but it is something else",
                  {});
  }
  return differences;
}

}  // namespace

std::string_view name_of(Denoise denoise) { return denoise_names[static_cast<std::size_t>(denoise)]; }

Inference read_inference(TableReader& reader) {
  const auto covers = reader.word("covers", {"sample", "population"});
  return {.of_population = covers && *covers == "population",
          .is_guaranteed = reader.boolean("guaranteed").value_or(false),
          .is_simultaneous = reader.boolean("simultaneous").value_or(false),
          .has_clamped_share = reader.boolean("clamped_share").value_or(false),
          .denoise = read_denoise(reader),
          .differences = read_differences(reader)};
}

namespace {

using numeric::Rational;

std::string read_name(TableReader& reader) {
  const TomlNode* const node = reader.require("name", "name = \"income by region\"");
  const auto name = reader.text("name", "income by region");
  if (!name) return {};
  if (const auto fault = fault_of_name(*name)) {
    reader.refuse(node->place, "a statistic cannot have this name, since " + *fault, "choose another");
  }
  return *name;
}

std::string read_sql(TableReader& reader, Statistic& statistic) {
  const TomlNode* const node = reader.require("sql", "sql = \"SELECT COUNT(*) AS people FROM people\"");
  const auto sql = reader.text("sql", "SELECT COUNT(*) AS people FROM people");
  if (!sql) return {};
  statistic.sql_place = node->place;
  if (sql->find_first_not_of(" \t\r\n") == std::string::npos || sql->find('\0') != std::string::npos) {
    reader.refuse(node->place, reader.subject("sql"),
                  "must be a SELECT statement, but it is empty or has a null "
                  "character",
                  "write for example SELECT COUNT(*) AS people FROM people");
  }
  return *sql;
}

void read_target(TableReader& reader, const TomlEntry& entry, std::vector<Target>& targets) {
  const std::string subject = "the accuracy of " + in_quotes(entry.key) + " of " + reader.name();
  if (const auto fault = fault_of_name(entry.key)) {
    return reader.refuse(entry.place, "no output column can have this name, since " + *fault,
                         "write the name behind AS in the SQL");
  }
  for (const Target& other : targets) {
    if (fold_case(other.column) != fold_case(entry.key)) continue;
    return reader.refuse(entry.place, subject + " is given as " + in_quotes(other.column) + " already, up to case",
                         "write it once");
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
    reader.refuse(reader.find("accuracy")->place, reader.subject("accuracy"), "is empty",
                  "write for example { people = 50 }, or leave it out");
  }
  for (const TomlEntry& entry : *table) read_target(reader, entry, targets);
  return targets;
}

Rational read_weight(TableReader& reader) {
  auto weight = reader.number("weight");
  if (!weight) return Rational::of(1);
  if (*weight < Rational::of_decimal("1e-6").value() || *weight > Rational::of_decimal("1e6").value()) {
    const TomlNode& node = *reader.find("weight");
    reader.refuse(node.place, reader.subject("weight"),
                  "must be between 1e-6 and 1e6, where 1 is usual, but it is " + described(node), {});
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
