#pragma once

#include <string_view>

// CASE x WHEN 1 THEN ... WHEN 2 THEN ... END: the parser writes x once for every WHEN, so that n of them inside of one
// another's x make 2^n copies of it and more.
namespace vernier::query {

// So many words of a statement at most, with those that the parser would write.
inline constexpr double most_words_of_cases = 200'000;

// How many words the parser makes of the statement, or more.
double words_with_cases(std::string_view sql);

}  // namespace vernier::query
