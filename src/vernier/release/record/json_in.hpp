#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "vernier/core/describe.hpp"
#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"

// A strict reader of what core/describe.hpp writes, for files that somebody else may have written.
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

// Reads the fields that a description names from one object: each must be there and be of the kind that it is named
// with, and there may be no others.
class JsonIn {
 public:
  static constexpr bool reads = true;
  JsonIn(Reading& reading, const Json& object) : reading_(reading), object_(object) { check_object(); }

  template <class T, class... Rules>
  void operator()(std::string_view key, T& value, const Rules&... rules) {
    const Json& found = any(key);
    if (!found.is_discarded()) read(key, found, value, rules...);
  }
  template <class T, class... Rules>
  void maybe(std::string_view key, std::optional<T>& value, const Rules&... rules) {
    value.reset();
    if (contains(key)) (*this)(key, value.emplace(blank<T>()), rules...);
  }
  void flag(std::string_view key, bool& value) {
    value = contains(key);
    if (value) same(key, true);
  }
  template <class T>
  void same(std::string_view key, const T& value) {
    using Read = std::conditional_t<Text<T>, std::string, T>;
    auto stated = Read(value);
    (*this)(key, stated);
    if (!(stated == value)) refuse(key, spelled(stated) + " should be " + spelled(Read(value)));
  }

  bool has(std::string_view key, bool) const { return contains(key); }
  bool has_or_null(std::string_view key, bool) {
    if (contains(key) && !at(key).is_null()) return true;
    any(key);
    return false;
  }
  template <class Inside>
  void object(std::string_view key, const Inside& inside) {
    JsonIn inner(*this, key, no_place, any(key));
    inside(inner);
    inner.done();
  }
  template <class Grow, class Each>
  void objects(std::string_view key, std::size_t, std::size_t most, const Grow& grow, const Each& each) {
    const Json& found = list(key, most);
    for (std::size_t i = 0; i < found.size() && !reading_.is_refused(); ++i) {
      grow();
      inside_of(key, i, found[i], each);
    }
  }
  template <class Each>
  void exactly(std::string_view key, std::size_t count, const Each& each) {
    const Json& found = list(key, count);
    if (found.size() != count) refuse(key, "must be " + std::to_string(count) + ", as many as the certificate has");
    for (std::size_t i = 0; i < found.size() && !reading_.is_refused(); ++i) inside_of(key, i, found[i], each);
  }
  template <class Grow, class At>
  void lists(std::string_view key, std::size_t, std::size_t most, const Grow& grow, const At& at) {
    const Json& found = list(key, most);
    for (std::size_t i = 0; i < found.size() && !reading_.is_refused(); ++i) {
      grow();
      read(key, found[i], at(i));
    }
  }
  void require(std::string_view key, bool holds, std::string_view must) {
    if (!holds) refuse(key, must);
  }

  void refuse(std::string_view key, std::string_view why);
  void done();  // refuses what was not named

 private:
  static constexpr std::size_t no_place = SIZE_MAX;
  JsonIn(JsonIn& outer, std::string_view key, std::size_t place, const Json& object)
      : reading_(outer.reading_), object_(object), outer_(&outer), key_(key), place_(place) {
    check_object();
  }

  void check_object();
  bool contains(std::string_view key) const { return object_.is_object() && object_.contains(key); }
  const Json& at(std::string_view key) const { return *object_.find(key); }
  const Json& any(std::string_view key);  // discarded where it is missing
  const Json& list(std::string_view key, std::size_t most);
  std::string where() const;

  template <class Each>
  void inside_of(std::string_view key, std::size_t place, const Json& found, const Each& each) {
    JsonIn inner(*this, key, place, found);
    each(inner, place);
    inner.done();
  }

  template <class T>
  static T blank() {
    if constexpr (std::is_default_constructible_v<T>) {
      return T{};
    } else {
      return T::of(1);
    }
  }

  template <class T, class... Rules>
  void read(std::string_view key, const Json& json, T& value, const Rules&... rules) {
    if constexpr (Optional<T>) {
      if (json.is_null()) return value.reset();
      read(key, json, value.emplace(blank<typename T::value_type>()), rules...);
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      value = static_cast<T>(whole(key, json, rule_of(Whole{std::is_unsigned_v<T> ? 0 : INT64_MIN}, rules...)));
    } else if constexpr (std::ranges::range<T> && !Text<T>) {
      read_list(key, json, value, rules...);
    } else {
      read_one(key, json, value);
      (check(key, value, rules), ...);
    }
  }
  template <class T, class... Rules>
  void read_list(std::string_view key, const Json& json, std::vector<T>& values, const Rules&... rules) {
    const AtMost most = rule_of(AtMost{}, rules...);
    values.clear();
    if (!is_list(key, json, most.count)) return;
    for (const Json& one : json) read(key, one, values.emplace_back(), rules...);
  }
  template <class T, std::size_t N, class... Rules>
  void read_list(std::string_view key, const Json& json, std::array<T, N>& values, const Rules&... rules) {
    if (!json.is_array() || json.size() != N) return refuse(key, "must be a list of " + std::to_string(N));
    for (std::size_t i = 0; i < N; ++i) read(key, json[i], values[i], rules...);
  }

  template <Named E>
  void read_one(std::string_view key, const Json& json, E& value) {
    const std::optional<E> found = named<E>(text(key, json));
    if (!found) return refuse(key, "is a word that releases do not have");
    value = *found;
  }
  template <Strong T>
  void read_one(std::string_view key, const Json& json, T& value) {
    double number = 0;
    read_one(key, json, number);
    const auto made = T::of(number);
    if (!made) return refuse(key, "is outside of what can be");
    value = *made;
  }
  void read_one(std::string_view key, const Json& json, bool& value);
  void read_one(std::string_view key, const Json& json, double& value);
  void read_one(std::string_view key, const Json& json, std::string& value) { value = text(key, json); }
  void read_one(std::string_view key, const Json& json, numeric::Rational& value);

  std::int64_t whole(std::string_view key, const Json& json, Whole range);
  std::string text(std::string_view key, const Json& json);
  bool is_list(std::string_view key, const Json& json, std::size_t most);

  // The rule of this kind among those that are given.
  template <class Wanted>
  static Wanted rule_of(Wanted usual) {
    return usual;
  }
  template <class Wanted, class First, class... Rest>
  static Wanted rule_of(Wanted usual, const First& first, const Rest&... rest) {
    if constexpr (std::is_same_v<First, Wanted>) {
      return first;
    } else {
      return rule_of(usual, rest...);
    }
  }
  template <class T, class R>
  void check(std::string_view key, const T& value, const R& rule) {
    if constexpr (requires { rule.holds(value); }) require(key, rule.holds(value), rule.must);
  }
  static std::string spelled(bool value) { return value ? "true" : "false"; }
  static std::string spelled(std::int64_t value) { return std::to_string(value); }
  static std::string spelled(double value);
  static std::string spelled(const std::string& value) { return "'" + value + "'"; }
  template <Named E>
  static std::string spelled(E value) {
    return std::string(name_of(value));
  }

  Reading& reading_;
  const Json& object_;
  JsonIn* outer_ = nullptr;  // what it stands in, by this name and place
  std::string_view key_ = {};
  std::size_t place_ = no_place;
  std::vector<std::string_view> seen_ = {};
};

}  // namespace vernier::release
