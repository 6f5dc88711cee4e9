#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier {

// SHA-256 (FIPS 180-4) of the bytes, as 64 hex digits.
Result<std::string> sha256(std::string_view bytes);

// The same without memory of its own, for who hashes much.
using Sha256Digits = std::array<char, 64>;
Result<Sha256Digits> sha256_digits(std::string_view bytes);
inline std::string_view text_of(const Sha256Digits& digits) { return {digits.data(), digits.size()}; }

// The same of a file, whatever its size.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

// Bytes as lower-case hex digits.
std::string hex(std::string_view bytes);

}  // namespace vernier
