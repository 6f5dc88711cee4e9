#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

// The words of a statement as it was written, before any parser reads it.
namespace vernier::query {

enum class WordKind : unsigned char {
  word,    // letters and digits
  name,    // in double quotes or backticks
  quoted,  // in single quotes
  sign,    // any one other character
};

struct Word {
  std::size_t begin;
  std::size_t end;
  WordKind kind;

  std::string_view in(std::string_view sql) const { return sql.substr(begin, end - begin); }
};

// Without blanks and comments.
std::vector<Word> words_of(std::string_view sql);

// Whether the word at this place is this one, which is written in capitals; false where there is none.
bool is_word(std::string_view sql, const std::vector<Word>& words, std::size_t place, std::string_view word);

// Whether it is a number of digits alone.
bool is_digits(std::string_view word);

}  // namespace vernier::query
