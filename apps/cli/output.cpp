#include "cli/output.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "vernier/core/seen_text.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

void write_row(Output& output, const Row& cells, const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    output.write(fmt::format("{}{:>{}}", i == 0 ? "" : "  ", cells[i], widths[i]));
  }
  output.write("\n");
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

}  // namespace

void Output::write(std::string_view text) { is_plain(text) ? write_exactly(text) : write_exactly(seen_lines(text)); }

void Output::write_exactly(std::string_view text) {
  buffer_ += text;
  if (file_ != nullptr && buffer_.size() >= buffer_size) flush();
}

Result<void> Output::finish() {
  if (file_ == nullptr) return {};
  flush();
  if (std::fflush(file_) != 0) failed_ = true;
  if (failed_) return fail(ErrorKind::system, "the output could not be written; look whether its disk is full");
  return {};
}

void Output::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) failed_ = true;
  buffer_.clear();
}

std::string text_of(double value) { return shortest(value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(const Number& value) {
  return std::visit([](auto number) { return text_of(number); }, value);
}

void write_lines(Output& output, const std::vector<Line>& lines) {
  std::size_t names = 0, values = 0;
  for (const Line& line : lines) {
    names = std::max(names, line.name.size());
    values = std::max(values, line.value.size());
  }
  for (const Line& line : lines) {
    const std::size_t width = line.meaning.empty() ? 0 : values + 2;
    output.write(fmt::format("{:<{}}  {:<{}}{}\n", line.name, names, line.value, width, line.meaning));
  }
}

void write_table(Output& output, const Row& headings, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(headings.size(), 0);
  const auto widen = [&](const Row& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  };
  widen(headings);
  std::for_each(rows.begin(), rows.end(), widen);
  write_row(output, headings, widths);
  for (const Row& cells : rows) write_row(output, cells, widths);
}

}  // namespace vernier::cli
