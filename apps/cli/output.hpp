#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vernier/core/json_writer.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

inline constexpr int exit_success = 0, exit_failure = 1, exit_usage = 2;

// 2 where the user's own words were wrong, 1 for everything else.
int exit_code(const Error& error);

// The text on one line that no terminal can be led astray by, whatever bytes a file or an argument brought into it.
std::string one_line(std::string_view text);

// The error on one line, whatever bytes an argument brought into it, and its details below, set in by two blanks.
std::string error_text(const Error& error, const vernier::Spelling& spelling);
// For standard error: "vernier: " and the error, and likewise each of the others.
std::string error_lines(const Error& error, const vernier::Spelling& spelling);
// For --json: { "error": { "kind": "invalid", "subject": ..., "problem": ..., "advice": ..., "place": ..., ... } }
void write_error(vernier::JsonWriter& json, const Error& error, const vernier::Spelling& spelling);

// Standard output, or a file in its place: buffered here, and checked at the end. Without a file it is a text.
class Output {
 public:
  Output() = default;
  explicit Output(std::FILE* file) : file_(file) {}
  void write(std::string_view text);          // what cannot be seen is spelled out (`seen_lines`); whole characters
  void write_exactly(std::string_view text);  // of a document that is stored or signed
  Result<void> finish();                      // an error when anything could not be written
  bool has_written() const { return has_written_; }    // whether anything has left for the file
  const std::string& text() const { return buffer_; }  // all of it, where there is no file

 private:
  void flush();
  std::FILE* file_ = nullptr;
  std::string buffer_;
  bool failed_ = false;
  bool has_written_ = false;
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

enum class Align { left, right };

struct Heading {
  std::string text;
  Align align = Align::left;
};

// Columns two blanks apart below their headings, aligned by characters and not by bytes: "±" and "größe" have their own
// width. Nothing stands behind the last cell of a line.
void write_aligned(Output& output, const std::vector<Heading>& headings, const std::vector<Row>& rows);

// The number of characters of UTF-8.
std::size_t width_of(std::string_view text);

// A part of a whole, in thousandths, as so many cells: "████░░░░░░". What is not nothing shows, and so does what is not
// all.
std::string bar(std::int64_t thousandths, int cells);

inline constexpr std::size_t line_width = 80;

// The text behind its first words, broken between words so that lines stay within 80 characters where they can; lines
// after the first begin with so many blanks. Ends its last line.
std::string wrapped(const std::string& first, std::string_view text, std::size_t indent);

// At most so many characters of UTF-8: what is longer ends in "…".
std::string shortened(const std::string& text, std::size_t most);

// JSON into the output.
class JsonWriter : public vernier::JsonWriter {
 public:
  explicit JsonWriter(Output& output) : vernier::JsonWriter([&output](std::string_view text) { output.write(text); }) {}
};

}  // namespace vernier::cli
