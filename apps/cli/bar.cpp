#include "cli/bar.hpp"

#include <algorithm>

namespace vernier::cli {

std::string bar(std::int64_t thousandths, int cells) {
  const std::int64_t least = thousandths > 0 ? 1 : 0, most = thousandths < 1000 ? cells - 1 : cells;
  const std::int64_t full = std::clamp((thousandths * cells + 500) / 1000, least, most);
  std::string text;
  for (int i = 0; i < cells; ++i) text += i < full ? "█" : "░";
  return text;
}

}  // namespace vernier::cli
