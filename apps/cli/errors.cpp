#include "cli/errors.hpp"

#include "vernier/core/seen_text.hpp"

namespace vernier::cli {

int exit_code(const Error& error) { return error.kind == ErrorKind::invalid ? exit_usage : exit_failure; }

std::string one_line(std::string_view text) { return seen_text(text); }

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
