#pragma once

#include <array>
#include <vector>

#include "vernier/plan/key_threshold.hpp"
#include "vernier/plan/plan.hpp"

// The measurements of a study as far as their price is concerned.
namespace vernier::plan {

enum class LawKind : std::uint8_t { geometric, discrete_gaussian };
inline constexpr std::array<LawKind, 2> law_kinds = {LawKind::geometric, LawKind::discrete_gaussian};

// Of private keys: how many of them one unit may have, and what may be risked.
struct KeyTerms {
  std::int64_t groups;
  double delta;
  friend bool operator==(const KeyTerms&, const KeyTerms&) = default;
};

// `coordinates` numbers, or distances of a choice, that one unit moves by `shift` each. Both laws have the same
// accuracy at their base scales.
struct NoiseItem {
  std::int64_t shift;
  std::int64_t coordinates;
  std::array<double, 2> base;    // by LawKind
  bool is_free;                  // the scale is the base times the plan's factor; else the base itself, for a target
  std::optional<KeyTerms> keys;  // where these units choose private keys
  bool is_choice = false;        // of a quantile's ends: an exponential law, of the same base for either kind

  friend bool operator==(const NoiseItem&, const NoiseItem&) = default;
};

// Where a measurement stands that has noise of its own.
struct MeasuredPlace {
  std::size_t statistic;
  std::size_t measurement;
};
std::vector<MeasuredPlace> measured_places(const BoundStudy& study);

// One for each of these, in their order. A target is met by the largest scale that meets it; without one
// the base is shift / weight, in accuracy. An error that names the column where there is neither target nor budget, or
// where private keys meet delta 0.
Result<std::vector<NoiseItem>> items_of(const BoundStudy& study, privacy::Delta delta);

// The largest scale of each law with this accuracy in steps; where even the greatest scale has it, that one.
std::array<double, 2> scales_for(std::int64_t steps, Alpha alpha);

// The scale is kept within what the integer laws take: from below by moving it up; an error where it is above.
Result<Law> law_of(const NoiseItem& item, LawKind kind, double factor);

// What it gives away with this noise. `threshold` of private keys only.
Result<std::int64_t> threshold_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours);
Result<accounting::Event> event_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours);

// The same of a published column, for sentences: "people" of "income by region".
std::string described(const BoundStatistic& statistic, const Measurement& measurement);

}  // namespace vernier::plan
