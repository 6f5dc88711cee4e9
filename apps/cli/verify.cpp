#include "cli/verify.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/file.hpp"
#include "cli/verify_folder.hpp"

namespace vernier::cli {
namespace {

constexpr std::size_t most_key_bytes = std::size_t{1} << 14;

Result<std::optional<release::PublicKey>> key_in(const Arguments& arguments) {
  if (!arguments.has("--public-key")) return std::nullopt;
  const std::string& path = arguments.one("--public-key");
  VERNIER_TRY(const std::string text, read_file(path, most_key_bytes));
  return public_key_in(text, fmt::format("the file '{}'", path)).map([](const release::PublicKey& key) {
    return std::optional(key);
  });
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Result<release::Verdict> verdict_on_file(const std::string& path, const std::optional<release::PublicKey>& key) {
  if (is_folder(path)) return verify_folder(path, key);
  return read_file(path, most_record_bytes).map([&](const std::string& text) { return release::verify(text, key); });
}

}  // namespace

Result<release::PublicKey> public_key_in(const std::string& pem, const std::string& subject) {
  return release::PublicKey::of_pem(pem).map_error([&](const Error& error) {
    return Error{ErrorKind::invalid, subject + " " + error.sentence};
  });
}

Usage verify_usage() {
  return {.name = "verify",
          .summary =
              "checks a release from its record alone: signature, guarantee, every number and interval; and all files",
          .synopsis = "vernier verify (DIR | RELEASE.json) [--public-key FILE] [--json]",
          .subject = "DIR|RELEASE.json",
          .subject_help =
              "the folder as it was published, with all files in it, or its release.json alone; nothing else is needed",
          .options = {{"--public-key", Takes::one_value, "FILE",
                       "the key that must have signed it, in PEM, as 'vernier key' prints it"}},
          .example =
              "  vernier verify study-release\n"
              "  vernier verify study-release/release.json\n"
              "  vernier verify study-release --public-key office.pub --json\n"};
}

Result<void> run_verify(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid("the release is missing; write for example 'vernier verify study-release'");
  }
  VERNIER_TRY(const auto key, key_in(arguments));
  VERNIER_TRY(const release::Verdict verdict, verdict_on_file(arguments.subject, key));
  arguments.has("--json") ? write_verdict_json(output, verdict) : write_verdict(output, verdict, key.has_value());
  if (verdict.holds()) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return fail(ErrorKind::system, fmt::format("'{}' does not hold: {}", arguments.subject, *verdict.first_problem));
}

}  // namespace vernier::cli
