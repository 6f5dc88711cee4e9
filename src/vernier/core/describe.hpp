#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>

#include "vernier/core/json_writer.hpp"
#include "vernier/core/named.hpp"

// A record is described once, by a function that names its fields in their order:
//
//     template <class V>
//     void describe(V& v, Of<V, Weight>& weight) {
//       v("column", weight.column);
//       v("heaviest", weight.heaviest, Whole{1, 100});
//     }
//
// Whoever visits decides what becomes of them: JsonOut writes them, release/record/json_in.hpp reads them and refuses
// everything else. The text that is hashed is what JsonOut writes.
namespace vernier {

// What a visitor is given: the thing itself where it reads, else one that it cannot change.
template <class V, class T>
using Of = std::conditional_t<V::reads, T, const T>;

// Rules for whoever reads. Whole numbers from least to greatest.
struct Whole {
  std::int64_t least = INT64_MIN;
  std::int64_t greatest = INT64_MAX;
};
// How many a list may have.
struct AtMost {
  std::size_t count = 10'000;
};
// Any other: whether a value is good, and what is said of one that is not.
template <class Holds>
struct Rule {
  Holds holds;
  std::string_view must;
};

namespace detail {
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
}  // namespace detail

template <class T>
concept Optional = detail::is_optional<T>;
template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;
// Exact numbers and others that are written as a text of their own.
template <class T>
concept Spelled = requires(const T& value) {
  { value.text() } -> std::convertible_to<std::string>;
};
// A strong type over a number.
template <class T>
concept Strong = !Optional<T> && requires(const T& value) {
  { value.value() } -> std::convertible_to<double>;
};

// Writes JSON, without white space: the same bytes for the same values.
class JsonOut {
 public:
  static constexpr bool reads = false;
  explicit JsonOut(JsonWriter& json) : json_(json) {}

  // A field; null where it is an optional without a value.
  template <class T, class... Rules>
  void operator()(std::string_view key, const T& value, const Rules&...) {
    json_.key(key);
    write(value);
  }
  // One that is left out where there is none, or where it is false.
  template <class T, class... Rules>
  void maybe(std::string_view key, const std::optional<T>& value, const Rules&...) {
    if (value) (*this)(key, *value);
  }
  void flag(std::string_view key, bool value) {
    if (value) (*this)(key, true);
  }
  // One that follows from others.
  template <class T>
  void same(std::string_view key, const T& value) {
    (*this)(key, value);
  }

  // Whether there is an object of this name: else it is left out, or null.
  bool has(std::string_view, bool is_there) { return is_there; }
  bool has_or_null(std::string_view key, bool is_there) {
    if (!is_there) (*this)(key, std::optional<bool>());
    return is_there;
  }
  template <class Inside>
  void object(std::string_view key, const Inside& inside) {
    json_.key(key);
    json_.begin_object();
    inside(*this);
    json_.end_object();
  }
  // A list of objects; whoever reads calls `grow` before each.
  template <class Grow, class Each>
  void objects(std::string_view key, std::size_t count, std::size_t, const Grow&, const Each& each) {
    exactly(key, count, each);
  }
  // A list of as many objects as are known already.
  template <class Each>
  void exactly(std::string_view key, std::size_t count, const Each& each) {
    json_.key(key);
    json_.begin_array();
    for (std::size_t i = 0; i < count; ++i) {
      json_.begin_object();
      each(*this, i);
      json_.end_object();
    }
    json_.end_array();
  }

  // A list of lists of numbers, likewise; `at` gives each of them.
  template <class Grow, class At>
  void lists(std::string_view key, std::size_t count, std::size_t, const Grow&, const At& at) {
    json_.key(key);
    json_.begin_array();
    for (std::size_t i = 0; i < count; ++i) write(at(i));
    json_.end_array();
  }

  // What else has to be true, of whoever reads.
  void require(std::string_view, bool, std::string_view) {}

 private:
  template <class T>
  void write(const T& value) {
    if constexpr (Optional<T>) {
      value ? write(*value) : json_.null();
    } else if constexpr (std::is_same_v<T, bool>) {
      json_.boolean(value);
    } else if constexpr (Named<T>) {
      json_.value(std::string_view(name_of(value)));
    } else if constexpr (std::is_integral_v<T>) {
      json_.value(static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      json_.value(value);
    } else if constexpr (Text<T>) {
      json_.value(std::string_view(value));
    } else if constexpr (Spelled<T>) {
      json_.value(std::string_view(value.text()));
    } else if constexpr (Strong<T>) {
      write(value.value());
    } else {
      json_.begin_array();
      for (const auto& one : value) write(one);
      json_.end_array();
    }
  }
  JsonWriter& json_;
};

// What a visit writes, as one object.
template <class Inside>
std::string json_of(const Inside& inside) {
  std::string text;
  JsonWriter json(text);
  JsonOut out(json);
  json.begin_object();
  inside(out);
  json.end_object();
  return text;
}

}  // namespace vernier
