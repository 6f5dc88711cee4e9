#include "vernier/query/toml_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/rational.hpp"

namespace vernier::query {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The text behind so many characters of UTF-8.
std::string_view without_characters(std::string_view text, std::size_t count) {
  std::size_t i = 0;
  for (; count > 0 && i < text.size(); --count) {
    for (++i; i < text.size() && continues_character(text[i]);) ++i;
  }
  return text.substr(i);
}

bool is_beside(const std::string& decimal, double value) {
  const Result<numeric::Rational> exact = numeric::Rational::of_decimal(decimal);
  return exact && exact->round_down() <= value && value <= exact->round_up();
}

}  // namespace

TomlNumbers::TomlNumbers(std::string_view text) : text_(text), lines_{0} {
  if (text_.starts_with(byte_order_mark)) lines_.front() = byte_order_mark.size();
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
}

std::string_view TomlNumbers::token(Place place) const {
  if (place.line < 1 || place.line > lines_.size() || place.column < 1) return {};
  const std::string_view line = text_.substr(lines_[place.line - 1]);
  const std::string_view rest = without_characters(line.substr(0, line.find('\n')), place.column - 1);
  return rest.substr(0, rest.find_first_not_of("0123456789+-._eEinfa"));
}

std::optional<std::string> TomlNumbers::written(Place place, double value) const {
  std::string number(token(place));
  std::erase(number, '_');
  if (std::isfinite(value)) return is_beside(number, value) ? std::optional(number) : std::nullopt;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

}  // namespace vernier::query
