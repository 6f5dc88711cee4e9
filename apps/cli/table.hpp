#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"

namespace vernier::cli {

enum class Align { left, right };

struct Heading {
  std::string text;
  Align align = Align::left;
};

// Columns two blanks apart below their headings, aligned by characters and not by bytes: "±" and "größe" have their own
// width. Nothing stands behind the last cell of a line.
void write_aligned(Output& output, const std::vector<Heading>& headings, const std::vector<Row>& rows);

// The number of characters of UTF-8.
std::size_t width_of(std::string_view text);

}  // namespace vernier::cli
