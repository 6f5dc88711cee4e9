#pragma once

#include "vernier/query/value.hpp"

namespace vernier::query {

inline constexpr Day first_day{-719162};  // 0001-01-01
inline constexpr Day last_day{2932896};   // 9999-12-31

int year_of(Day day);

}  // namespace vernier::query
