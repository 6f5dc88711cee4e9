#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::query {

using vernier::Place;

// What is wrong at a place of a file, as an error that does not know the file.
struct Problem {
  Problem(Place at, Error what) : place(at), error(std::move(what)) {}
  Problem(Place at, std::string problem, std::string advice = {})
      : Problem(at, Error{ErrorKind::invalid, std::move(problem), {}, std::move(advice)}) {}
  Problem(Place at, std::string subject, std::string problem, std::string advice)
      : Problem(at, Error{ErrorKind::invalid, std::move(problem), std::move(subject), std::move(advice)}) {}

  std::string sentence() const { return error.sentence(); }

  Place place;
  Error error;
};

// The same as an error of the file: "catalog.toml:3:5: " and the sentence.
Error located(const std::filesystem::path& file, const Problem& problem);

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

// All problems of a file as one error; there is at least one.
Error problems_in(const std::filesystem::path& file, const std::vector<Problem>& problems);

// The text of a catalog or a study; at most this many bytes, so that a wrong file is noticed before it is read.
inline constexpr std::size_t most_file_bytes = std::size_t{1} << 22;
Result<std::string> read_text_file(const std::filesystem::path& path);

// What a file names is found from the folder in which the file lies.
std::filesystem::path beside(const std::filesystem::path& file, const std::filesystem::path& named);

}  // namespace vernier::query
