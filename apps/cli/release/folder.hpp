#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// A new folder of files that appears whole or not at all: written beside its place under another name, it takes its own
// name at the end. What is not finished is removed again.
class ReleaseFolder {
 public:
  // The place must be free, or an empty folder other than the current one: a release is never written over another.
  static Result<ReleaseFolder> begin(const std::filesystem::path& place);

  ReleaseFolder(ReleaseFolder&& other) noexcept;
  ReleaseFolder& operator=(ReleaseFolder&&) = delete;
  ~ReleaseFolder();

  Result<void> write(const std::string& name, std::string_view content) const;
  Result<void> finish();

 private:
  ReleaseFolder(std::filesystem::path place, std::filesystem::path temporary);
  std::filesystem::path place_;
  std::filesystem::path temporary_;  // empty once it is finished
};

}  // namespace vernier::cli
