#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"
#include "vernier/ledger/entry.hpp"

// Files and folders that appear whole or not at all, and never over what is there.
namespace vernier::study {

// The whole content of a file, or of a pipe, of at most so many bytes.
inline constexpr std::size_t most_bytes = std::size_t{1} << 26;
Result<std::string> read_file(const std::string& path, std::size_t most = most_bytes);

// Whether nothing has this name, not even a link that leads nowhere: no command writes over what is there.
Result<void> check_new(const std::string& path);

// Writes the whole file or nothing: to a new file beside it, which then takes its name. What is there already, whatever
// it is, is left as it is, and that is an error.
Result<void> write_file(const std::string& path, std::string_view content);

// A new folder of files that appears whole or not at all: written beside its place under another name, it takes its own
// name at the end. What is not finished is removed again.
class Folder {
 public:
  // The place must be free, or an empty folder other than the current one: a release is never written over another.
  static Result<Folder> begin(const std::filesystem::path& place);

  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  Result<void> write(const std::string& name, std::string_view content) const;
  Result<void> finish();

 private:
  Folder(std::filesystem::path place, std::filesystem::path temporary);
  std::filesystem::path place_;
  std::filesystem::path temporary_;  // empty once it is finished
};

// All documents but the text for a person, and the folder takes its name.
Result<void> write_documents(Folder& folder, const ledger::Documents& documents);
Result<void> write_folder(const std::filesystem::path& place, const ledger::Documents& documents);

}  // namespace vernier::study
