#include "vernier/query/cell_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "vernier/core/names.hpp"

namespace vernier::query {

bool CellFormat::is_usual() const {
  return decimal_mark == '.' && thousands.empty() && date_format.empty() && true_words.empty() && false_words.empty() &&
         missing_texts.empty() && !trim;
}

namespace {

constexpr std::array<std::string_view, 12> months = {"jan", "feb", "mar", "apr", "may", "jun",
                                                     "jul", "aug", "sep", "oct", "nov", "dec"};

// A number at the beginning of the text, which is taken off it.
std::optional<unsigned> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  while (count < std::min(most, text.size()) && text[count] >= '0' && text[count] <= '9') ++count;
  if (count < least) return std::nullopt;
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + count, number);
  text.remove_prefix(count);
  return number;
}

std::optional<unsigned> take_month(std::string_view& text) {
  const std::string name = fold_case(text.substr(0, 3));
  const auto found = std::find(months.begin(), months.end(), name);
  if (found == months.end()) return std::nullopt;
  text.remove_prefix(3);
  return static_cast<unsigned>(found - months.begin()) + 1;
}

// The parts of a day, as far as they were read.
struct Parts {
  unsigned year = 0, month = 0, day = 0;

  // Takes one part off the text; false where it is not there.
  bool take(char directive, std::string_view& text) {
    const auto within = [&](unsigned& part, std::optional<unsigned> number, unsigned greatest) {
      if (!number || *number > greatest) return false;
      part = *number;
      return true;
    };
    unsigned left_out = 0;
    switch (directive) {
      case 'Y':
        return within(year, take_number(text, 4, 4), 9999);
      case 'y':
        if (!within(year, take_number(text, 2, 2), 99)) return false;
        year += year < 69 ? 2000 : 1900;
        return true;
      case 'm':
        return within(month, take_number(text, 1, 2), 12);
      case 'b':
        return within(month, take_month(text), 12);
      case 'd':
        return within(day, take_number(text, 1, 2), 31);
      case 'H':
        return within(left_out, take_number(text, 1, 2), 23);
      case 'M':
        return within(left_out, take_number(text, 1, 2), 59);
      case 'S':
        return within(left_out, take_number(text, 1, 2), 60);
      case 'f':
        return within(left_out, take_number(text, 1, 9), 999'999'999);
      default:
        return false;
    }
  }
};

std::size_t times_in(std::string_view format, std::string_view directives) {
  std::size_t times = 0;
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] == '%') times += directives.find(format[++i]) != std::string_view::npos ? 1 : 0;
  }
  return times;
}

}  // namespace

std::optional<Day> read_day(std::string_view text, std::string_view format) {
  Parts parts;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '%') {
      if (!parts.take(format[++i], text)) return std::nullopt;
    } else {
      if (!text.starts_with(format[i])) return std::nullopt;
      text.remove_prefix(1);
    }
  }
  if (!text.empty()) return std::nullopt;
  return Day::of(static_cast<int>(parts.year), parts.month, parts.day);
}

std::optional<std::string> fault_of_date_format(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    const std::string_view directive = format.substr(i++, 2);
    if (directive.size() < 2 || std::string_view("YymbdHMSf").find(directive[1]) == std::string_view::npos)
      return "only %Y, %y, %m, %b, %d, %H, %M, %S and %f behind a %";
  }
  if (times_in(format, "Yy") != 1) return "one year, %Y or %y";
  if (times_in(format, "mb") != 1) return "one month, %m or %b";
  if (times_in(format, "d") != 1) return "one day, %d";
  return std::nullopt;
}

}  // namespace vernier::query
