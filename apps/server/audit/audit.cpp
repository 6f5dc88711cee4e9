#include "server/audit/audit.hpp"

#include <ctime>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vernier/core/hash.hpp"
#include "vernier/core/json_writer.hpp"

namespace vernier::server {
namespace {

namespace fs = std::filesystem;

Failure cannot(const fs::path& file, const char* what) {
  return fail(ErrorKind::system, fmt::format("the audit log '{}' {}", file.string(), what),
              "look who else uses it, and whether its disk is full");
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string text_of(const AuditLine& line, std::int64_t index, const std::string& before) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("index", index);
  json.member("utc", std::string_view(utc_now()));
  json.member("what", std::string_view(line.what));
  json.member("code", std::int64_t{line.code});
  json.member("name", std::string_view(line.name));
  json.member("address", std::string_view(line.address));
  const auto maybe = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) json.member(key, std::string_view(value));
  };
  maybe("catalog", line.catalog);
  maybe("subject", line.subject);
  maybe("plan_hash", line.plan_hash);
  if (line.entry) json.member("entry", *line.entry);
  json.member("before", std::string_view(before));
  json.end_object();
  return text;
}

// Of a line as it stands, what links it.
struct Link {
  std::int64_t index;
  std::string before;
};
std::optional<Link> link_in(const std::string& line) {
  const nlohmann::json read = nlohmann::json::parse(line, nullptr, false);
  if (!read.is_object() || !read.contains("index") || !read.contains("before")) return std::nullopt;
  if (!read["index"].is_number_integer() || !read["before"].is_string()) return std::nullopt;
  return Link{read["index"].get<std::int64_t>(), read["before"].get<std::string>()};
}

}  // namespace

Result<AuditVerdict> verify_audit(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return invalid(fmt::format("the audit log '{}' cannot be read", file.string()), "name it by --audit");
  AuditVerdict verdict{0, std::string(64, '0')};
  for (std::string line; std::getline(in, line);) {
    const std::optional<Link> link = link_in(line);
    if (in.eof() || !link || link->index != verdict.lines + 1 || link->before != verdict.head) {
      return fail(ErrorKind::system, fmt::format("line {} of the audit log '{}'", verdict.lines + 1, file.string()),
                  "does not follow from the one before it", "somebody has changed it, or a write was cut short");
    }
    VERNIER_TRY(verdict.head, sha256(line));
    ++verdict.lines;
  }
  return verdict;
}

Result<Audit> Audit::open(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return cannot(file, "cannot be written");
  Audit audit(file, descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return cannot(file, "is being written by another server");
  struct stat facts {};
  if (::fstat(descriptor, &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return invalid(fmt::format("the audit log '{}'", file.string()), "can be read by others than its owner",
                   fmt::format("run chmod 600 {}", file.string()));
  }
  VERNIER_TRY(const AuditVerdict found, verify_audit(file));
  audit.index_ = found.lines;
  audit.head_ = found.head;
  return audit;
}

Audit::Audit(Audit&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      index_(other.index_),
      head_(std::move(other.head_)) {}

Audit::~Audit() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> Audit::add(const AuditLine& line) {
  const std::string text = text_of(line, index_ + 1, head_);
  VERNIER_TRY(std::string hash, sha256(text));
  const std::string whole = text + "\n";
  if (::write(descriptor_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()) ||
      ::fdatasync(descriptor_) != 0) {
    return cannot(file_, "cannot be written");
  }
  ++index_;
  head_ = std::move(hash);
  return {};
}

Result<std::vector<std::string>> Audit::last(std::size_t count) const {
  std::ifstream in(file_, std::ios::binary);
  if (!in) return cannot(file_, "cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
    if (lines.size() > count) lines.erase(lines.begin());
  }
  return lines;
}

}  // namespace vernier::server
