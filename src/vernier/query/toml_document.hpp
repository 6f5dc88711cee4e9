#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/value.hpp"

// A TOML file as a tree that forgets nothing a strict reader needs: where each thing stands, the order of the keys,
// and numbers as they were written. toml++ does the reading; nothing else includes it.
namespace vernier::query {

struct TomlNode;
struct TomlEntry;

using TomlArray = std::vector<TomlNode>;
using TomlTable = std::vector<TomlEntry>;  // in the order of the file; keys are distinct

// A number with a point or an exponent, as it was written, without underscores: 0.1, 1e-6; or inf, -inf, nan.
struct TomlReal {
  std::string text;
};

// What TOML has and no file of ours needs.
struct TomlTime {};

struct TomlNode {
  Place place;
  std::variant<bool, std::int64_t, TomlReal, std::string, Day, TomlTime, TomlArray, TomlTable> content;
};

struct TomlEntry {
  std::string key;
  Place place;  // of the key
  TomlNode node;
};

// Values may be nested this deep.
inline constexpr int greatest_toml_depth = 16;

// The table that the whole text is; the problem when it is no TOML.
tl::expected<TomlTable, Problem> parse_toml(std::string_view text);

// For sentences: the text "north", the number 12, a list, a table.
std::string described(const TomlNode& node);

}  // namespace vernier::query
