#include "cli/errors.hpp"

#include <fmt/format.h>

namespace vernier::cli {

int exit_code(const Error& error) { return error.kind == ErrorKind::invalid ? exit_usage : exit_failure; }

std::string error_line(const Error& error) {
  std::string line = "vernier: ";
  for (const char character : error.sentence) {
    const auto code = static_cast<unsigned char>(character);
    if (code < 0x20 || code == 0x7f) {
      line += fmt::format("\\x{:02x}", code);
    } else {
      line += character;
    }
  }
  return line + "\n";
}

}  // namespace vernier::cli
