#include "text/confidence_text.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "vernier/core/text.hpp"

namespace vernier::text {

std::string confidence_text(double alpha) {
  constexpr std::size_t most_decimals = 12;  // 100 (1 - alpha) in doubles is right to that many and more
  const std::string written = fmt::format("{:.{}f}", alpha, most_decimals);
  if (std::strtod(written.c_str(), nullptr) != alpha) return "1 - " + shortest(alpha);
  std::string percent = fmt::format("{:.{}f}", 100 - 100 * alpha, most_decimals - 2);
  percent.erase(percent.find_last_not_of('0') + 1);
  if (percent.back() == '.') percent.pop_back();
  return percent + " %";
}

}  // namespace vernier::text
