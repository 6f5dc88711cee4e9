#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "vernier/core/result.hpp"

// The program that is audited, run as a user runs it, far from the user's own files.
namespace vernier::audit {

// A folder of its own, gone afterwards.
class Folder {
 public:
  static Result<Folder> make();
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  ~Folder();
  const std::filesystem::path& path() const { return path_; }
  Result<void> write(const std::string& name, const std::string& text) const;

 private:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// What came of a run.
struct Ran {
  int code;             // of the exit; -1 where a signal ended it
  std::string printed;  // on standard output
  std::string said;     // on standard error
};

// How a run is hindered.
struct Hindrance {
  std::int64_t greatest_file = -1;             // bytes; -1: as large as it likes
  std::function<bool()> kills_when = nullptr;  // looked at again and again; when it says yes the run is killed
  std::chrono::minutes longest{2};             // then it is ended, which is an error
};

class Program {
 public:
  // Its file, and the words before those of a run; `home` is the folder for keys and witnesses of these runs.
  Program(std::vector<std::string> words, std::filesystem::path home)
      : words_(std::move(words)), home_(std::move(home)) {}

  // Runs it in a folder. An error where it cannot be started, or has not ended after the longest time.
  Result<Ran> run(const std::filesystem::path& folder, const std::vector<std::string>& words,
                  const Hindrance& hindrance = {}) const;

  // All of them at once.
  Result<std::vector<Ran>> run_at_once(const std::filesystem::path& folder,
                                       const std::vector<std::vector<std::string>>& runs) const;

 private:
  std::vector<std::string> words_;
  std::filesystem::path home_;
};

}  // namespace vernier::audit
