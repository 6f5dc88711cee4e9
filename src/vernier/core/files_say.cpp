#include "vernier/core/files_say.hpp"

#include <array>
#include <charconv>

#include "vernier/core/error.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, term_count> words = {
    "key",
    "keys",
    "a table",
    " in double quotes",
    " without quotes",
    "the one",
    "[budget]",
    "[engine]",
    "[budget.shares]",
    "anna = 0.5",
    "[budget.shares] and below it anna = 0.5",
    "a table such as [tables.people]",
    "a table such as [views.adults]",
    "a table that begins with [[statistic]]",
    "[[statistic]] and below it name = \"people\" and sql = \"SELECT COUNT(*) AS people FROM people\"",
    "[[table]] and below it name = \"people\", from = \"people\", columns = [\"sex\"] and up_to = 1",
    "[[series]] and below it name = \"cases\"",
    "write budget = { epsilon = 1.0, delta = 1e-7 } at the head of the study, or an accuracy here",
};

}  // namespace

std::string toml(std::string_view piece) { return parameter(name_of_toml, piece); }

std::string term(Term which) { return parameter(name_of_term, std::to_string(static_cast<int>(which))); }

std::string in_line(std::uint32_t line) { return parameter(name_of_line, std::to_string(line)); }

std::size_t number_of_term(std::string_view value) {
  std::size_t number = term_count;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

std::optional<std::string> said_in_files(std::string_view name, std::string_view value) {
  if (name == name_of_toml) return std::string(value);
  if (name == name_of_line) return " in line " + std::string(value);
  if (name != name_of_term) return std::nullopt;
  const std::size_t number = number_of_term(value);
  return std::string(number < words.size() ? words[number] : "");
}

}  // namespace vernier
