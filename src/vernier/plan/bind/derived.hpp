#pragma once

#include "vernier/plan/bound_study.hpp"

// What can be made of released numbers: which columns can be denoised, which can be made to add up, and which groups
// can be compared. derived.md has the reasons.
namespace vernier::plan {

// The measurement whose noisy integers a column is made from.
std::size_t measured_place(const BoundStatistic& statistic, std::size_t measurement);

// Whether the number of a group is one integer with noise of its own, by which nothing was chosen: only such numbers
// are denoised.
bool has_plain_noise(const BoundStatistic& statistic, std::size_t measurement);

// Why a statistic cannot be denoised, or its groups compared, as its study asks: a sentence that begins behind its
// name.
Result<void> check_derived(const BoundStatistic& statistic);

// What is not proven of denoised values, where they are asked for: a sentence, or nothing.
std::string denoise_warning(const BoundStatistic& statistic);

// So many groups of all tables, at most, are made to add up together.
inline constexpr std::size_t most_consistent_groups = 1000;

// Numbers the columns that are made to add up: those of `denoise = "consistent"` that count or add up the same rows of
// the same table, grouped by other keys. An error, as above, is about the statistic at this place.
Result<void> bind_families(std::vector<BoundStatistic>& statistics, std::size_t place);

// Whether the statistic, whose measurements are bound, can honour what its inference asks for. The subject of an error,
// the statistic, is for the caller to add.
Result<void> check_inference(const BoundStatistic& statistic);

}  // namespace vernier::plan
