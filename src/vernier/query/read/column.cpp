#include "vernier/query/read/column.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/read/table.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

constexpr double greatest_steps = 0x1p53;
constexpr int greatest_exponent = 100;
constexpr int usual_fineness = 20;  // the larger bound is between 2^19 and 2^20 steps of the grid unless told otherwise

Rational exactly(double value) { return Rational::of(value).value(); }

Rational size_of(const Rational& value) { return value < Rational::of(0) ? -value : value; }

// lower and upper as they were written.
struct Ends {
  const TomlNode* lower;
  const TomlNode* upper;
};

bool has_order(Type type) { return type == Type::integer || type == Type::real || type == Type::date; }

// Both ends, or none; one alone, or of a type that has no order, is a problem.
std::optional<Ends> find_ends(TableReader& reader, Type type) {
  const TomlNode* const lower = reader.find("lower");
  const TomlNode* const upper = reader.find("upper");
  if (lower == nullptr && upper == nullptr) return std::nullopt;
  const TomlNode& one = lower != nullptr ? *lower : *upper;
  if (!has_order(type)) {
    reader.refuse(one.place, reader.name(), "is of type " + std::string(name_of(type)) + ", which has no bounds",
                  "leave lower and upper out, or declare keys");
    return std::nullopt;
  }
  if (lower == nullptr || upper == nullptr) {
    reader.refuse(one.place, reader.name(),
                  lower != nullptr ? "has a lower bound but no upper one" : "has an upper bound but no lower one",
                  "write both, or none");
    return std::nullopt;
  }
  return Ends{lower, upper};
}

void refuse_kind(TableReader& reader, const char* key, Type type, const TomlNode& node) {
  reader.refuse(node.place, reader.subject(key), "must be " + example_of(type) + ", but it is " + described(node), {});
}

void refuse_order(TableReader& reader, const Ends& ends) {
  reader.refuse(
      ends.lower->place, reader.subject("lower"),
      "must be below upper, but lower is " + described(*ends.lower) + " and upper is " + described(*ends.upper),
      "put the smaller one first");
}

// Whether it was written in full, or in the 17 digits at most by which doubles are told here, in messages too.
bool is_meant_by(const Rational& written, double value) {
  if (exactly(value) == written) return true;
  const auto told = Rational::of_decimal(plain(value));
  return told && *told == written;
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5 && std::abs(exponent - 1) <= greatest_exponent;
}

// "0.0078125 or 0.015625"
std::string powers_around(double value) {
  const double size = value == 0 ? 1 : std::min(std::max(std::abs(value), 0x1p-100), 0x1p99);
  const int exponent = std::ilogb(size);
  return plain(std::ldexp(1, exponent)) + " or " + plain(std::ldexp(1, exponent + 1));
}

// As declared; none where it is not, or is wrong.
std::optional<double> read_granularity(TableReader& reader, Type type) {
  const TomlNode* const node = reader.find("granularity");
  if (node == nullptr) return std::nullopt;
  if (type != Type::real) {
    reader.refuse(node->place, reader.name(),
                  "is of type " + std::string(name_of(type)) + ", and only real columns have a granularity",
                  "leave it out");
    return std::nullopt;
  }
  const auto exact = reader.number("granularity");
  if (!exact) return std::nullopt;
  const double value = nearest(*exact);
  if (is_power_of_two(value) && is_meant_by(*exact, value)) return value;
  reader.refuse(node->place, reader.subject("granularity"),
                "must be a power of two between 2^-100 and 2^100, but it is " + described(*node),
                "write " + powers_around(value));
  return std::nullopt;
}

// The next point of the grid away from the other bound: what lies between the declared bounds lies between these.
double outward(const Rational& bound, double granularity, bool is_upper) {
  const double steps = std::ldexp(nearest(bound), -std::ilogb(granularity));
  double value = (is_upper ? std::ceil(steps) : std::floor(steps)) * granularity;
  if (is_upper && exactly(value) < bound) value += granularity;
  if (!is_upper && exactly(value) > bound) value -= granularity;
  return value;
}

// The bound as a point of the grid, at most 2^53 steps from 0, and so exactly a double. Where no granularity is
// declared the grid is ours, and a bound between its points is moved outward.
std::optional<Value> point(TableReader& reader, const char* key, const TomlNode& node, const Rational& bound,
                           double granularity, bool is_declared) {
  if (size_of(bound) > exactly(granularity) * exactly(greatest_steps)) {
    reader.refuse(
        node.place, reader.subject(key),
        "is " + described(node) + ", more than 2^53 steps of the granularity " + plain(granularity) + " from 0",
        "write a larger granularity, or narrower bounds");
    return std::nullopt;
  }
  const double value = nearest(bound), steps = std::ldexp(value, -std::ilogb(granularity));
  if (std::floor(steps) * granularity == value && is_meant_by(bound, value)) return value;
  if (!is_declared) return outward(bound, granularity, std::string_view(key) == "upper");
  reader.refuse(node.place, reader.subject(key),
                "is " + described(node) + ", which is no multiple of the granularity " + plain(granularity),
                "write " + plain(std::round(steps) * granularity) + ", or another granularity");
  return std::nullopt;
}

Grid read_real(TableReader& reader, const std::optional<Ends>& ends) {
  const std::optional<double> declared = read_granularity(reader, Type::real);
  if (!ends) return {std::nullopt, declared.value_or(granularity_without_bounds), declared.has_value()};
  const auto lower = reader.number("lower");
  const auto upper = reader.number("upper");
  if (!lower || !upper) return {};
  if (*lower >= *upper) {
    refuse_order(reader, *ends);
    return {};
  }
  const double granularity = declared.value_or(usual_granularity(*lower, *upper));
  const auto low = point(reader, "lower", *ends->lower, *lower, granularity, declared.has_value());
  const auto high = point(reader, "upper", *ends->upper, *upper, granularity, declared.has_value());
  if (!low || !high) return {};
  return {Range{*low, *high}, granularity, declared.has_value()};
}

// Integers and days are steps themselves.
std::optional<Value> step(TableReader& reader, const char* key, Type type, const TomlNode& node) {
  const std::optional<Value> value = value_of(node, type);
  if (!value) refuse_kind(reader, key, type, node);
  if (!value || type == Type::date) return value;
  const std::int64_t whole = std::get<std::int64_t>(*value);
  if (whole <= std::int64_t{1} << 53 && whole >= -(std::int64_t{1} << 53)) return value;
  reader.refuse(node.place, reader.subject(key),
                "must be at most 2^53 (9007199254740992) from 0, but it is " + described(node),
                "write narrower bounds");
  return std::nullopt;
}

std::optional<Range> read_steps(TableReader& reader, Type type, const Ends& ends) {
  const auto lower = step(reader, "lower", type, *ends.lower);
  const auto upper = step(reader, "upper", type, *ends.upper);
  if (!lower || !upper) return std::nullopt;
  if (*lower < *upper) return Range{*lower, *upper};
  refuse_order(reader, ends);
  return std::nullopt;
}

}  // namespace

// The step with which the larger bound has its usual number of steps; of bounds that are both 0 any will do.
double usual_granularity(const Rational& lower, const Rational& upper) {
  const double size = std::max(size_of(lower), size_of(upper)).round_up();
  const int exponent = size > 0 ? std::ilogb(size) + 1 - usual_fineness : -usual_fineness;
  return std::ldexp(1, std::max(-greatest_exponent, std::min(greatest_exponent, exponent)));
}

Grid read_grid(TableReader& reader, Type type) {
  const std::optional<Ends> ends = find_ends(reader, type);
  if (type == Type::real) return read_real(reader, ends);
  read_granularity(reader, type);
  if (!ends) return {};
  return {read_steps(reader, type, *ends), 1};
}

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
      reader.refuse(node.place, described(node) + " is a key of " + reader.name() + " already", "write it once");
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
  reader.refuse(node.place, reader.name(), std::string("is of type real, which has no ") + key,
                "leave them out and group it with BUCKET(x, width), or declare another type");
  return true;
}

}  // namespace

std::vector<Value> read_keys(TableReader& reader, Type type, const std::optional<Range>& range) {
  const TomlNode* const node = reader.find("keys");
  if (node == nullptr || are_refused_for_reals(reader, type, "keys", *node)) return {};
  const auto* const list = std::get_if<TomlArray>(&node->content);
  if (list != nullptr && !list->empty()) return read_list(reader, *list, type, range);
  reader.refuse(node->place, reader.subject("keys"),
                "must be a list with a key in it, but it is " + (list != nullptr ? "empty" : described(*node)) +
                    "; leave it out where keys are private",
                {});
  return {};
}

namespace {

// The key under which rows count whose value is empty or none of the keys.
std::optional<Value> read_rest(TableReader& reader, const Column& column) {
  const TomlNode* const node = reader.find("rest");
  if (node == nullptr) return std::nullopt;
  if (column.keys.empty()) {
    reader.refuse(node->place, reader.subject("rest"),
                  "is the key of rows that have none of the declared keys, and none is declared",
                  "declare keys, or leave rest out");
    return std::nullopt;
  }
  const std::optional<Value> rest = read_key(reader, *node, column.type, {});
  if (!rest || std::find(column.keys.begin(), column.keys.end(), *rest) == column.keys.end()) return rest;
  reader.refuse(node->place, reader.subject("rest"), "is " + described(*node) + ", which is one of the keys",
                "choose a value that stands for none of them");
  return std::nullopt;
}

}  // namespace

std::map<Value, std::string> read_labels(TableReader& reader, const Column& column) {
  const TomlTable* const table = reader.table("labels", toml("{ 1 = \"No schooling completed\" }"));
  if (table == nullptr || are_refused_for_reals(reader, column.type, "labels", *reader.find("labels"))) return {};
  Column labelled = column;
  std::set<Value> keys(column.keys.begin(), column.keys.end());
  if (column.rest) keys.insert(*column.rest);
  for (const TomlEntry& entry : *table) read_label(reader, entry, keys, labelled);
  return labelled.labels;
}

namespace {

std::optional<Type> read_type(TableReader& reader) {
  if (reader.require("type", toml("type = \"integer\"") + " (or \"real\", \"string\", \"boolean\", \"date\")") ==
      nullptr) {
    return std::nullopt;
  }
  const auto name = reader.word("type", type_names());
  return name ? type_named(*name) : std::nullopt;
}

// Without a type nothing else can be checked, but the keys are known.
void skip(TableReader& reader) {
  for (const char* const key : {"lower", "upper", "granularity", "keys", "rest", "labels", "never_null", "missing"})
    reader.find(key);
  for (const char* const key : text_format_keys) reader.find(key);
}

}  // namespace

Column read_column(const TomlEntry& entry, const SourceFormat& source, std::vector<Problem>& problems) {
  Column column{.name = entry.key, .range = {}, .keys = {}, .labels = {}, .place = entry.place};
  const std::string subject = "the column " + in_quotes(entry.key);
  if (const auto fault = fault_of_name(entry.key)) {
    problems.push_back(
        {entry.place, "a column cannot have this name, since " + *fault + "; rename it in the file and here"});
  }
  const auto* const table = std::get_if<TomlTable>(&entry.node.content);
  if (table == nullptr) {
    problems.push_back({entry.node.place, subject + " must be " + term(Term::a_table) + " such as " +
                                              toml("{ type = \"integer\" }") + ", but it is " + described(entry.node)});
    return column;
  }
  TableReader reader(*table, entry.place, subject, problems);
  if (const std::optional<Type> type = read_type(reader)) {
    column.type = *type;
    const Grid grid = read_grid(reader, *type);
    column.range = grid.range;
    column.granularity = grid.granularity;
    column.has_granularity = grid.has_granularity;
    column.keys = read_keys(reader, *type, column.range);
    column.rest = read_rest(reader, column);
    column.labels = read_labels(reader, column);
    column.never_null = read_never_null(reader, column);
    if (source.kind != SourceKind::csv) refuse_text_formats(reader, source.kind);
    column.format = read_format_of_column(reader, *type, source.cells);
  } else {
    skip(reader);
  }
  reader.finish();
  return column;
}

}  // namespace vernier::query
