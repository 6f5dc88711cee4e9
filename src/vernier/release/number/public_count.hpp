#pragma once

#include <array>
#include <optional>
#include <span>

#include "vernier/release/number/number_maker.hpp"

// Means that rest on the public number of rows: plan/bind/public_count.md.
namespace vernier::release {

// The integers of such a measurement: the number of rows as it is, then the sum, or three node sums. `tallies` are rows
// and sum, or rows and the two sums of squares.
void write_public_count(const plan::Measurement& measurement, const std::array<std::int64_t, 3>& tallies,
                        std::span<std::int64_t> out);

// The sentence may say so, since it is about a number that is public.
Failure more_rows_than_may_be(const query::Table& table);

// What is published from them, at this level.
Result<NumberMaker> public_count_maker(const plan::BoundStatistic& statistic, const plan::Measurement& measurement,
                                       const plan::AdditiveLaw& law, Alpha level);

// The public number of rows that a released table rests on; none where it rests on none.
std::optional<std::int64_t> public_rows(const plan::BoundStatistic& statistic, const Table& table);

}  // namespace vernier::release
