#pragma once

#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "vernier/core/result.hpp"

namespace vernier::python {

// Reads the classes of vernier._errors; called once, when the module is made.
void bind_errors();

// Raises the subclass of vernier.Error that this kind of error is, with its sentence and its parts. Parameters are
// spelled as keywords.
[[noreturn]] void raise(const Error& error);
[[noreturn]] inline void raise_invalid(std::string sentence) { raise({ErrorKind::invalid, std::move(sentence)}); }

// The value, or else its error raised.
template <class T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace vernier::python
