#include "vernier/audit/words.hpp"

#include <array>
#include <charconv>

#include "vernier/audit/finding.hpp"

namespace vernier::audit {
namespace {

std::string digits(double value, int precision) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, precision);
  return {text.data(), end.ptr};
}

}  // namespace

std::string words_of(double value) { return digits(value, 6); }

std::string percent_words(double part) { return digits(100 * part, 4) + " %"; }

std::string level_words(double level) {
  if (level > each_level) return "nothing speaks against it (level " + digits(level, 2) + ")";
  return "refuted: chance explains this in one of " + digits(1 / level, 2) + " audits at most";
}

}  // namespace vernier::audit
