#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What the intervals of a statistic are about, and what is made of its released numbers.
namespace vernier::query {

enum class Denoise : std::uint8_t { none, least_risk, james_stein, soft_threshold, consistent };
std::string_view name_of(Denoise denoise);  // "least-risk"

// Two groups by the text of their key: the first less the second.
using Difference = std::array<std::string, 2>;

struct Inference {
  bool of_population = false;      // else of the rows as they are
  bool is_guaranteed = false;      // proven intervals, where a shorter one is only tested
  bool is_simultaneous = false;    // all intervals of the statistic hold at once
  bool has_clamped_share = false;  // how many rows were moved to a bound is published too
  Denoise denoise = Denoise::none;
  std::vector<Difference> differences = {};

  friend bool operator==(const Inference&, const Inference&) = default;
};

}  // namespace vernier::query
