#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"

// Who did what, one JSON line each; every line has the hash of the one before it, so that none can be changed, taken
// out or put in between unseen. What was cut off at the end is seen by who has kept the last hash.
namespace vernier::server {

// No token, no number of a release and no word of a statement is in it.
struct AuditLine {
  std::string what;  // "begin-session", "release"
  int code = 0;      // of the answer
  std::string name;  // of the person; empty where nobody is known
  std::string address;
  std::string catalog = {};
  std::string subject = {};  // the key of a release, the name of a token's person
  std::string plan_hash = {};
  std::optional<std::int64_t> entry = {};  // of the ledger
};

class Audit {
 public:
  // Goes on where the file ends, which is made where it is missing, readable by its owner alone. One server at a time.
  static Result<Audit> open(const std::filesystem::path& file);
  Audit(Audit&& other) noexcept;
  Audit& operator=(Audit&&) = delete;
  Audit(const Audit&) = delete;
  ~Audit();

  // On the disk when it returns.
  Result<void> add(const AuditLine& line);
  Result<std::vector<std::string>> last(std::size_t count) const;

 private:
  Audit(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

  std::filesystem::path file_;
  int descriptor_;
  std::int64_t index_ = 0;
  std::string head_ = std::string(64, '0');
};

struct AuditVerdict {
  std::int64_t lines;
  std::string head;  // the hash of the last one
};
// An error names the first line that does not follow from the one before it.
Result<AuditVerdict> verify_audit(const std::filesystem::path& file);

}  // namespace vernier::server
