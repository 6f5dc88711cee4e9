#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What sentences say to those who write a file of ours, in parts that an edge can say otherwise: a program that built
// its catalog without a file is told in its own language. Each stands in a sentence like a parameter (error.hpp), and
// is spelled by its name below and its value.
namespace vernier {

// A piece of TOML: `toml`, and source = "people.csv", { type = "integer" }, true or 2026-01-31.
inline constexpr std::string_view name_of_toml = "toml";
std::string toml(std::string_view piece);

// Words that only files need: `term`, and its number.
enum class Term : std::uint8_t {
  key,                // key
  keys,               // keys
  a_table,            // a table
  in_double_quotes,   // " in double quotes"
  without_quotes,     // " without quotes"
  the_one,            // the one
  budget,             // [budget]
  engine,             // [engine]
  shares,             // [budget.shares]
  share,              // an example of one
  share_list,         // an example of all of them
  tables,             // [tables.people]
  views,              // [views.adults]
  statistic,          // [[statistic]]
  statistics,         // an example of a list of them
  table_sets,         // the same of [[table]]
  series,             // the same of [[series]]
  budget_or_accuracy  // what to write where neither is stated
};
inline constexpr std::size_t term_count = static_cast<std::size_t>(Term::budget_or_accuracy) + 1;
inline constexpr std::string_view name_of_term = "term";
std::string term(Term which);

// " in line 3": `line`, and its number.
inline constexpr std::string_view name_of_line = "line";
std::string in_line(std::uint32_t line);

// How files say it; none where `name` is a parameter.
std::optional<std::string> said_in_files(std::string_view name, std::string_view value);

// The number of a term in what stands behind its name.
std::size_t number_of_term(std::string_view value);

}  // namespace vernier
