#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier {

// SHA-256 (FIPS 180-4) of the bytes, as 64 hex digits.
Result<std::string> sha256(std::string_view bytes);

// The same of a file, whatever its size.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

// Bytes as lower-case hex digits.
std::string hex(std::string_view bytes);

}  // namespace vernier
