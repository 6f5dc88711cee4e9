#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::query {

// Where something stands in a file; both are counted from 1, the column in characters.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// What is wrong there: what was found, which rule it breaks, what to write instead.
struct Problem {
  Place place;
  std::string sentence;
};

// "catalog.toml:3:5: " and the sentence.
std::string located(const std::filesystem::path& file, const Problem& problem);

// What a file says, or everything that is wrong with it, in the order of the file; never both.
template <class Content>
struct Reading {
  std::optional<Content> content;
  std::vector<Problem> problems;
};

template <class Content>
Reading<Content> settled(Content content, std::vector<Problem> problems) {
  if (problems.empty()) return {std::move(content), {}};
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  return {std::nullopt, std::move(problems)};
}

// The first problem as the one sentence of an error, which tells how many more there are.
Error first_of(const std::filesystem::path& file, const std::vector<Problem>& problems);

// The text of a catalog or a study; at most this many bytes, so that a wrong file is noticed before it is read.
inline constexpr std::size_t most_file_bytes = std::size_t{1} << 22;
Result<std::string> read_text_file(const std::filesystem::path& path);

// What a file names is found from the folder in which the file lies.
std::filesystem::path beside(const std::filesystem::path& file, const std::filesystem::path& named);

}  // namespace vernier::query
