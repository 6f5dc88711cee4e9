#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statistics.hpp"

// Pearson's chi-square. Its law is that of many draws: neighbouring cells are joined until 100 draws are expected in
// each, where the error of that law is small beside the tenth of the level at which it objects.
namespace vernier::testing {

// What speaks against draws, one cell for each, having these probabilities.
Objection chi_square_objection(std::span<const std::size_t> draws, std::span<const double> probabilities,
                               double level = false_alarm);

// What speaks against two numbers, drawn together, being independent and having these probabilities.
Objection dependence_objection(std::span<const std::size_t> a, std::span<const double> probabilities_of_a,
                               std::span<const std::size_t> b, std::span<const double> probabilities_of_b,
                               double level = false_alarm);

// What speaks against two samples having the same law.
Objection difference_objection(std::span<const std::size_t> a, std::span<const std::size_t> b, std::size_t cells,
                               double level = false_alarm);

}  // namespace vernier::testing
