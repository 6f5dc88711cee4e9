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

Result<std::vector<double>> csv_column(std::string_view text, std::string_view column, const std::string& file) {
  Lines lines(text);
  const std::optional<Cells> names = lines.next();
  if (!names)
    return invalid(fmt::format("the file '{}' is empty; its first line must name the columns", one_line(file)));
  VERNIER_TRY(const std::size_t place, place_of(*names, column, file));
  std::vector<double> values;
  while (const std::optional<Cells> cells = lines.next()) {
    if (cells->size() <= place || (*cells)[place].empty()) continue;
    const Result<double> value = read_number("a value", (*cells)[place]);
    if (!value) {
      return invalid(
          fmt::format("row {} of '{}' has no number in the column '{}'; only columns of numbers have "
                      "statistics that can be simulated",
                      lines.number() - 1, one_line(file), one_line(column)));
    }
    values.push_back(*value);
  }
  if (!values.empty()) return values;
  return invalid(fmt::format("the column '{}' of '{}' has no numbers", one_line(column), one_line(file)));
}

}  // namespace vernier::cli
