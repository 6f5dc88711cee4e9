#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

// Enumerations whose values count from 0 to the one that last_of tells, and whose names stand once, in name_of.
namespace vernier {

template <class T>
concept Named = std::is_enum_v<T> && requires(T value) {
  last_of(value);
  name_of(value);
};

// The value of this name; none where no value has it.
template <Named E>
constexpr std::optional<E> named(std::string_view name) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last_of(E{})); ++i) {
    if (name_of(static_cast<E>(i)) == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace vernier
