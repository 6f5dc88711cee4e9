#pragma once

#include <string>
#include <string_view>

// Compressed texts, as the tools of their formats write them.
namespace vernier::testing {

std::string gzip(std::string_view text);
std::string zstd(std::string_view text);  // with a checksum

}  // namespace vernier::testing
