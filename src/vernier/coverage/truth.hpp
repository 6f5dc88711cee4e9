#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vernier/coverage/population.hpp"
#include "vernier/coverage/question.hpp"

namespace vernier::coverage {

// What an interval has to hold: one value, or every one of a stretch, as quantiles are where the fraction falls between
// two rows.
struct Truth {
  double least, greatest;

  // Both, but for the rounding of doubles: 2^-40 of the sizes that are compared.
  bool is_in(const interval::Interval& interval) const;
};

enum class Whose : std::uint8_t { sample, population };

// The statistic of these rows, each given by its place among the steps of the population; none where it is not defined.
// That of a population is divided by its size, that of a sample by the rows less one; and of a population's quantiles
// it is the least, since its interval is for one of them and not for all.
std::optional<Truth> truth_of(const Question& question, const PlacedPopulation& population,
                              std::span<const std::uint32_t> rows, Whose whose);

}  // namespace vernier::coverage
