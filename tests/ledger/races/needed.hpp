#pragma once

#include <stdexcept>

#include "vernier/core/result.hpp"

namespace vernier::testing {

// What must not fail: std::runtime_error with the sentence where it does.
template <class T>
T needed(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().sentence());
  return *std::move(result);
}
inline void needed(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().sentence());
}

}  // namespace vernier::testing
