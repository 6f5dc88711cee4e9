#include "vernier/query/read/statistic.hpp"

#include <algorithm>
#include <optional>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/study_alpha.hpp"
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
  const TomlNode* const node = reader.require("name", toml("name = \"income by region\""));
  const auto name = reader.text("name", "income by region");
  if (!name) return {};
  if (const auto fault = fault_of_name(*name)) {
    reader.refuse(node->place, "a statistic cannot have this name, since " + *fault, "choose another");
  }
  return *name;
}

std::string read_sql(TableReader& reader, Statistic& statistic) {
  const TomlNode* const node = reader.require("sql", toml("sql = \"SELECT COUNT(*) AS people FROM people\""));
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

// What is wrong with what stands where an accuracy should, and what to write.
struct Fault {
  std::string problem;
  std::string advice;
};
Fault fault_of_accuracy(const TomlNode& node) {
  const auto* const text = std::get_if<std::string>(&node.content);
  if (text != nullptr && text->ends_with('%')) {
    return {"is the share " + in_quotes(*text) + ", which must be above 0 % and at most 100 %", "write such as \"5%\""};
  }
  if (text != nullptr && Rational::of_decimal(*text)) {
    return {"is the text " + in_quotes(*text), "write " + *text + term(Term::without_quotes)};
  }
  const auto number = number_of(node);
  if (number && *number == Rational::of(0)) {
    return {"is 0, which would be a number without noise", "write how far it may be off, such as 50"};
  }
  return {"must be a number above 0 such as 50, but it is " + described(node), {}};
}

// The value that is expected of a column, of which its accuracy may be a part.
struct Typical {
  const TomlEntry* entry;
  Rational size;
  bool is_used = false;
};
using TypicalSizes = std::vector<Typical>;

TypicalSizes read_typical(TableReader& reader) {
  TypicalSizes sizes;
  const TomlTable* const table =
      reader.table("typical", toml("{ people = 2000 }") + ", with a number for each accuracy in percent");
  if (table == nullptr) return sizes;
  for (const TomlEntry& entry : *table) {
    const auto size = number_of(entry.node);
    if (!size || *size == Rational::of(0)) {
      reader.refuse(entry.node.place, "the typical size of " + in_quotes(entry.key) + " of " + reader.name(),
                    "must be a number other than 0, but it is " + described(entry.node),
                    "write a value that you expect, such as 2000");
      sizes.push_back({&entry, Rational::of(1), true});  // what is wrong with it was said
      continue;
    }
    sizes.push_back({&entry, *size < Rational::of(0) ? Rational::of(0) - *size : *size});
  }
  return sizes;
}

bool is_in_percent(const TomlNode& node) {
  const auto* const text = std::get_if<std::string>(&node.content);
  return text != nullptr && text->ends_with('%');
}

// "5%" is 1/20; none where it is not above 0 and at most 1.
std::optional<Rational> share_of(const TomlNode& node) {
  if (!is_in_percent(node)) return std::nullopt;
  std::string_view digits(std::get<std::string>(node.content));
  digits.remove_suffix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  const Result<Rational> percent = Rational::of_decimal(digits);
  if (!percent || *percent <= Rational::of(0) || *percent > Rational::of(100)) return std::nullopt;
  return *quotient(*percent, Rational::of(100));
}

// An accuracy as it is written, or the share of what is typical of the column.
std::optional<Rational> accuracy_of(TableReader& reader, const std::string& subject, const TomlEntry& entry,
                                    TypicalSizes& sizes) {
  const std::optional<Rational> share = share_of(entry.node);
  for (Typical& one : sizes) {
    if (!is_in_percent(entry.node) || fold_case(one.entry->key) != fold_case(entry.key)) continue;
    one.is_used = true;
    return share ? std::optional(*share * one.size) : std::nullopt;
  }
  if (!share) return number_of(entry.node);
  reader.refuse(entry.node.place, subject, "is a share of a value that nobody has stated",
                "write " + toml("typical = { " + entry.key + " = 2000 }") +
                    " with a value that you expect, or an accuracy without %");
  return Rational::of(1);
}

// What is written and not used is refused.
void refuse_unused(TableReader& reader, const TypicalSizes& sizes) {
  for (const Typical& one : sizes) {
    if (one.is_used) continue;
    reader.refuse(one.entry->place, "the typical size of " + in_quotes(one.entry->key) + " of " + reader.name(),
                  "is not used, since its accuracy is no share of it",
                  "write the accuracy in percent, such as \"5%\", or leave it out");
  }
}

void read_target(TableReader& reader, const TomlEntry& entry, TypicalSizes& sizes, std::vector<Target>& targets) {
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
  auto accuracy = accuracy_of(reader, subject, entry, sizes);
  if (!accuracy || *accuracy <= Rational::of(0)) {
    const Fault fault = fault_of_accuracy(entry.node);
    reader.refuse(entry.node.place, subject, fault.problem, fault.advice);
    accuracy = Rational::of(1);  // an accuracy is stated: whatever else is said of the study, not that there is none
  }
  targets.push_back({entry.key, *std::move(accuracy), entry.place});
}

std::vector<Target> read_accuracy(TableReader& reader) {
  const TomlTable* const table =
      reader.table("accuracy", toml("{ people = 50 }") + ", with a number for each output column");
  TypicalSizes sizes = read_typical(reader);
  std::vector<Target> targets;
  const TomlNode* const written = reader.find("accuracy");
  if (table == nullptr || table->empty()) {
    // What is wrong with it was said: nobody is told besides that there is none.
    if (written != nullptr) targets.push_back({"", Rational::of(1), written->place});
  }
  if (table == nullptr) {
    if (written == nullptr) refuse_unused(reader, sizes);
    return targets;
  }
  if (table->empty()) {
    reader.refuse(written->place, reader.subject("accuracy"), "is empty",
                  "write for example " + toml("{ people = 50 }") + ", or leave it out where the study has a budget");
  }
  for (const TomlEntry& entry : *table) read_target(reader, entry, sizes, targets);
  refuse_unused(reader, sizes);
  return targets;
}

bool is_weight(const Rational& value) {
  return value >= Rational::of_decimal("1e-6").value() && value <= Rational::of_decimal("1e6").value();
}

void read_column_weight(TableReader& reader, const TomlEntry& entry, std::vector<ColumnWeight>& weights) {
  const std::string subject = "the weight of " + in_quotes(entry.key) + " of " + reader.name();
  const auto is_given = [&](const ColumnWeight& other) { return fold_case(other.column) == fold_case(entry.key); };
  if (std::any_of(weights.begin(), weights.end(), is_given)) {
    return reader.refuse(entry.place, subject + " is given already, up to case", "write it once");
  }
  const auto weight = number_of(entry.node);
  if (weight && is_weight(*weight)) return weights.push_back({entry.key, *weight, entry.place});
  reader.refuse(entry.node.place, subject,
                "must be a number between 1e-6 and 1e6, where 1 is usual, but it is " + described(entry.node), {});
}

// One for all columns, or for each that is named.
void read_weight(TableReader& reader, Statistic& statistic) {
  const TomlNode* const node = reader.find("weight");
  if (node != nullptr && std::holds_alternative<TomlTable>(node->content)) {
    const TomlTable* const columns =
        reader.table("weight", toml("{ people = 2 }") + ", with a number for each output column");
    if (columns->empty()) reader.refuse(node->place, reader.subject("weight"), "is empty", "write it, or leave it out");
    for (const TomlEntry& entry : *columns) read_column_weight(reader, entry, statistic.weights);
    return;
  }
  const auto weight = reader.number("weight");
  if (!weight) return;
  if (!is_weight(*weight)) {
    reader.refuse(node->place, reader.subject("weight"),
                  "must be between 1e-6 and 1e6, where 1 is usual, but it is " + described(*node), {});
  }
  statistic.weight = *weight;
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

std::optional<std::string> fault_of_sql_part(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "it is empty";
  if (text.find('\0') != std::string::npos) return "it has a null character";
  if (text.find(';') != std::string::npos || text.find("--") != std::string::npos ||
      text.find("/*") != std::string::npos)
    return "it has a semicolon or a comment";
  return std::nullopt;
}

std::optional<Rational> read_alpha(TableReader& reader) {
  const auto alpha = reader.number("alpha");
  if (!alpha) return std::nullopt;
  const TomlNode& node = *reader.find("alpha");
  if (*alpha > Rational::of_decimal(greatest_told_alpha).value() &&
      *alpha <= *Rational::of_decimal(greatest_study_alpha)) {
    reader.refuse(node.place, reader.subject("alpha"),
                  "is the chance that an interval misses, and " + described(node) + " is more than one in two",
                  "write " + toml("alpha = 0.05") + " for a confidence of 95 %");
  }
  if (!is_study_alpha(*alpha)) {
    reader.refuse(node.place, reader.subject("alpha"),
                  "must be between " + std::string(least_study_alpha) + " and " + greatest_told_alpha +
                      ", such as 0.05, but it is " + described(node),
                  {});
  }
  return alpha;
}

namespace {

// seen = { units = 50, chance = 0.99 }
std::optional<Seen> read_seen(TableReader& reader, std::vector<Problem>& problems) {
  const TomlTable* const table = reader.table("seen", "{ units = 50, chance = 0.99 }");
  if (table == nullptr) return std::nullopt;
  const Place place = reader.find("seen")->place;
  TableReader inner(*table, place, reader.subject("seen"), problems);
  const TomlNode* const said = inner.require("units", "units = 50");
  const auto units = said != nullptr ? inner.whole("units", 2, greatest_seen_units) : std::nullopt;
  const TomlNode* const wanted = inner.require("chance", "chance = 0.99");
  const auto chance = wanted != nullptr ? inner.number("chance") : std::nullopt;
  const bool is_chance = chance && *chance > Rational::of(0) && *chance < Rational::of(1);
  if (chance && !is_chance) {
    inner.refuse(wanted->place, inner.subject("chance"),
                 "must be between 0 and 1, such as 0.99, but it is " + described(*wanted), {});
  }
  inner.finish();
  return units && is_chance ? std::optional(Seen{*units, *chance, place}) : std::nullopt;
}

}  // namespace

void read_terms(TableReader& reader, Statistic& statistic) {
  statistic.accuracy = read_accuracy(reader);
  read_weight(reader, statistic);
  statistic.alpha = read_alpha(reader);
  statistic.max_groups = reader.whole("max_groups", 1, greatest_max_groups);
  statistic.max_rows = reader.whole("max_rows", 1, greatest_max_rows);
  statistic.typical_rows = reader.whole("typical_rows", 1, greatest_typical_rows).value_or(usual_typical_rows);
  statistic.inference = read_inference(reader);
}

Statistic read_statistic(const TomlNode& node, std::vector<Problem>& problems) {
  Statistic statistic{
      .name = {}, .sql = {}, .accuracy = {}, .weight = Rational::of(1), .place = node.place, .sql_place = node.place};
  const auto* const table = std::get_if<TomlTable>(&node.content);
  if (table == nullptr) {
    problems.push_back({node.place, "a statistic must be " + term(Term::statistic) + ", but it is " + described(node)});
    return statistic;
  }
  TableReader reader(*table, node.place, subject_of(*table), problems);
  statistic.name = read_name(reader);
  statistic.sql = read_sql(reader, statistic);
  read_terms(reader, statistic);
  statistic.seen = read_seen(reader, problems);
  statistic.at_least = reader.boolean("at_least").value_or(false);
  reader.finish();
  return statistic;
}

}  // namespace vernier::query
