#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vernier/audit/events.hpp"
#include "vernier/audit/finding.hpp"

// What the noise of twin releases shows beside the bets: its law, and whether two numbers of one release share a draw.
namespace vernier::audit {

// Groups that are compared lie so far apart: samplers fill blocks, whose numbers may be anywhere within.
inline constexpr std::array<std::size_t, 13> distances = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};

// Of one case, over all its releases. The numbers of a group all have the same law.
struct Noises {
  Drawn drawn;                                     // of every number by itself
  Drawn middles, spreads;                          // of every group: greatest + least, and greatest - least
  Hits columns = {};                               // pairs of numbers of one group, and those with the same noise
  std::array<Hits, distances.size()> groups = {};  // likewise the first numbers of two groups, by their distance
  std::size_t width = 0;                           // numbers of a group
};

// The noise of one release, group by group.
void add(std::span<const std::int64_t> noise, std::size_t width, Noises& noises);

// Numbers each of which has a draw of its own.
std::vector<Finding> findings_on(const std::string& claim, const Noises& noises, const IntegerLaw& law);

// The numbers of a group have the noise of one box (noise/box.hpp), and each moves by this half.
struct BoxLaw {
  double scale;
  std::int64_t half;
  std::size_t numbers;  // 2 at least
};
std::vector<Finding> findings_on(const std::string& claim, const Noises& noises, const BoxLaw& law);

}  // namespace vernier::audit
