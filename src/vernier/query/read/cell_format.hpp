#pragma once

#include <array>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {

// decimal_mark, thousands, date_format, true_words, false_words, missing and trim. Those of a table hold for all of its
// columns that they fit; a column's own take their place one by one, and are refused where its type has no use for
// them.
struct DeclaredFormat {
  CellFormat texts;               // without missing values
  std::vector<TomlNode> missing;  // numbers and days among them, which only a type makes values of
};
DeclaredFormat read_format_of_table(TableReader& reader);
CellFormat read_format_of_column(TableReader& reader, Type type, const DeclaredFormat& of_table);

// Refuses what says how text is written, where the source has none.
void refuse_text_formats(TableReader& reader, SourceKind source);

inline constexpr std::array text_format_keys = {"decimal_mark", "thousands",   "date_format",
                                                "true_words",   "false_words", "trim"};

}  // namespace vernier::query
