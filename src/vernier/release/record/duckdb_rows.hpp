#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::release {

// A column of texts, of which each row has the one at its place.
struct CodedColumn {
  std::string name;
  std::vector<std::string> texts;
};

// Rows of places, one for each column, as a file in the format Parquet. The same rows give the same bytes.
Result<std::string> rows_parquet(const std::vector<CodedColumn>& columns, std::span<const std::uint32_t> places);

}  // namespace vernier::release
