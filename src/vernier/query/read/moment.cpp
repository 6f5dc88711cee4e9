#include "vernier/query/read/moment.hpp"

#include <algorithm>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/expression/moment.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

const TomlNode* value_at(const TomlEntry& column, std::string_view key) {
  const auto* const table = std::get_if<TomlTable>(&column.node.content);
  if (table == nullptr) return nullptr;
  const auto found = std::find_if(table->begin(), table->end(), [&](const TomlEntry& one) { return one.key == key; });
  return found == table->end() ? nullptr : &found->node;
}

std::string type_of(const TomlEntry& column) {
  const TomlNode* const type = value_at(column, "type");
  const auto* const name = type == nullptr ? nullptr : std::get_if<std::string>(&type->content);
  return name == nullptr ? "" : *name;
}

// A day is its first moment; a time is written in quotes.
std::optional<std::int64_t> bound_of(const TomlNode& node) {
  if (const auto* const day = std::get_if<Day>(&node.content)) return day->number * ticks_of_day;
  const auto* const text = std::get_if<std::string>(&node.content);
  return text == nullptr ? std::nullopt : read_instant(*text);
}

struct Ends {
  std::int64_t lower;
  std::int64_t upper;
};

std::optional<Ends> read_ends(TableReader& reader) {
  const TomlNode *const lower = reader.find("lower"), *const upper = reader.find("upper");
  if (lower == nullptr && upper == nullptr) return std::nullopt;
  if (lower == nullptr || upper == nullptr) {
    reader.refuse((lower != nullptr ? lower : upper)->place, reader.name(), "has one bound alone",
                  "write lower and upper, or none");
    return std::nullopt;
  }
  for (const auto& [key, node] : {std::pair("lower", lower), {"upper", upper}}) {
    if (bound_of(*node)) continue;
    reader.refuse(
        node->place, reader.subject(key),
        "must be a day such as 2020-01-31 or a time such as \"2020-01-31 12:00:00\", but it is " + described(*node),
        {});
    return std::nullopt;
  }
  const Ends ends{*bound_of(*lower), *bound_of(*upper)};
  if (ends.lower < ends.upper) return ends;
  reader.refuse(lower->place, reader.subject("lower"), "must be before upper", "put the earlier one first");
  return std::nullopt;
}

// The zone is for readers: times are what the clocks there show, and none is moved to another zone.
void read_zone(TableReader& reader) {
  const auto zone = reader.text("zone", "Europe/Amsterdam");
  const TomlNode* const node = reader.find("zone");
  if (!zone || node == nullptr) return;
  const bool is_name = !zone->empty() && std::all_of(zone->begin(), zone->end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_' ||
           c == '+' || c == '-';
  });
  if (!is_name) {
    reader.refuse(node->place, reader.subject("zone"),
                  "must be the name of a time zone such as \"UTC\", but it is " + described(*node), {});
  }
}

bool is_ours(const TomlEntry& one) { return one.key == "lower" || one.key == "upper" || one.key == "zone"; }

}  // namespace

std::optional<NamedExpression> read_moment(const TomlEntry& column, std::vector<Problem>& problems) {
  const std::string type = type_of(column);
  if (type != "timestamp" && type != "time") return std::nullopt;
  const std::string name = quoted_identifier(column.key);
  NamedExpression made{column.key, "CAST(" + name + " AS TIMESTAMP)", {}, column.place, column.node.place};
  TomlTable own;
  const auto& all = std::get<TomlTable>(column.node.content);
  std::copy_if(all.begin(), all.end(), std::back_inserter(own), is_ours);
  TableReader reader(own, column.place, "the column " + in_quotes(column.key), problems);
  read_zone(reader);
  if (type == "time") {
    made.sql = "CLAMP(CAST('1970-01-01 ' || " + name + " AS TIMESTAMP), TIME '00:00:00', TIME '23:59:59.999999')";
  } else if (const std::optional<Ends> ends = read_ends(reader)) {
    made.sql = "CLAMP(" + made.sql + ", TIMESTAMP '" + text_of_instant(ends->lower) + "', TIMESTAMP '" +
               text_of_instant(ends->upper) + "')";
  }
  reader.finish();
  return made;
}

TomlEntry as_text_column(const TomlEntry& column) {
  TomlEntry made = column;
  auto& table = std::get<TomlTable>(made.node.content);
  std::erase_if(table, is_ours);
  for (TomlEntry& one : table) {
    if (one.key == "type") one.node.content = std::string("string");
  }
  return made;
}

}  // namespace vernier::query
