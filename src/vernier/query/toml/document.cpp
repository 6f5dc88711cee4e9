#include "vernier/query/toml/document.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include <pthread.h>
#include <toml++/toml.h>

#include "vernier/core/files_say.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::query {
namespace {

constexpr std::size_t usual_stack = std::size_t{1} << 23;
constexpr std::size_t bytes_per_level = 1024;

void* run(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

bool on_deep_stack(std::size_t depth, const std::function<void()>& work) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread;
  const bool started = pthread_attr_setstacksize(&attributes, usual_stack + depth * bytes_per_level) == 0 &&
                       pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)) == 0;
  pthread_attr_destroy(&attributes);
  return started && pthread_join(thread, nullptr) == 0;
}

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The text behind so many characters of UTF-8.
std::string_view without_characters(std::string_view text, std::size_t count) {
  std::size_t i = 0;
  for (; count > 0 && i < text.size(); --count) {
    for (++i; i < text.size() && continues_character(text[i]);) ++i;
  }
  return text.substr(i);
}

bool is_beside(const std::string& decimal, double value) {
  const Result<numeric::Rational> exact = numeric::Rational::of_decimal(decimal);
  return exact && exact->round_down() <= value && value <= exact->round_up();
}

}  // namespace

TomlNumbers::TomlNumbers(std::string_view text) : text_(text), lines_{0} {
  if (text_.starts_with(byte_order_mark)) lines_.front() = byte_order_mark.size();
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
}

std::string_view TomlNumbers::token(Place place) const {
  if (place.line < 1 || place.line > lines_.size() || place.column < 1) return {};
  const std::string_view line = text_.substr(lines_[place.line - 1]);
  const std::string_view rest = without_characters(line.substr(0, line.find('\n')), place.column - 1);
  return rest.substr(0, rest.find_first_not_of("0123456789+-._eEinfa"));
}

std::optional<std::string> TomlNumbers::written(Place place, double value) const {
  std::string number(token(place));
  std::erase(number, '_');
  if (std::isfinite(value)) return is_beside(number, value) ? std::optional(number) : std::nullopt;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

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
    problems_.push_back({place,
                         "tables and lists are nested more than " + std::to_string(greatest_toml_depth) + " deep here",
                         "no key of this file needs that, so write it flat"});
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
    problems_.push_back({place, "this is no day between 0001-01-01 and 9999-12-31", "write a date such as 2026-01-31"});
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
  std::string operator()(bool value) const { return toml(value ? "true" : "false"); }
  std::string operator()(std::int64_t value) const { return "the number " + std::to_string(value); }
  std::string operator()(const TomlReal& value) const { return "the number " + value.text; }
  std::string operator()(const std::string& value) const {
    return value.size() <= 60 ? "the text \"" + value + "\"" : "a text of " + std::to_string(value.size()) + " bytes";
  }
  std::string operator()(Day value) const { return "the date " + text_of(value); }
  std::string operator()(TomlTime) const { return "a time"; }
  std::string operator()(const TomlArray&) const { return "a list"; }
  std::string operator()(const TomlTable&) const { return term(Term::a_table); }
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
