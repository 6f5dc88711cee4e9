#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/query/problem.hpp"

namespace vernier::query {

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

}  // namespace vernier::query
