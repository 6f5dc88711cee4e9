#include "vernier/query/toml_document.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <toml++/toml.h>

#include "vernier/query/deep_stack.hpp"
#include "vernier/query/toml_numbers.hpp"

namespace vernier::query {
namespace {

Place place_of(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

// Copies the tree of toml++, whose tables have lost their order; what cannot be copied becomes a problem.
class Copier {
 public:
  explicit Copier(std::string_view text) : numbers_(text) {}

  TomlTable table(const toml::table& table, int depth) {
    TomlTable entries;
    if (is_too_deep(depth, place_of(table.source()))) return entries;
    for (const auto& [key, node] : table) {
      entries.push_back({std::string(key.str()), place_of(key.source()), copy(node, depth + 1)});
    }
    std::sort(entries.begin(), entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
      return std::tie(a.place, a.key) < std::tie(b.place, b.key);
    });
    return entries;
  }

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  bool is_too_deep(int depth, Place place) {
    if (depth <= greatest_toml_depth) return false;
    problems_.push_back({place, "tables and lists are nested more than " + std::to_string(greatest_toml_depth) +
                                    " deep here; no key of this file needs that, so write it flat"});
    return true;
  }

  TomlArray array(const toml::array& array, int depth) {
    TomlArray nodes;
    if (is_too_deep(depth, place_of(array.source()))) return nodes;
    for (const toml::node& node : array) nodes.push_back(copy(node, depth + 1));
    return nodes;
  }

  TomlReal real(Place place, double value) {
    if (auto text = numbers_.written(place, value)) return {*std::move(text)};
    problems_.push_back(
        {place, "this number could not be read to its last digit; write it as a plain decimal such as 0.5"});
    return {};
  }

  Day day(Place place, const toml::date& date) {
    if (const auto found = Day::of(date.year, date.month, date.day)) return *found;
    problems_.push_back({place, "this is no day between 0001-01-01 and 9999-12-31; write a date such as 2026-01-31"});
    return {};
  }

  TomlNode copy(const toml::node& node, int depth) {
    const Place place = place_of(node.source());
    switch (node.type()) {
      case toml::node_type::boolean:
        return {place, node.as_boolean()->get()};
      case toml::node_type::integer:
        return {place, node.as_integer()->get()};
      case toml::node_type::floating_point:
        return {place, real(place, node.as_floating_point()->get())};
      case toml::node_type::string:
        return {place, node.as_string()->get()};
      case toml::node_type::date:
        return {place, day(place, node.as_date()->get())};
      case toml::node_type::array:
        return {place, array(*node.as_array(), depth)};
      case toml::node_type::table:
        return {place, table(*node.as_table(), depth)};
      default:
        return {place, TomlTime{}};
    }
  }

  TomlNumbers numbers_;
  std::vector<Problem> problems_;
};

// toml++ begins with a capital, since it means a message of its own.
std::string lowered(std::string_view sentence) {
  std::string text(sentence);
  if (!text.empty()) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

tl::expected<TomlTable, Problem> parse_here(std::string_view text) {
  try {
    const toml::table tree = toml::parse(text);
    Copier copier(text);
    TomlTable table = copier.table(tree, 1);
    if (!copier.problems().empty()) return tl::unexpected(copier.problems().front());
    return table;
  } catch (const toml::parse_error& error) {
    return tl::unexpected(Problem{place_of(error.source()), "this is no TOML: " + lowered(error.description()) +
                                                                "; write KEY = VALUE, with text in double quotes"});
  } catch (const std::exception&) {
    return tl::unexpected(Problem{{}, "this file could not be read as TOML; look whether it is a text file"});
  }
}

struct Describe {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return "the number " + std::to_string(value); }
  std::string operator()(const TomlReal& value) const { return "the number " + value.text; }
  std::string operator()(const std::string& value) const {
    return value.size() <= 60 ? "the text \"" + value + "\"" : "a text of " + std::to_string(value.size()) + " bytes";
  }
  std::string operator()(Day value) const { return "the date " + text_of(value); }
  std::string operator()(TomlTime) const { return "a time"; }
  std::string operator()(const TomlArray&) const { return "a list"; }
  std::string operator()(const TomlTable&) const { return "a table"; }
};

}  // namespace

tl::expected<TomlTable, Problem> parse_toml(std::string_view text) {
  // toml++ makes one table within another for each dot of a key and takes them down again in a recursion.
  const auto dots = static_cast<std::size_t>(std::count(text.begin(), text.end(), '.'));
  tl::expected<TomlTable, Problem> found = tl::unexpected(Problem{{}, "there was no memory to read this file"});
  on_deep_stack(dots, [&] { found = parse_here(text); });
  return found;
}

std::string described(const TomlNode& node) { return std::visit(Describe(), node.content); }

}  // namespace vernier::query
