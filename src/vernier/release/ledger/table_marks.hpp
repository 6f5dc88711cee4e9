#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::release {

// What is remembered of tables besides what was spent on them: that one is closed, since the engine failed on it once
// data had been read, and that its file was read to the end in the state in which it is. release.md says why. It lies
// in a folder, one small file for each mark, and is remembered nowhere without one.
class TableMarks {
 public:
  TableMarks() = default;
  // `reopening` is what the steward writes to open a table again, up to its name, and `remedy` what comes first.
  TableMarks(std::filesystem::path folder, std::string reopening, std::string remedy = "repair or replace its file")
      : folder_(std::move(folder)), reopening_(std::move(reopening)), remedy_(std::move(remedy)) {}

  // An error for the first table that is closed, with what to do.
  Result<void> check_open(const std::vector<std::string>& tables) const;

  // Durable before it returns. What an error's sentence says of it, from "; " on; "" where nothing is remembered.
  std::string close(const std::vector<std::string>& tables) const;

  // Whether it was closed. It is looked through anew before it is next read.
  Result<bool> reopen(const std::string& table) const;

  // That the table's file was read to its end in this state. A mark that cannot be written is no error: then it is read
  // to its end again.
  bool has_seen(const std::string& table, const std::string& state) const;
  void remember(const std::string& table, const std::string& state) const;

 private:
  std::filesystem::path mark(const std::string& table, const char* kind) const;
  std::string how_to_reopen(const std::string& table) const;
  std::filesystem::path folder_;
  std::string reopening_;
  std::string remedy_;
};

}  // namespace vernier::release
