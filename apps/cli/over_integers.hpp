#pragma once

#include <cstdint>

namespace vernier::cli {

// True of the laws over the integers, false of those over the reals.
template <class Law>
inline constexpr bool over_integers = requires(const Law& law) {
  law.mass(std::int64_t{0});
};

}  // namespace vernier::cli
