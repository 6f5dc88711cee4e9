#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vernier/core/types.hpp"

// Statistical tests with a stated false-alarm rate. No retries: a red one is a defect until a larger run says no.
namespace vernier::testing {

// The chance that one assertion fails although the code is right. Every test below splits it over what it compares.
inline constexpr double false_alarm = 1e-9;

// The least and the greatest count that is not surprising for Binomial(trials, p) at two-sided level `level`.
struct CountRange {
  std::uint64_t least, greatest;
  bool contains(std::uint64_t count) const { return least <= count && count <= greatest; }
};
CountRange unsurprising_counts(std::uint64_t trials, double p, double level);

// Whether the empirical distribution of `trials` draws may be `distance` away from the true one (Dvoretzky, Kiefer and
// Wolfowitz with Massart's constant; valid for discrete laws).
bool dkw_allows(double distance, std::uint64_t trials, double level);

// What speaks against draws having a law; empty if nothing does.
using Objection = std::string;

// Cells of an integer law: consecutive runs of integers, each with a probability that 1e6 draws can see.
struct Cells {
  std::vector<std::int64_t> ends;  // cell i is (ends[i-1], ends[i]]; one more cell beyond the last end
  std::vector<double> cumulative;  // P[X <= ends[i]]
};

template <class Law>
Cells cells_of(const Law& law) {
  Cells cells;
  for (int i = -31; i <= 31; ++i) {
    // Even steps in the middle, finer ones towards the tails, down to 2^-16.
    const double p = i == 0 ? 0.5 : 0.5 + (i > 0 ? 0.5 : -0.5) * (1 - std::exp2(-std::abs(i) / 2.0));
    const std::int64_t end = law.quantile(Probability::of(p).value()).value();
    if (cells.ends.empty() || end > cells.ends.back()) cells.ends.push_back(end);
  }
  for (const std::int64_t end : cells.ends) cells.cumulative.push_back(law.cumulative(end).upper);
  return cells;
}

// Exact binomial bounds on every cell and on every interval around the middle, and the DKW bound, at `level` in all.
Objection objection_to(const Cells& cells, std::span<const std::int64_t> draws, double level = false_alarm);

// Welch's t between the times of two groups: those whose key is above the median and the others. The slowest 5 % of the
// times are left out, since on a shared machine they are other people's work.
double welch_t(std::span<const double> times, std::span<const double> keys);

}  // namespace vernier::testing
