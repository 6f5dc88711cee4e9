#pragma once

#include "vernier/core/version.hpp"

namespace vernier::cli {

using vernier::version;

}  // namespace vernier::cli
