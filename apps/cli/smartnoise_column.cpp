#include "cli/smartnoise_column.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "cli/catalog_skeleton.hpp"
#include "vernier/core/names.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::cli {
namespace {

using query::in_quotes;
using query::Type;

// Of the two that SmartNoise writes as lower and upper.
struct Bounds {
  const YamlEntry* lower = nullptr;
  const YamlEntry* upper = nullptr;
};

const YamlEntry* find(const YamlMap& map, std::string_view key) {
  const auto found = std::find_if(map.begin(), map.end(), [&](const YamlEntry& entry) { return entry.key == key; });
  return found == map.end() ? nullptr : &*found;
}

Imported<std::optional<Type>> read_type(const YamlEntry& column, const YamlMap& content) {
  static const std::map<std::string, std::optional<Type>> types{{"int", Type::integer},   {"float", Type::real},
                                                                {"string", Type::string}, {"boolean", Type::boolean},
                                                                {"datetime", Type::date}, {"unknown", std::nullopt}};
  const std::string subject = "the column " + in_quotes(column.key);
  const YamlEntry* const type = find(content, "type");
  if (type == nullptr) return refused(column.place, subject + " has no type; write for example type: int");
  const auto* const scalar = std::get_if<YamlScalar>(&type->node.content);
  const auto known = types.find(scalar == nullptr ? "" : scalar->text);
  if (known != types.end()) return known->second;
  return refused(type->node.place, "the type of " + subject.substr(4) +
                                       " must be int, float, string, boolean, datetime or unknown, but it is " +
                                       described(type->node));
}

// A bound exactly as a catalog takes it: digits without quotes.
Imported<std::string> number_of(const YamlEntry& bound, const std::string& subject, Type type) {
  const auto* const scalar = std::get_if<YamlScalar>(&bound.node.content);
  const auto number = scalar == nullptr ? std::nullopt : std::optional(numeric::Rational::of_decimal(scalar->text));
  const bool has_octal = scalar != nullptr && scalar->text.size() > 1 && scalar->text.front() == '0' &&
                         scalar->text.find_first_not_of("0123456789") == std::string::npos;
  if (!number || !*number || !scalar->is_plain || has_octal) {
    return refused(bound.node.place, bound.key + " of " + subject + " must be a number such as 0 or 100.5, but it is " +
                                         described(bound.node));
  }
  const double value = nearest(**number);
  if (type != Type::integer || numeric::Rational::of(value).value() != **number) return scalar->text;
  return query::plain(value);  // 100.0 is 100
}

// What a catalog says to such a column; empty where it takes it.
std::string fault_of(Type type, const std::string& bounds) {
  const std::string text =
      "[budget]\nepsilon = 1\n[tables.t]\nsource = \"t.csv\"\nunit = \"row\"\n[tables.t.columns]\nx = { type = \"" +
      std::string(query::name_of(type)) + "\", " + bounds + " }\n";
  const auto reading = query::examine_catalog_text("catalog.toml", text);
  return reading.content ? "" : reading.problems.front().sentence;
}

Imported<std::string> read_bounds(const Bounds& bounds, const std::string& subject, Type type,
                                  std::vector<ImportNote>& notes) {
  const YamlEntry& one = bounds.lower != nullptr ? *bounds.lower : *bounds.upper;
  const auto open = [&](const std::string& why) {
    notes.push_back({one.place.line, true, "bounds of " + subject + " are left open, since " + why});
    return std::string();
  };
  if (type != Type::integer && type != Type::real)
    return open("a " + std::string(query::name_of(type)) + " had none that count in SmartNoise");
  if (bounds.lower == nullptr || bounds.upper == nullptr)
    return open("there is only " + one.key + "; a catalog needs both");
  const Imported<std::string> lower = number_of(*bounds.lower, subject, type);
  if (!lower) return lower;
  const Imported<std::string> upper = number_of(*bounds.upper, subject, type);
  if (!upper) return upper;
  std::string text = "lower = " + *lower + ", upper = " + *upper;
  std::string fault = fault_of(type, text);
  if (fault.empty()) return text;
  const std::size_t name = fault.find("the column 'x'");
  if (name != std::string::npos) fault.replace(name, 14, "it");
  return open(text + " is not taken: " + fault);
}

// Keys of a column that a catalog has not, and what it has instead.
std::string_view advice_on(std::string_view key) {
  static const std::map<std::string_view, std::string_view> sentences{
      {"cardinality", "is not needed: keys are private and pass a threshold, unless keys = [...] lists them all"},
      {"card", "is not needed: keys are private and pass a threshold, unless keys = [...] lists them all"},
      {"nullable", "is not needed: every column may be NULL, and statistics leave NULL out"},
      {"missing_value", "has no place here; write COALESCE(x, value) in SQL, or name it under expressions"},
      {"sensitivity", "is not taken: it follows from lower and upper alone"}};
  const auto found = sentences.find(key);
  return found == sentences.end() ? "is no key of SmartNoise's; it is left out" : found->second;
}

void note_others(const YamlMap& content, const std::string& subject, std::vector<ImportNote>& notes) {
  static constexpr std::array<std::string_view, 4> used{"type", "lower", "upper", "private_id"};
  for (const YamlEntry& entry : content) {
    if (std::find(used.begin(), used.end(), entry.key) != used.end()) continue;
    notes.push_back({entry.place.line, false,
                     in_quotes(entry.key).append(" of ").append(subject).append(" ").append(advice_on(entry.key))});
  }
}

void note_type(const YamlEntry& entry, const ReadColumn& read, std::vector<ImportNote>& notes) {
  const std::string subject = "the column " + in_quotes(entry.key);
  if (!read.is_known) {
    notes.push_back({entry.place.line, false, subject + " is of type unknown and is left out, as SmartNoise does"});
  } else if (read.column.type == Type::date) {
    notes.push_back({entry.place.line, false,
                     subject + " is a datetime, and a catalog has days: cells must be written as 2026-01-31, and those "
                               "with a time are NULL"});
  } else if (!read.column.type) {
    notes.push_back({entry.place.line, true,
                     subject + " names the unit and is a float, which is no identity; choose integer or string"});
  }
}

}  // namespace

tl::unexpected<query::Problem> refused(query::Place place, std::string sentence) {
  return tl::unexpected(query::Problem{place, std::move(sentence)});
}

Imported<bool> truth_of(const YamlNode& node, const std::string& what) {
  static const std::map<std::string, bool> words{
      {"true", true}, {"True", true}, {"TRUE", true}, {"yes", true},    {"Yes", true},    {"YES", true},
      {"on", true},   {"On", true},   {"ON", true},   {"false", false}, {"False", false}, {"FALSE", false},
      {"no", false},  {"No", false},  {"NO", false},  {"off", false},   {"Off", false},   {"OFF", false}};
  const auto* const scalar = std::get_if<YamlScalar>(&node.content);
  const auto found = words.find(scalar != nullptr && scalar->is_plain ? scalar->text : "");
  if (found != words.end()) return found->second;
  return refused(node.place, what + " must be True or False, but it is " + described(node));
}

Imported<ReadColumn> read_smartnoise_column(const YamlEntry& entry, std::vector<ImportNote>& notes) {
  const std::string subject = "the column " + in_quotes(entry.key);
  if (const auto fault = fault_of_name(entry.key))
    return refused(entry.place, "a column cannot have this name, since " + *fault + "; rename it in the file and here");
  const auto* const content = std::get_if<YamlMap>(&entry.node.content);
  if (content == nullptr) {
    return refused(entry.node.place,
                   subject + " must have its type and bounds below it, but it is " + described(entry.node));
  }
  const Imported<std::optional<Type>> type = read_type(entry, *content);
  if (!type) return tl::unexpected(type.error());
  ReadColumn read{{entry.key, *type, ""}, false, type->has_value()};
  if (const YamlEntry* const id = find(*content, "private_id")) {
    const Imported<bool> truth = truth_of(id->node, "private_id of " + subject);
    if (!truth) return tl::unexpected(truth.error());
    read.is_private_id = *truth;
  }
  const Bounds bounds{find(*content, "lower"), find(*content, "upper")};
  if (read.is_known && (bounds.lower != nullptr || bounds.upper != nullptr)) {
    Imported<std::string> text = read_bounds(bounds, subject, **type, notes);
    if (!text) return tl::unexpected(text.error());
    read.column.bounds = *std::move(text);
  }
  if (read.is_private_id && read.column.type == Type::real) read.column = {entry.key, std::nullopt, ""};
  note_type(entry, read, notes);
  note_others(*content, subject, notes);
  return read;
}

}  // namespace vernier::cli
