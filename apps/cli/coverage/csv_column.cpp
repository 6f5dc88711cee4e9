#include "cli/coverage/csv_column.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/output.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using Cells = std::vector<std::string>;

// Line by line, where a line may have breaks in its quotes.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  long long number() const { return number_; }  // how many were read

  std::optional<Cells> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    Cells cells;
    do cells.push_back(cell());
    while (take(','));
    take('\r');
    take('\n');
    return cells;
  }

 private:
  bool take(char sign) {
    if (rest_.empty() || rest_.front() != sign) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string cell() { return take('"') ? quoted() : plain(); }

  std::string plain() {
    const std::size_t end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }

  // Up to the quote that closes; two of them are one.
  std::string quoted() {
    std::string text;
    while (!rest_.empty()) {
      const char sign = rest_.front();
      rest_.remove_prefix(1);
      if (sign == '"' && !take('"')) break;
      text += sign;
    }
    return text + plain();
  }

  std::string_view rest_;
  long long number_ = 0;
};

Result<std::size_t> place_of(const Cells& names, std::string_view column, const std::string& file) {
  const auto found = std::find(names.begin(), names.end(), column);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  return invalid(fmt::format("the first line of the file '{}' has no column '{}'", one_line(file), one_line(column)),
                 "correct " + parameter("column") + ", or begin the file with a line of column names");
}

}  // namespace

namespace {

Result<double> number_of(const std::string& cell, long long row, std::string_view column, const std::string& file) {
  Result<double> value = read_number("a value", cell);
  if (value) return value;
  return invalid(
      fmt::format("row {} of '{}' has no number in the column '{}'; only columns of numbers have "
                  "statistics that can be simulated",
                  row, one_line(file), one_line(column)));
}

bool is_empty(const Cells& cells, std::size_t place) { return cells.size() <= place || cells[place].empty(); }

Result<Cells> names_of(Lines& lines, const std::string& file) {
  if (std::optional<Cells> names = lines.next()) return *names;
  return invalid(fmt::format("the file '{}' is empty; its first line must name the columns", one_line(file)));
}

Failure no_numbers(std::string_view column, const std::string& file) {
  return invalid(fmt::format("the column '{}' of '{}' has no numbers", one_line(column), one_line(file)));
}

}  // namespace

Result<std::vector<double>> csv_column(std::string_view text, std::string_view column, const std::string& file) {
  Lines lines(text);
  VERNIER_TRY(const Cells names, names_of(lines, file));
  VERNIER_TRY(const std::size_t place, place_of(names, column, file));
  std::vector<double> values;
  while (const std::optional<Cells> cells = lines.next()) {
    if (is_empty(*cells, place)) continue;
    VERNIER_TRY(const double value, number_of((*cells)[place], lines.number() - 1, column, file));
    values.push_back(value);
  }
  if (!values.empty()) return values;
  return no_numbers(column, file);
}

Result<CsvPairs> csv_columns(std::string_view text, std::string_view first, std::string_view second,
                             const std::string& file) {
  Lines lines(text);
  VERNIER_TRY(const Cells names, names_of(lines, file));
  VERNIER_TRY(const std::size_t one, place_of(names, first, file));
  VERNIER_TRY(const std::size_t other, place_of(names, second, file));
  CsvPairs pairs;
  while (const std::optional<Cells> cells = lines.next()) {
    if (is_empty(*cells, one) || is_empty(*cells, other)) continue;
    VERNIER_TRY(const double value, number_of((*cells)[one], lines.number() - 1, first, file));
    VERNIER_TRY(const double beside, number_of((*cells)[other], lines.number() - 1, second, file));
    pairs.first.push_back(value);
    pairs.second.push_back(beside);
  }
  if (!pairs.first.empty()) return pairs;
  return no_numbers(first, file);
}

}  // namespace vernier::cli
