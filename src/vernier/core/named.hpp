#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

// Values that have a name, which stands once, in name_of: enumerations that count from 0 to the one that last_of tells,
// and types that find their own by T::named.
namespace vernier {

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  last_of(value);
  name_of(value);
};
template <class T>
concept Named = NamedEnum<T> || requires(const T& value) {
  name_of(value);
  { T::named(std::string_view()) } -> std::same_as<std::optional<T>>;
};

// The value of this name; none where no value has it.
template <Named T>
constexpr std::optional<T> named(std::string_view name) {
  if constexpr (NamedEnum<T>) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(last_of(T{})); ++i) {
      if (name_of(static_cast<T>(i)) == name) return static_cast<T>(i);
    }
    return std::nullopt;
  } else {
    return T::named(name);
  }
}

}  // namespace vernier
