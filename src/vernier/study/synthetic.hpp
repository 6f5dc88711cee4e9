#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vernier/release/record/duckdb_rows.hpp"
#include "vernier/study/release.hpp"
#include "vernier/table/file_distance.hpp"

// Rows made from released tables, and how far the rows of any file are from the protected ones.
namespace vernier::study {

// The tables of a [[table]] that was released, as its folder has them.
struct ReleasedTables {
  plan::BoundTables tables;
  plan::PlannedTables planned;
  table::Noisy contrasts;
};

// Of the folder of a release, which is verified first; `name` where it has several [[table]]s.
Result<ReleasedTables> released_tables(const std::filesystem::path& folder, const std::optional<std::string>& name);

inline constexpr std::int64_t most_made_rows = 10'000'000;

// Rows that are drawn from the tables alone: of the same release always the same.
struct MadeRows {
  std::vector<release::CodedColumn> columns;
  std::vector<std::uint32_t> places;  // of each row one for each column
};
MadeRows rows_from(const ReleasedTables& released, std::int64_t rows);
std::string rows_csv(const MadeRows& made);

// The rows of a CSV file whose first line names the columns, by the places of their keys. What is none of a column's
// keys is its rest, if it has one. Of a file that is public: sentences name lines and what stands there.
Result<table::CountedRows> keyed_rows(const plan::BoundTables& tables, std::string_view text, const std::string& file);

}  // namespace vernier::study
