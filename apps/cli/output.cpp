#include "cli/output.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "vernier/core/text.hpp"
#include "vernier/core/utf8.hpp"

namespace vernier::cli {

int exit_code(const Error& error) { return error.kind == ErrorKind::invalid ? exit_usage : exit_failure; }

std::string one_line(std::string_view text) { return seen_text(text); }

std::string error_text(const Error& error, const vernier::Spelling& spelling) {
  const std::string place = error.place ? text_of(*error.place) + ": " : "";
  std::string text = one_line(place + error.statement(spelling));
  for (const std::string& line : error.details) text += "\n  " + one_line(line);
  return text;
}

std::string error_lines(const Error& error, const vernier::Spelling& spelling) {
  std::string text = "vernier: " + error_text(error, spelling) + "\n";
  for (const Error& other : error.others) text += "vernier: " + error_text(other, spelling) + "\n";
  return text;
}

namespace {

void write_parts(vernier::JsonWriter& json, const Error& error, const vernier::Spelling& spelling) {
  const auto member = [&](std::string_view name, const std::string& part) {
    if (!part.empty()) json.member(name, std::string_view(spelled(part, spelling)));
  };
  json.member("kind", name_of(error.kind));
  member("subject", error.subject);
  json.member("problem", std::string_view(spelled(error.problem, spelling)));
  member("advice", error.advice);
  if (error.place) {
    json.key("place");
    json.begin_object();
    json.member("file", std::string_view(error.place->file));
    json.member("line", std::int64_t{error.place->place.line});
    json.member("column", std::int64_t{error.place->place.column});
    json.end_object();
  }
  if (!error.details.empty()) {
    json.key("details");
    json.begin_array();
    for (const std::string& line : error.details) json.value(std::string_view(line));
    json.end_array();
  }
  json.member("sentence", std::string_view(error_text(error, spelling)));
}

}  // namespace

void write_error(vernier::JsonWriter& json, const Error& error, const vernier::Spelling& spelling) {
  json.begin_object();
  json.key("error");
  json.begin_object();
  write_parts(json, error, spelling);
  if (!error.others.empty()) {
    json.key("others");
    json.begin_array();
    for (const Error& other : error.others) {
      json.begin_object();
      write_parts(json, other, spelling);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
  json.end_object();
}

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
  has_written_ = has_written_ || !buffer_.empty();
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

namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

std::string line_of(const std::vector<Heading>& headings, const Row& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - width_of(cells[i]), ' ');
    line += (i == 0 ? "" : "  ");
    line += headings[i].align == Align::left ? cells[i] + blanks : blanks + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

void write_aligned(Output& output, const std::vector<Heading>& headings, const std::vector<Row>& rows) {
  Row titles;
  std::vector<std::size_t> widths;
  for (const Heading& heading : headings) {
    titles.push_back(heading.text);
    widths.push_back(width_of(heading.text));
  }
  for (const Row& cells : rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  }
  output.write(line_of(headings, titles, widths));
  for (const Row& cells : rows) output.write(line_of(headings, cells, widths));
}

std::string bar(std::int64_t thousandths, int cells) {
  const std::int64_t least = thousandths > 0 ? 1 : 0, most = thousandths < 1000 ? cells - 1 : cells;
  const std::int64_t full = std::clamp((thousandths * cells + 500) / 1000, least, most);
  std::string text;
  for (int i = 0; i < cells; ++i) text += i < full ? "█" : "░";
  return text;
}

std::string wrapped(const std::string& first, std::string_view text, std::size_t indent) {
  std::string lines, line = first;
  bool is_begun = false;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (is_begun && width_of(line) + 1 + width_of(word) > line_width) {
      lines += line + "\n";
      line = std::string(indent, ' ');
      is_begun = false;
    }
    line.append(is_begun ? " " : "").append(word);
    is_begun = true;
  }
  return lines + line + "\n";
}

std::string shortened(const std::string& text, std::size_t most) {
  if (width_of(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (begins && ++characters == most) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace vernier::cli
