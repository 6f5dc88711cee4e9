#include "vernier/query/toml/reader.hpp"

#include <algorithm>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"

namespace vernier::query {

const TomlNode* TableReader::find(std::string_view key) {
  asked_.emplace(key);
  const auto found =
      std::find_if(table_.begin(), table_.end(), [&](const TomlEntry& entry) { return entry.key == key; });
  return found == table_.end() ? nullptr : &found->node;
}

const TomlNode* TableReader::require(std::string_view key, std::string_view example) {
  const TomlNode* const node = find(key);
  if (node == nullptr) {
    refuse(place_, name_, "has no " + std::string(key), "write for example " + std::string(example));
  }
  return node;
}

void TableReader::refuse_kind(std::string_view key, std::string_view wanted, const TomlNode& node) {
  refuse(node.place, subject(key), "must be " + std::string(wanted) + ", but it is " + described(node), {});
}

std::optional<std::string> TableReader::text(std::string_view key, std::string_view example) {
  const TomlNode* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* const text = std::get_if<std::string>(&node->content)) return *text;
  refuse_kind(key, "a text" + term(Term::in_double_quotes) + " such as \"" + std::string(example) + "\"", *node);
  return std::nullopt;
}

std::optional<bool> TableReader::boolean(std::string_view key) {
  const TomlNode* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* const value = std::get_if<bool>(&node->content)) return *value;
  refuse_kind(key, example_of(Type::boolean), *node);
  return std::nullopt;
}

std::optional<std::int64_t> TableReader::whole(std::string_view key, std::int64_t least, std::int64_t greatest) {
  const TomlNode* const node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* const value = std::get_if<std::int64_t>(&node->content);
  if (value != nullptr && *value >= least && *value <= greatest) return *value;
  refuse_kind(key, "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest), *node);
  return std::nullopt;
}

std::optional<numeric::Rational> TableReader::number(std::string_view key) {
  const TomlNode* const node = find(key);
  if (node == nullptr) return std::nullopt;
  auto value = number_of(*node);
  if (!value) refuse_kind(key, "a number such as 0.5", *node);
  return value;
}

std::optional<std::string> TableReader::word(std::string_view key, const std::vector<std::string>& words) {
  const auto found = text(key, words.front());
  if (!found || std::find(words.begin(), words.end(), *found) != words.end()) return found;
  refuse(find(key)->place, subject(key),
         "must be " + listed(words, "or") + ", but it is " + in_quotes(*found) + suggestion(*found, words), {});
  return std::nullopt;
}

const TomlTable* TableReader::table(std::string_view key, std::string_view example) {
  const TomlNode* const node = find(key);
  if (node == nullptr) return nullptr;
  if (const auto* const table = std::get_if<TomlTable>(&node->content)) return table;
  refuse_kind(key, term(Term::a_table) + " such as " + std::string(example), *node);
  return nullptr;
}

void TableReader::finish() {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const TomlEntry& entry : table_) {
    if (asked_.contains(entry.key)) continue;
    refuse(entry.place, name_,
           "takes no " + term(Term::key) + " " + in_quotes(entry.key) + suggestion(entry.key, known),
           "its " + term(Term::keys) + " are " + listed(known));
  }
}

std::optional<numeric::Rational> number_of(const TomlNode& node) {
  if (const auto* const whole = std::get_if<std::int64_t>(&node.content)) return numeric::Rational::of(*whole);
  const auto* const real = std::get_if<TomlReal>(&node.content);
  if (real == nullptr) return std::nullopt;
  Result<numeric::Rational> exact = numeric::Rational::of_decimal(real->text);
  if (!exact) return std::nullopt;
  return *std::move(exact);
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text, between(" ");
  between.append(last).append(" ");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? between : std::string(", ");
    text += words[i];
  }
  return text;
}

std::string in_quotes(std::string_view text) {
  if (text.size() > longest_name) return "of " + std::to_string(text.size()) + " bytes";
  if (!text.empty() && fault_of_text(text)) return "with characters that cannot be shown";
  std::string shown("'");
  return shown.append(text).append("'");
}

namespace {

template <class Content>
std::optional<Value> content_of(const TomlNode& node) {
  const auto* const content = std::get_if<Content>(&node.content);
  return content == nullptr ? std::nullopt : std::optional<Value>(*content);
}

// Written as we would write it, so that 1, 01 and +1 are not three names of one value.
std::optional<Value> integer_of(std::string_view text) {
  const Result<long long> value = read_integer("a key", text);
  if (!value || std::to_string(*value) != text) return std::nullopt;
  return std::int64_t{*value};
}

}  // namespace

std::string example_of(Type type) {
  switch (type) {
    case Type::boolean:
      return toml("true") + " or " + toml("false");
    case Type::integer:
      return "a whole number such as 16";
    case Type::real:
      return "a number such as 0.5";
    case Type::string:
      return "a text" + term(Term::in_double_quotes) + " such as \"north\"";
    case Type::date:
      return "a date" + term(Term::without_quotes) + " such as " + toml("2026-01-31");
  }
  return {};
}

std::optional<Value> value_of(const TomlNode& node, Type type) {
  switch (type) {
    case Type::boolean:
      return content_of<bool>(node);
    case Type::integer:
      return content_of<std::int64_t>(node);
    case Type::string:
      return content_of<std::string>(node);
    case Type::date:
      return content_of<Day>(node);
    case Type::real:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Value> value_of_key(std::string_view key, Type type) {
  switch (type) {
    case Type::boolean:
      if (key != "true" && key != "false") return std::nullopt;
      return key == "true";
    case Type::integer:
      return integer_of(key);
    case Type::string:
      return std::string(key);
    case Type::date:
      if (const auto day = read_day(key)) return *day;
      return std::nullopt;
    case Type::real:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace vernier::query
