#pragma once

#include <string_view>

namespace vernier::cli {

// Of this program: "0.1.0".
std::string_view version();

}  // namespace vernier::cli
