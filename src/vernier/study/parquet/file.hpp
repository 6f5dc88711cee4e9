#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A file in the format Parquet, one part of rows after the other.
namespace vernier::study {

enum class ParquetKind : std::uint8_t { whole = 2, real = 5, text = 6 };        // as the format numbers them
enum class ParquetWay : std::uint8_t { plain = 0, delta = 5, dictionary = 8 };  // how values are written

struct ParquetColumn {
  std::string name;
  ParquetKind kind;  // texts may be missing, numbers not
};

// The values of a column in one part of the rows, as columns.hpp writes them; texts behind whether they are there.
struct ParquetValues {
  std::string bytes;
  ParquetWay way;
  std::vector<std::string_view> dictionary = {};
};

class ParquetFile {
 public:
  explicit ParquetFile(std::vector<ParquetColumn> columns);

  // One for each column; at least one row.
  void add_rows(std::int64_t rows, const std::vector<ParquetValues>& columns);

  // The bytes; nothing can be added behind it.
  std::string finished() &&;

 private:
  struct Chunk {
    std::int64_t first, dictionary, values;  // where it begins, and its pages; no dictionary: -1
    std::int64_t size;
    ParquetWay way;
  };
  struct Part {
    std::int64_t rows;
    std::vector<Chunk> chunks;
  };
  Chunk added(std::int64_t rows, const ParquetValues& column);

  std::vector<ParquetColumn> columns_;
  std::vector<Part> parts_;
  std::string bytes_ = "PAR1";
};

}  // namespace vernier::study
