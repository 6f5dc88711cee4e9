#pragma once

#include <string>

#include "vernier/query/dialect/dialect.hpp"

// Texts as SQL: what stands in a column, put together, and read as values of other types.
namespace vernier::query {

// No text in an expression has more bytes: a longer one in a column is NULL, and so is what is put together of two. All
// memory that the texts of a row can take is then known before a row is read.
inline constexpr std::size_t longest_text = 65'536;

// A column of texts, compared by its bytes. NULL where it has more than longest_text of them, or is no UTF-8.
std::string text_column(const std::string& name, const Dialect& in);

// All of them, one behind the other, with their length looked at before there is such a text; NULL where it is too
// long.
std::string put_together(const std::vector<std::string>& texts, const Dialect& in);

// The microseconds from 1970-01-01 00:00:00 on of a time such as 2020-02-29 23:59:59.5 (moment.hpp); else NULL.
std::string instant_of_text(const std::string& text, const Dialect& in);

// A text in the type, NULL where it has no value there. What written_value.hpp says of cells holds for it.
std::string text_as(Type type, const std::string& text, const Dialect& in);

}  // namespace vernier::query
