#pragma once

#include <string>

#include "support/temporary_folder.hpp"

namespace vernier::testing {

// A folder of this process alone, with a slash at its end, so that tests that run side by side write different files;
// it goes with the process.
inline std::string own_folder() {
  static const TemporaryFolder folder;
  return folder.path().string() + "/";
}

}  // namespace vernier::testing
