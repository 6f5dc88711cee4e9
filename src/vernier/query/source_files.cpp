#include "vernier/query/source_files.hpp"

#include <algorithm>
#include <system_error>

#include <glob.h>

#include "vernier/core/names.hpp"
#include "vernier/query/problem.hpp"

namespace vernier::query {
namespace {

namespace fs = std::filesystem;

constexpr char between_parts = '\n';

// As glob(3) takes a text for itself.
std::string escaped(const std::string& text, std::string_view characters) {
  std::string made;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) made += '\\';
    made += c;
  }
  return made;
}

// Of a pattern, the folder of the catalog being no part of it.
std::string glob_of(const fs::path& catalog, const fs::path& pattern) {
  const std::string folder = pattern.is_absolute() ? "" : escaped(catalog.parent_path().string(), "*?[\\");
  return (folder.empty() ? "" : folder + "/") + escaped(pattern.string(), "[\\");
}

std::vector<fs::path> matching(const fs::path& catalog, const fs::path& pattern) {
  ::glob_t found = {};
  std::vector<fs::path> files;
  if (::glob(glob_of(catalog, pattern).c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(files.begin(), files.end(),
            [](const fs::path& one, const fs::path& other) { return one.native() < other.native(); });
  return files;
}

Failure finds_nothing(const fs::path& pattern) {
  return fail(ErrorKind::system, "no file has a name such as '" + pattern.string() + "'",
              "put files there, or correct `source` in the catalog");
}

Failure are_too_many(const fs::path& source) {
  return invalid("'" + source.string() + "' names more than " + std::to_string(most_files) + " files",
                 "put some of them together, as one Parquet file may hold all");
}

}  // namespace

std::string unpacked_name(const std::string& path) {
  const std::string folded = fold_case(path);
  for (const std::string_view ending : compressed_endings) {
    if (folded.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

bool is_compressed(const std::string& path) { return unpacked_name(path).size() < path.size(); }

bool is_json_lines(const fs::path& source) {
  const std::string name = fold_case(unpacked_name(source.string()));
  return name.ends_with(".jsonl") || name.ends_with(".ndjson");
}

std::string_view format_of(const Source& source) {
  return source.kind == SourceKind::csv && is_json_lines(source.path) ? "json" : name_of(source.kind);
}

std::vector<fs::path> parts_of(const fs::path& source) {
  std::vector<fs::path> parts;
  const std::string text = source.string();
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(between_parts, begin);
    parts.emplace_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return parts;
}

fs::path joined_parts(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : std::string(1, between_parts)).append(part);
  return text;
}

bool is_pattern(std::string_view part) { return part.find_first_of("*?") != std::string_view::npos; }

Result<std::vector<fs::path>> files_of(const fs::path& catalog, const fs::path& source) {
  std::vector<fs::path> files;
  for (const fs::path& part : parts_of(source)) {
    if (!is_pattern(part.native())) {
      files.push_back(beside(catalog, part));
      continue;
    }
    const std::vector<fs::path> found = matching(catalog, part);
    if (found.empty()) return finds_nothing(part);
    files.insert(files.end(), found.begin(), found.end());
  }
  if (files.size() > most_files) return are_too_many(parts_of(source).front());
  return files;
}

std::string real_places(const fs::path& catalog, const fs::path& source) {
  std::string text;
  for (const fs::path& part : parts_of(source)) {
    std::error_code error;
    const fs::path path = beside(catalog, part);
    const fs::path real = fs::weakly_canonical(path, error);
    text.append(text.empty() ? "" : ", ").append((error ? path : real).string());
  }
  return text;
}

}  // namespace vernier::query
