#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier::cli {

// What is known of a data file before a steward has declared anything.
struct Skeleton {
  std::string table;
  std::string source;  // from the catalog's folder on
  char delimiter = ',';
  std::vector<std::string> columns;
};

// A catalog with every type, every bound, the unit and the budget left to fill in, and each choice explained.
std::string skeleton_text(const Skeleton& skeleton);

// Text and keys as TOML writes them: "a \"b\"", and bare where a key can be.
std::string toml_text(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace vernier::cli
