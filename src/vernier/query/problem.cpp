#include "vernier/query/problem.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "vernier/core/names.hpp"
#include "vernier/query/source_files.hpp"

namespace vernier::query {
namespace {

Failure unreadable(const std::filesystem::path& path, const std::string& reason, const std::string& advice = {}) {
  return fail(ErrorKind::system, "the file '" + path.string() + "' cannot be read: " + reason, advice);
}

// By its name behind all links.
bool is_data(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 5> endings = {".csv", ".tsv", ".parquet", ".jsonl", ".ndjson"};
  std::error_code unknown;
  const std::filesystem::path real = std::filesystem::canonical(path, unknown);
  const std::string name = fold_case(unpacked_name((unknown ? path : real).string()));
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view one) { return name.ends_with(one); });
}

}  // namespace

Error located(const std::filesystem::path& file, const Problem& problem) {
  return at({file.string(), problem.place}, problem.error);
}

Error problems_in(const std::filesystem::path& file, const std::vector<Problem>& problems) {
  std::vector<Error> errors;
  for (const Problem& problem : problems) errors.push_back(located(file, problem));
  return together(std::move(errors));
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return unreadable(path, "it is a folder; name the file in it");
  // What is wrong with it as a study would tell how its rows are written, to somebody who may not read it.
  if (is_data(path)) return unreadable(path, "it is a file of data", "name a catalog or a study");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return unreadable(path, errno != 0 ? std::strerror(errno) : "it could not be opened",
                      "look whether its name is right");
  std::string text(most_file_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return unreadable(path, "reading stopped half-way; look at its disk");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most_file_bytes) return unreadable(path, "it is larger than 4 MiB; name a catalog or a study");
  return text;
}

std::filesystem::path beside(const std::filesystem::path& file, const std::filesystem::path& named) {
  return file.parent_path() / named;
}

}  // namespace vernier::query
