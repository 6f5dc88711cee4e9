#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {

// Runs the work in a thread with stack enough for a recursion of toml++ that goes `depth` levels beyond its own limit;
// false, and nothing was run, where there is no memory for it. The work must not throw. A level was measured to take
// less than 320 bytes (100,000 levels in 32 MB); 1 KiB is reserved, and memory that is not touched is not taken.
bool on_deep_stack(std::size_t depth, const std::function<void()>& work);

// Finds numbers in the text of a TOML file, since a parser that has made doubles of them has lost what was written.
class TomlNumbers {
 public:
  explicit TomlNumbers(std::string_view text);

  // The number that begins at this place, without underscores; none unless it is `value`, or for a decimal that is no
  // double, a double beside it. So a wrong place cannot pass.
  std::optional<std::string> written(Place place, double value) const;

 private:
  std::string_view token(Place place) const;
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where each begins
};

// A TOML file as a tree that forgets nothing a strict reader needs: where each thing stands, the order of the keys,
// and numbers as they were written. toml++ does the reading; nothing else includes it.
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
