#pragma once

#include <cstdint>
#include <vector>

namespace vernier::noise {

// How many points there may be between a value and the ends of its interval: 0, 1, 2, ..., from 16 on an eighth more
// each time, and at last all of a grid with so many points.
class Margins {
 public:
  explicit Margins(std::int64_t points);

  std::int64_t count() const { return static_cast<std::int64_t>(all_.size()); }
  std::int64_t operator[](std::int64_t place) const { return all_[static_cast<std::size_t>(place)]; }

  // One more than the next smaller margin; 0 where there is none.
  std::int64_t beyond_smaller(std::int64_t place) const { return place == 0 ? 0 : (*this)[place - 1] + 1; }

  // The place of the first margin that is not smaller.
  std::int64_t first_from(std::int64_t margin) const;

 private:
  std::vector<std::int64_t> all_;
};

}  // namespace vernier::noise
