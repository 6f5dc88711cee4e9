#include "cli/ledger/yaml.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"

namespace vernier::cli {
namespace {

std::string quoted(std::string_view text) {
  Output output;
  JsonWriter(output).value(text);
  return output.text();
}

// YAML 1.1 takes 1e-07 for a text, and 1.0e-07 for a number.
std::string with_point(std::string digits) {
  const std::size_t exponent = digits.find('e');
  if (exponent != std::string::npos && digits.find('.') == std::string::npos) digits.insert(exponent, ".0");
  return digits;
}

}  // namespace

void YamlWriter::write(std::string_view start, std::string_view value, std::string_view remark) {
  text_ += fmt::format("{}{} {}{}{}\n", indent(), start, value, remark.empty() ? "" : "  # ", remark);
}

void YamlWriter::begin(std::string_view key) {
  text_ += fmt::format("{}{}:\n", indent(), key);
  ++depth_;
}

void YamlWriter::field(std::string_view key, std::string_view text, std::string_view remark) {
  write(fmt::format("{}:", key), quoted(text), remark);
}

void YamlWriter::number(std::string_view key, const std::string& digits) {
  write(fmt::format("{}:", key), with_point(digits), {});
}

void YamlWriter::lines(std::string_view key, std::string_view text) {
  text_ += fmt::format("{}{}: |\n", indent(), key);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    text_ += fmt::format("{}  {}\n", indent(), one_line(line));
  }
}

void YamlWriter::remark(std::string_view text) { text_ += fmt::format("{}# {}\n", indent(), text); }

void YamlWriter::item(std::string_view text, std::string_view remark) { write("-", quoted(text), remark); }

void YamlWriter::first_of_item(std::string_view key, std::string_view text, std::string_view remark) {
  write(fmt::format("- {}:", key), quoted(text), remark);
}

}  // namespace vernier::cli
