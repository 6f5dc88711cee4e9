#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// Standard output, or a file in its place: buffered here, and checked at the end. Without a file it is a text.
class Output {
 public:
  Output() = default;
  explicit Output(std::FILE* file) : file_(file) {}
  void write(std::string_view text);          // what cannot be seen is spelled out (`seen_lines`); whole characters
  void write_exactly(std::string_view text);  // of a document that is stored or signed
  Result<void> finish();                      // an error when anything could not be written
  const std::string& text() const { return buffer_; }  // all of it, where there is no file

 private:
  void flush();
  std::FILE* file_ = nullptr;
  std::string buffer_;
  bool failed_ = false;
};

// A number of an integer law or of a real one.
using Number = std::variant<std::int64_t, double>;

// For a person: the shortest decimal that reads back as the same number; inf and -inf where it is infinite.
std::string text_of(double value);
std::string text_of(std::int64_t value);
std::string text_of(const Number& value);

// A figure of a report: its name, its value and what it means, in three columns.
struct Line {
  std::string name;
  std::string value;
  std::string meaning;
};
void write_lines(Output& output, const std::vector<Line>& lines);

// Columns aligned to the right, two blanks apart, below their headings.
using Row = std::vector<std::string>;
void write_table(Output& output, const Row& headings, const std::vector<Row>& rows);

}  // namespace vernier::cli
