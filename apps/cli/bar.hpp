#pragma once

#include <cstdint>
#include <string>

namespace vernier::cli {

// A part of a whole, in thousandths, as so many cells: "████░░░░░░". What is not nothing shows, and so does what is not
// all.
std::string bar(std::int64_t thousandths, int cells);

}  // namespace vernier::cli
