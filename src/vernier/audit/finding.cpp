#include "vernier/audit/finding.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace vernier::audit {

bool has(const Report& report, Verdict verdict) {
  return std::any_of(report.sections.begin(), report.sections.end(), [&](const Section& section) {
    return std::any_of(section.findings.begin(), section.findings.end(),
                       [&](const Finding& finding) { return finding.verdict == verdict; });
  });
}

bool Report::refuted() const { return has(*this, Verdict::refuted); }
bool Report::lacks_power() const { return has(*this, Verdict::powerless); }

std::string name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::stands:
      return "stands";
    case Verdict::refuted:
      return "refuted";
    case Verdict::powerless:
      return "no power";
    case Verdict::not_tried:
      return "not tried";
  }
  return {};
}

std::string tried_words(const Finding& finding) {
  std::string digits = std::to_string(finding.trials);
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(digits.begin() + static_cast<std::ptrdiff_t>(at - 3), ',');
  return digits + " " + (finding.trials == 1 ? finding.of.substr(0, finding.of.size() - 1) : finding.of);
}

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
