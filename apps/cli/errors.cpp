#include "cli/errors.hpp"

#include <fmt/format.h>

namespace vernier::cli {

int exit_code(const Error& error) { return error.kind == ErrorKind::invalid ? exit_usage : exit_failure; }

std::string one_line(std::string_view text) {
  std::string line;
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (code < 0x20 || code == 0x7f) {
      line += fmt::format("\\x{:02x}", code);
    } else {
      line += character;
    }
  }
  return line;
}

std::string error_line(const Error& error) {
  std::string text = "vernier: ";
  std::string_view rest = error.sentence;
  for (std::size_t end = rest.find("\n  "); end != rest.npos; end = rest.find("\n  ")) {
    text += one_line(rest.substr(0, end)) + "\n";
    rest.remove_prefix(end + 1);
  }
  return text + one_line(rest) + "\n";
}

}  // namespace vernier::cli
