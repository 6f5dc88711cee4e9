#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"

// A strict reader of what core/json_writer writes, for files that somebody else may have written.
namespace vernier::release {

using Json = nlohmann::json;

// An error for anything but one JSON value of this depth at most in which no object has a key twice, and no number is
// -0.
Result<Json> parse_strictly(std::string_view text, int most_depth);

// The first thing that is wrong; reading goes on with zeros and empty texts, so that it needs no other way out.
class Reading {
 public:
  void refuse(const std::string& what) {
    if (!problem_) problem_ = what;
  }
  bool is_refused() const { return problem_.has_value(); }
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  std::optional<std::string> problem_;
};

// Whole numbers from least to greatest.
struct Whole {
  std::int64_t least = INT64_MIN;
  std::int64_t greatest = INT64_MAX;
};

// The members of one object, each of which must be asked for exactly once and be of the kind that it is asked for.
class Fields {
 public:
  Fields(Reading& reading, const Json& object, std::string where);

  std::string text(const std::string& key);
  std::optional<std::string> text_or_null(const std::string& key);
  double number(const std::string& key);
  std::int64_t whole(const std::string& key, Whole range = {});
  bool boolean(const std::string& key);
  numeric::Rational exact(const std::string& key);
  const Json& list(const std::string& key, std::size_t most);
  Fields object(const std::string& key);
  const Json* object_or_null(const std::string& key);
  const Json& any(const std::string& key);

  bool has(const std::string& key) const { return object_.is_object() && object_.contains(key); }
  void done();  // refuses what was not asked for

  void refuse(const std::string& key, const std::string& why) { reading_.refuse(where_ + key + " " + why); }
  std::string where(const std::string& key) const { return where_ + key; }
  std::string where(const std::string& key, std::size_t place) const {
    return where(key).append("[").append(std::to_string(place)).append("]");
  }
  Reading& reading() { return reading_; }

 private:
  Reading& reading_;
  const Json& object_;
  std::string where_;
  std::set<std::string> seen_;
};

// A number as the writer writes it: infinities are texts.
double number_in(Reading& reading, const Json& json, const std::string& where);
// An integer as the writer writes it: what a double cannot hold is a text.
std::int64_t whole_in(Reading& reading, const Json& json, const std::string& where, Whole range = {});
std::string text_in(Reading& reading, const Json& json, const std::string& where);

}  // namespace vernier::release
