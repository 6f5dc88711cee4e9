#include "vernier/query/read_keys.hpp"

#include <algorithm>
#include <set>

#include "vernier/core/names.hpp"
#include "vernier/query/read_value.hpp"

namespace vernier::query {
namespace {

bool lies_in(const std::optional<Range>& range, const Value& value) {
  return !range || (range->lower <= value && value <= range->upper);
}

std::string bounds_text(const Range& range) { return text_of(range.lower) + " to " + text_of(range.upper); }

// A key that can be one, whatever the others are.
std::optional<Value> read_key(TableReader& reader, const TomlNode& node, Type type, const std::optional<Range>& range) {
  const std::optional<Value> key = value_of(node, type);
  const auto refuse = [&](const std::string& rule) {
    reader.refuse(node.place, "a key of " + reader.name() + " must be " + rule);
    return std::nullopt;
  };
  if (!key) return refuse(example_of(type) + ", but it is " + described(node));
  if (const auto* const text = std::get_if<std::string>(&*key)) {
    if (const auto fault = fault_of_text(*text))
      return refuse("a text that can be seen, but " + *fault + "; take it out");
  }
  if (lies_in(range, *key)) return key;
  return refuse("within its bounds, " + bounds_text(*range) + ", but it is " + described(node));
}

std::vector<Value> read_list(TableReader& reader, const TomlArray& list, Type type, const std::optional<Range>& range) {
  std::vector<Value> keys;
  std::set<Value> seen;
  for (const TomlNode& node : list) {
    const std::optional<Value> key = read_key(reader, node, type, range);
    if (!key) continue;
    if (seen.insert(*key).second) {
      keys.push_back(*key);
    } else {
      reader.refuse(node.place, described(node) + " is a key of " + reader.name() + " already; write it once");
    }
  }
  return keys;
}

// Why this value has no label; empty where it may have one.
std::string fault_of_label(const Column& column, const std::set<Value>& keys, const Value& value) {
  if (!keys.empty()) return keys.contains(value) ? "" : "is not among its keys; add it to keys, or take the label out";
  if (lies_in(column.range, value)) return "";
  return "lies outside its bounds, " + bounds_text(*column.range) + "; take the label out";
}

void read_label(TableReader& reader, const TomlEntry& entry, const std::set<Value>& keys, Column& column) {
  const std::optional<Value> value = value_of_key(entry.key, column.type);
  const std::string subject = "the label of " + in_quotes(entry.key) + " of " + reader.name();
  if (!value) {
    return reader.refuse(entry.place, subject + " must be for " + example_of(column.type));
  }
  if (const std::string fault = fault_of_label(column, keys, *value); !fault.empty()) {
    return reader.refuse(entry.place, subject + " is for a value that " + fault);
  }
  const auto* const label = std::get_if<std::string>(&entry.node.content);
  if (label == nullptr)
    return reader.refuse(entry.node.place,
                         subject + " must be " + example_of(Type::string) + ", but it is " + described(entry.node));
  if (const auto fault = fault_of_text(*label))
    return reader.refuse(entry.node.place, subject + " must be a text that can be seen, but " + *fault);
  column.labels.emplace(*value, *label);
}

bool are_refused_for_reals(TableReader& reader, Type type, const char* key, const TomlNode& node) {
  if (type != Type::real) return false;
  reader.refuse(node.place, reader.name() + " is of type real, which has no " + key +
                                "; leave them out and group it with BUCKET(x, width), or declare another type");
  return true;
}

}  // namespace

std::vector<Value> read_keys(TableReader& reader, Type type, const std::optional<Range>& range) {
  const TomlNode* const node = reader.find("keys");
  if (node == nullptr || are_refused_for_reals(reader, type, "keys", *node)) return {};
  const auto* const list = std::get_if<TomlArray>(&node->content);
  if (list != nullptr && !list->empty()) return read_list(reader, *list, type, range);
  reader.refuse(node->place, reader.subject("keys") + " must be a list with a key in it, but it is " +
                                 (list != nullptr ? "empty" : described(*node)) +
                                 "; leave it out where keys are private");
  return {};
}

std::map<Value, std::string> read_labels(TableReader& reader, const Column& column) {
  const TomlTable* const table = reader.table("labels", "{ 1 = \"No schooling completed\" }");
  if (table == nullptr || are_refused_for_reals(reader, column.type, "labels", *reader.find("labels"))) return {};
  Column labelled = column;
  const std::set<Value> keys(column.keys.begin(), column.keys.end());
  for (const TomlEntry& entry : *table) read_label(reader, entry, keys, labelled);
  return labelled.labels;
}

}  // namespace vernier::query
