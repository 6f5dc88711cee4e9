#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

// Names of enumerations whose values count from 0. Each says them once, beside itself:
//
//     enum class Manner : std::uint8_t { total, divergence };
//     constexpr std::array<std::string_view, 2> names_of(Manner) { return {"total", "divergence"}; }
namespace vernier {

template <class T>
concept Named = std::is_enum_v<T> && requires(T value) { names_of(value); };

template <Named E>
constexpr std::string_view name_in(E value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

// The value of this name; none where no value has it.
template <Named E>
constexpr std::optional<E> named(std::string_view name) {
  constexpr auto names = names_of(E{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace vernier
