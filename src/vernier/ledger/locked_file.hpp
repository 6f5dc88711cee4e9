#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::ledger {

// A file that no other LockedFile of this machine has open at the same time: opening waits (flock).
class LockedFile {
 public:
  enum class Missing : std::uint8_t { is_error, is_made };
  static Result<LockedFile> open(const std::filesystem::path& path, Missing missing);

  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&&) = delete;
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile();

  Result<std::string> read() const;

  // On the disk when it returns, its folder's entry too. After an error as much of the text may stand there as a crash
  // would have left.
  Result<void> append(std::string_view text);

 private:
  LockedFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Failure failed(const char* what) const;
  Result<void> write_all(std::string_view text);
  Result<void> sync_folder() const;

  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace vernier::ledger
