#include "vernier/noise/margins.hpp"

#include <algorithm>

namespace vernier::noise {

Margins::Margins(std::int64_t points) {
  for (std::int64_t margin = 0; margin < points - 1; margin += std::max<std::int64_t>(margin / 8, 1)) {
    all_.push_back(margin);
  }
  all_.push_back(points - 1);
}

std::int64_t Margins::first_from(std::int64_t margin) const {
  return std::lower_bound(all_.begin(), all_.end(), margin) - all_.begin();
}

}  // namespace vernier::noise
