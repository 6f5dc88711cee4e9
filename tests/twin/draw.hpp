#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace vernier::twin {

// Choices at random; the same seed gives the same ones.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : bits_(seed) {}

  std::size_t below(std::size_t n) { return bits_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  std::int64_t word() { return static_cast<std::int64_t>(bits_()); }

  template <class Item>
  const Item& one_of(const std::vector<Item>& list) {
    return list[below(list.size())];
  }

  template <class Item>
  void shuffle(std::vector<Item>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace vernier::twin
