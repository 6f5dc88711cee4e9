#include "cli/verify/verify.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "vernier/core/text.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/series.hpp"
#include "vernier/study/verify.hpp"

namespace vernier::cli {
namespace {

using release::Record;
using release::Verdict;

std::string protected_text(const Record& record) {
  const bool is_row = !first_table(record.plan.study).unit;
  const std::string whom = is_row ? "a row" : fmt::format("a '{}'", one_line(plan::unit_of(record.plan.study)));
  return record.plan.study.neighbours == privacy::Neighbours::replace ? "what the data says of " + whom
                                                                      : "whether " + whom + " is in the data";
}

void write_guarantee(Output& output, const Verdict& verdict, bool key_was_given) {
  const plan::Plan& plan = verdict.record->plan;
  output.write(fmt::format("\nprotected: {}, with epsilon {}, delta {} ({}, by {})\n", protected_text(*verdict.record),
                           rounded_up_text(plan.epsilon), rounded_up_text(plan.delta.value()),
                           privacy::name_of(plan.study.neighbours), accounting::name_of(plan.method)));
  output.write(fmt::format("signed by the key {}\n", verdict.signer->fingerprint()));
  output.write(key_was_given ? "which is the key that was given\n"
                             : "the record itself names this key: give --public-key to know who it is\n");
}

// Whoever verifies the record alone may take its neighbours for verified, too.
void write_what_is_left(Output& output, const Verdict& verdict) {
  const std::size_t files = verdict.record->documents.size();
  if (files == 0 || verdict.checks.back().name == "documents") return;
  output.write(files == 1 ? "1 file that it vouches for was not looked at: give its folder to check it, too\n"
                          : fmt::format("{} files that it vouches for were not looked at: give their folder to check "
                                        "them, too\n",
                                        files));
}

}  // namespace

void write_verdict(Output& output, const Verdict& verdict, bool key_was_given) {
  std::vector<Line> lines;
  for (const release::Check& check : verdict.checks) {
    lines.push_back({std::string(check.name), std::to_string(check.count), std::string(check.what)});
  }
  write_lines(output, lines);
  if (!verdict.holds()) return;
  write_guarantee(output, verdict, key_was_given);
  write_what_is_left(output, verdict);
}

void write_verdict_json(Output& output, const Verdict& verdict) {
  JsonWriter json(output);
  json.begin_object();
  json.key("holds");
  json.boolean(verdict.holds());
  json.member("first_problem",
              verdict.first_problem ? std::optional<std::string_view>(*verdict.first_problem) : std::nullopt);
  json.member("signer", verdict.signer ? std::optional<std::string_view>(verdict.signer->fingerprint()) : std::nullopt);
  json.key("checks");
  json.begin_array();
  for (const release::Check& check : verdict.checks) {
    json.begin_object();
    json.member("name", check.name);
    json.member("what", check.what);
    json.member("count", check.count);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  output.write("\n");
}

namespace {

constexpr std::size_t most_key_bytes = std::size_t{1} << 14;

Result<std::optional<release::PublicKey>> key_in(const Arguments& arguments) {
  if (!arguments.has("--public-key")) return std::nullopt;
  const std::string& path = arguments.one("--public-key");
  VERNIER_TRY(const std::string text, study::read_file(path, most_key_bytes));
  return study::expected_key(text, fmt::format("the file '{}'", path));
}

}  // namespace

namespace {

void write_steps_verdict(Output& output, const release::SeriesVerdict& verdict, bool key_was_given) {
  std::vector<Line> lines;
  for (const release::Check& check : verdict.checks)
    lines.push_back({std::string(check.name), std::to_string(check.count), std::string(check.what)});
  write_lines(output, lines);
  if (!verdict.holds()) return;
  const plan::SeriesPlanFacts& plan = verdict.records.front().plan;
  output.write(
      fmt::format("\nprotected: whether a {} is in the data, with epsilon {}, delta {}, from all steps together\n",
                  plan.unit ? "'" + one_line(*plan.unit) + "'" : "row", rounded_up_text(plan.epsilon),
                  rounded_up_text(plan.delta.value())));
  output.write(fmt::format("signed by the key {}\n", verdict.signer->fingerprint()));
  output.write(key_was_given ? "which is the key that was given\n"
                             : "the record itself names this key: give --public-key to know who it is\n");
  if (verdict.records.front().first > 0) {
    output.write(
        "numbers were not recomputed, for which all steps before are needed: name the folder around them, or "
        "give them behind --and\n");
  }
}

// Whether the place is one of steps of a series, which were then checked.
Result<bool> verify_steps_of(const Arguments& arguments, const std::optional<release::PublicKey>& key, Output& output) {
  std::vector<std::filesystem::path> places{arguments.subject};
  if (arguments.has("--and")) {
    for (const std::string& one : arguments.all("--and")) places.emplace_back(one);
  }
  VERNIER_TRY(const auto verdict, study::verify_series(places, key));
  if (!verdict && arguments.has("--and"))
    return invalid("not all of these are steps of a series", "name each release by itself");
  if (!verdict) return false;
  if (arguments.has("--json")) {
    release::Verdict told{verdict->checks, verdict->first_problem, {}, verdict->signer};
    write_verdict_json(output, told);
  } else {
    write_steps_verdict(output, *verdict, key.has_value());
  }
  if (verdict->holds()) return true;
  if (Result<void> printed = output.finish(); !printed) return Failure(printed.error());
  return fail(ErrorKind::system, fmt::format("'{}' does not hold: {}", arguments.subject, *verdict->first_problem));
}

}  // namespace

Usage verify_usage() {
  return {
      .name = "verify",
      .summary =
          "checks a release from its record alone: signature, guarantee, every number and interval; and all files",
      .synopsis = "vernier verify (DIR | RELEASE.json) [--and DIR|RELEASE.json ...] [--public-key FILE] [--json]",
      .subject = "DIR|RELEASE.json",
      .subject_help =
          "the folder as it was published, with all files in it, or its release.json alone; nothing else is needed",
      .options = {{"--public-key", Takes::one_value, "FILE",
                   "the key that must have signed it, in PEM, as 'vernier key' prints it"},
                  {"--and", Takes::several_values, "DIR|RELEASE.json",
                   "more steps of the same series, which are checked as one chain; or name the folder around them"}},
      .example =
          "  vernier verify study-release\n"
          "  vernier verify study-release/release.json\n"
          "  vernier verify study-release --public-key office.pub --json\n"
          "  vernier verify cases-2027-03-04 --and cases-2027-03-05\n"};
}

Result<void> run_verify(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid("the release is missing; write for example 'vernier verify study-release'");
  }
  VERNIER_TRY(const auto key, key_in(arguments));
  VERNIER_TRY(const bool is_done, verify_steps_of(arguments, key, output));
  if (is_done) return {};
  VERNIER_TRY(const release::Verdict verdict, study::verify(arguments.subject, key));
  arguments.has("--json") ? write_verdict_json(output, verdict) : write_verdict(output, verdict, key.has_value());
  if (verdict.holds()) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return fail(ErrorKind::system, fmt::format("'{}' does not hold: {}", arguments.subject, *verdict.first_problem));
}

}  // namespace vernier::cli
