#include "cli/verify.hpp"

#include <fmt/format.h>

#include "cli/file.hpp"

namespace vernier::cli {
namespace {

constexpr std::size_t most_record_bytes = std::size_t{1} << 28;
constexpr std::size_t most_key_bytes = std::size_t{1} << 14;

Result<std::optional<release::PublicKey>> key_in(const Arguments& arguments) {
  if (!arguments.has("--public-key")) return std::nullopt;
  const std::string& path = arguments.one("--public-key");
  const Result<std::string> text = read_file(path, most_key_bytes);
  if (!text) return Failure(text.error());
  return public_key_in(*text, fmt::format("the file '{}'", path)).map([](const release::PublicKey& key) {
    return std::optional(key);
  });
}

}  // namespace

Result<release::PublicKey> public_key_in(const std::string& pem, const std::string& subject) {
  return release::PublicKey::of_pem(pem).map_error([&](const Error& error) {
    return Error{ErrorKind::invalid, subject + " " + error.sentence};
  });
}

Usage verify_usage() {
  return {.name = "verify",
          .summary = "checks a release from its record alone: signature, guarantee, every number and interval",
          .synopsis = "vernier verify RELEASE.json [--public-key FILE] [--json]",
          .subject = "RELEASE.json",
          .subject_help = "the record, byte by byte as it was published; neither data nor ledger are needed",
          .options = {{"--public-key", Takes::one_value, "FILE",
                       "the key that must have signed it, in PEM, as 'vernier key' prints it"}},
          .example =
              "  vernier verify release.json\n"
              "  vernier verify release.json --public-key office.pub --json\n"};
}

Result<void> run_verify(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid("the record is missing; write for example 'vernier verify release.json'");
  }
  const auto key = key_in(arguments);
  if (!key) return Failure(key.error());
  const Result<std::string> text = read_file(arguments.subject, most_record_bytes);
  if (!text) return Failure(text.error());
  const release::Verdict verdict = release::verify(*text, *key);
  arguments.has("--json") ? write_verdict_json(output, verdict) : write_verdict(output, verdict, key->has_value());
  if (verdict.holds()) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return fail(ErrorKind::system, fmt::format("'{}' does not hold: {}", arguments.subject, *verdict.first_problem));
}

}  // namespace vernier::cli
