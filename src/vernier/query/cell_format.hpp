#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/query/value.hpp"

// How the cells of a column are written in its file, where that is not the usual way. It is declared, never guessed:
// docs/guide/files.md.
namespace vernier::query {

struct CellFormat {
  char decimal_mark = '.';                      // of reals and integers; or a comma
  std::string thousands = {};                   // what may stand between groups of three digits; empty: nothing may
  std::string date_format = {};                 // such as %d.%m.%Y; empty: 2026-01-31
  std::vector<std::string> true_words = {};     // in any case; none: true and 1
  std::vector<std::string> false_words = {};    // likewise; none: false and 0
  std::vector<std::string> missing_texts = {};  // cells of CSV with this text are NULL
  std::vector<Value> missing_values = {};       // so are these values, of the column's type, in every kind of source
  bool trim = false;                            // of texts: blanks around them do not count

  bool is_usual() const;  // but for missing values, which are found after a cell was read
  friend bool operator==(const CellFormat&, const CellFormat&) = default;
};

// A day as the format writes it; none for anything else. %Y, %m and %d, in any order, with %b (Jan), %y (69 to 68 are
// 1969 to 2068) and a time of day (%H %M %S %f), which is read and left out; every other byte stands for itself. Days
// and months may have one digit.
std::optional<Day> read_day(std::string_view text, std::string_view format);

// Why this is no such format, behind "must have ..."; none where it is one.
std::optional<std::string> fault_of_date_format(std::string_view format);

}  // namespace vernier::query
