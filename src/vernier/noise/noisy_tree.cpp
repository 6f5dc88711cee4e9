#include "vernier/noise/noisy_tree.hpp"

namespace vernier::noise {

RowsBefore::RowsBefore(std::span<const Occupied> rows) : rows_(rows) {
  before_.reserve(rows.size() + 1);
  before_.push_back(0);
  for (const Occupied& each : rows) before_.push_back(before_.back() + each.rows);
}

std::int64_t RowsBefore::operator()(std::int64_t point) const {
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), point,
                                      [](const Occupied& each, std::int64_t wanted) { return each.point < wanted; });
  return before_[static_cast<std::size_t>(found - rows_.begin())];
}

}  // namespace vernier::noise
