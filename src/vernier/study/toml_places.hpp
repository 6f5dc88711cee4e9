#pragma once

#include <cstddef>
#include <string_view>

#include "vernier/query/problem.hpp"

// Where in the text of a TOML file something stands that its tree has: for changes that leave the rest as it is.
namespace vernier::study {

// Of a line and a column, which counts characters.
std::size_t offset_of(std::string_view text, query::Place place);

std::size_t line_begin(std::string_view text, std::size_t at);
std::size_t line_end(std::string_view text, std::size_t at);  // behind its line break

// Behind the value that begins here, without the blanks and the comment behind it.
std::size_t end_of_value(std::string_view text, std::size_t at);

}  // namespace vernier::study
