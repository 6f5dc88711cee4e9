#pragma once

#include <exception>

#include "vernier/core/result.hpp"

namespace vernier::ledger {

// An error that can be told even then: its last resort is so short a text that it needs no memory.
inline Failure out_of_memory() noexcept {
  try {
    return fail(ErrorKind::system, "the memory is exhausted; look into the ledger before you try again");
  } catch (const std::exception&) {
    return fail(ErrorKind::system, "out of memory");
  }
}

}  // namespace vernier::ledger
