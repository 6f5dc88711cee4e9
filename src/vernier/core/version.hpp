#pragma once

#include <string_view>

namespace vernier {

// Of this software: "0.1.0".
std::string_view version();

}  // namespace vernier
