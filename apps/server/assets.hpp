#pragma once

#include <span>
#include <string_view>

// The page, which the build has put into the program.
namespace vernier::server {

struct Asset {
  std::string_view path;  // "/", "/main-4K2X.js"
  std::string_view type;
  std::string_view content;
  std::string_view compressed;  // by gzip; empty where that would not be smaller
};

std::span<const Asset> assets();

}  // namespace vernier::server
