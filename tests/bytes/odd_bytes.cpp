#include "bytes/odd_bytes.hpp"

#include <array>

namespace vernier::bytes {
namespace {

using namespace std::string_literals;

std::string random_bytes(Draw& draw, std::size_t most) {
  std::string bytes(draw.below(most + 1), '\0');
  for (char& byte : bytes) byte = static_cast<char>(draw.below(256));
  return bytes;
}

std::string inserted(Draw& draw, std::string text, const std::vector<std::string>& pieces) {
  for (std::size_t left = 1 + draw.below(3); left > 0; --left)
    text.insert(draw.below(text.size() + 1), draw.one_of(pieces));
  return text;
}

std::string word(Draw& draw) { return draw.one_of<std::string>({"", "a", "north", "12", "süd", "2020-02-29", "true"}); }

}  // namespace

std::string_view name_of(Oddity oddity) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Oddity::count)> names = {
      "random bytes", "nothing", "NUL",         "no UTF-8", "CR",  "other line ends",
      "quotes",       "no JSON", "odd numbers", "blanks",   "BOM", "long text"};
  return names[static_cast<std::size_t>(oddity)];
}

std::string odd_bytes(Draw& draw, Oddity oddity) {
  switch (oddity) {
    case Oddity::empty:
      return "";
    case Oddity::null_byte:
      return inserted(draw, word(draw), {"\0"s, "\0\0"s});
    case Oddity::no_utf8:
      return inserted(draw, word(draw),
                      {"\xFF", "\xC3\x28", "\xE2\x82", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80"});
    case Oddity::carriage:
      return inserted(draw, word(draw), {"\r", "\r\r", "\r1,2,3\r", "\"\r\""});
    case Oddity::line_ends:
      return inserted(draw, word(draw), {"\u2028", "\u0085", "\v", "\f", "\x1A", "\x1E", "\x85"});
    case Oddity::quotes:
      return inserted(draw, word(draw), {"\"", "\"\"", "\"\"\"", "'", "\\\"", "\", \"", "`"});
    case Oddity::braces:
      return draw.one_of<std::string>({"{", "[", "{\"a\": }", "{\"a\": 1} x", "nul", "\"", "[1, 2", "{'a': 1}", "}"});
    case Oddity::number_like:
      return draw.one_of<std::string>({"1e999", "nan", "-inf", "0x10", "\uFF11", "\u0661", "1_000",
                                       "9223372036854775808", "--1", "+", "1.", ".5", "1e",
                                       "99999999999999999999999999999999999999999"});
    case Oddity::blanks:
      return draw.one_of<std::string>({" ", "\t", "  \t ", "\u00A0", "\u200B", "\u3000", "\u202E"});
    case Oddity::byte_order:
      return inserted(draw, word(draw), {"\xEF\xBB\xBF", "\xFF\xFE"});
    case Oddity::long_text:
      return std::string(draw.one_in(4) ? 70'000 : 1000 + draw.below(5000),
                         draw.one_of<char>({'x', 'a', '\xC3', '1', ' '})) +
             word(draw);
    default:
      return random_bytes(draw, draw.one_in(4) ? 40 : 8);
  }
}

}  // namespace vernier::bytes
