#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/query/toml/document.hpp"
#include "vernier/query/toml/reader.hpp"

// What a study's [[regression]] and [[components]] have in common: parts of SQL from which a SELECT is made.
namespace vernier::query {

// An expression and what its column is called: that behind AS, else its own text.
struct Part {
  std::string sql;
  std::string name;
};
Part part_of(const std::string& written);  // "age * 2 AS twice" is age * 2, called twice

// "the regression 'name'", of an entry of this kind.
std::string subject_of(const TomlTable& table, std::string_view kind);
std::string read_name(TableReader& reader, std::string_view kind, std::string_view example);

// A part of SQL: one that may be left out, one that has to be there, and a list of so many.
std::optional<std::string> read_part(TableReader& reader, std::string_view key, std::string_view example);
std::string needed_part(TableReader& reader, std::string_view key, std::string_view example);
struct HowMany {
  std::size_t least, most;
};
std::vector<Part> needed_parts(TableReader& reader, std::string_view key, const HowMany& how_many);
std::vector<Part> read_groups(TableReader& reader);

// The SELECT of these columns, by groups.
std::string select_of(const std::vector<Part>& groups, const std::string& columns, const std::string& from,
                      const std::optional<std::string>& where);

}  // namespace vernier::query
