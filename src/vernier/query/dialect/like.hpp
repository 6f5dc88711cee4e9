#pragma once

#include <string>
#include <string_view>
#include <vector>

// Patterns of LIKE, taken apart for engines that must not try every place for every % (like.md).
namespace vernier::query {

// What stands between the %: "a%_b%" is {"a", "_b", ""}. Without % there is one piece; empty ones stand at the ends
// alone.
struct LikePattern {
  std::vector<std::string> pieces;

  bool has_any() const { return pieces.size() > 1; }  // a %
  bool has_one() const;                               // a _
  std::string_view first() const { return pieces.front(); }
  std::string_view last() const { return pieces.back(); }
  std::vector<std::string> inner() const;  // without the first and the last
};

LikePattern like_pattern(std::string_view pattern);

// How many characters a piece stands for.
std::size_t characters(std::string_view piece);

// A piece as a regular expression under (?s): of letters, digits, \x{..} and the dot alone, which RE2, Java and Joni
// read alike.
std::string as_regexp(std::string_view piece);

// With ! as the escape: engines have different ones of their own.
std::string with_escapes(std::string_view pattern);

}  // namespace vernier::query
