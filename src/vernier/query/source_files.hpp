#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"

// What the source of a table says by its name: which files it has, whether they are compressed, and how rows are
// written in them.
namespace vernier::query {

// Files of text may be compressed, which the end of their name says, in any case; engine/csv/unpacker.hpp undoes it.
inline constexpr std::array<std::string_view, 2> compressed_endings = {".gz", ".zst"};

// The path without such an end.
std::string unpacked_name(const std::string& path);
bool is_compressed(const std::string& path);

// Whether each line is an object of JSON, by .jsonl or .ndjson. Such a source is of the kind csv otherwise: rows are
// lines, and cells are texts that are read as the declared types.
bool is_json_lines(const std::filesystem::path& source);

// "csv", "json", "parquet", ...
std::string_view format_of(const Source& source);

// A table may lie in several files. Its path then has several parts, one behind the other with a line feed between
// them, which no name in a catalog has. A part is the name of a file or a pattern, in which * stands for any characters
// of one name and ? for one.
std::vector<std::filesystem::path> parts_of(const std::filesystem::path& source);
std::filesystem::path joined_parts(const std::vector<std::string>& parts);
bool is_pattern(std::string_view part);

// The files of a source as they are now, found from the folder of the catalog on: those of a pattern in the order of
// the bytes of their names. At least one; what is no pattern may be a file that is not there.
inline constexpr std::size_t most_files = 400;
Result<std::vector<std::filesystem::path>> files_of(const std::filesystem::path& catalog,
                                                    const std::filesystem::path& source);

// Where the parts of a source lie behind links, patterns as they are written, with ", " between them.
std::string real_places(const std::filesystem::path& catalog, const std::filesystem::path& source);

}  // namespace vernier::query
