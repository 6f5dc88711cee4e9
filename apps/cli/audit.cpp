#include "vernier/audit/audit.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/decimal.hpp"
#include "cli/ledger/amounts.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "report/page.hpp"
#include "text/numbers.hpp"
#include "vernier/audit/mutants.hpp"
#include "vernier/core/version.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

using audit::Finding;
using audit::Report;
using audit::Section;
using audit::Verdict;

// ---- for a person

std::string figure(const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : ""; }

Row row_of(const Finding& finding) {
  return {finding.claim,           tried_words(finding),     figure(finding.found),
          figure(finding.claimed), name_of(finding.verdict), finding.caught};
}

void write_section(Output& output, const Section& section) {
  output.write(fmt::format("\n# {}\n\n", section.title));
  std::vector<Row> rows;
  for (const Finding& finding : section.findings) rows.push_back(row_of(finding));
  write_aligned(
      output,
      {{"claim"}, {"tried"}, {"bound", Align::right}, {"claimed", Align::right}, {"verdict"}, {"would have caught"}},
      rows);
  for (const Finding& finding : section.findings) {
    if (finding.verdict == Verdict::stands || finding.verdict == Verdict::not_tried) continue;
    output.write("\n");
    output.write(wrapped("", fmt::format("{}: {}", finding.claim, finding.outcome), 2));
  }
}

std::string conclusion(const Report& report) {
  if (report.refuted()) return "A claim is refuted.";
  if (report.lacks_power()) return "Nothing is refuted, but a trial was too small to see a mistake.";
  return "Nothing is refuted.";
}

// ---- for programs

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object();
  json.member("claim", std::string_view(finding.claim));
  json.member("trials", finding.trials);
  json.member("of", std::string_view(finding.of));
  json.member("claimed", finding.claimed);
  json.member("found", finding.found);
  json.member("level", finding.level);
  json.member("outcome", std::string_view(finding.outcome));
  json.member("would_have_caught", std::string_view(finding.caught));
  json.member("verdict", std::string_view(name_of(finding.verdict)));
  json.end_object();
}

void write_section(JsonWriter& json, const Section& section) {
  json.begin_object();
  json.member("name", std::string_view(section.name));
  json.member("title", std::string_view(section.title));
  json.member("question", std::string_view(section.question));
  json.key("findings");
  json.begin_array();
  for (const Finding& finding : section.findings) write_finding(json, finding);
  json.end_array();
  json.end_object();
}

void write_mutants(JsonWriter& json) {
  json.key("mutants");
  json.begin_array();
  for (const audit::Mutant& mutant : audit::mutants()) {
    json.begin_object();
    json.member("number", std::int64_t{mutant.number});
    json.member("mistake", mutant.mistake);
    json.member("program", mutant.program);
    json.member("test", mutant.test);
    json.end_object();
  }
  json.end_array();
}

// `seconds` since 1970.
void write_audit_text(Output& output, const Report& report, std::int64_t seconds) {
  output.write(fmt::format("Vernier {} with {}, audited on {}\n", version(), fmt::join(report.engines, ", "),
                           utc_text(seconds)));
  for (const Section& section : report.sections) write_section(output, section);
  output.write(wrapped("\n",
                       fmt::format("{} A sound installation is refuted in one audit of {} at most. What stands "
                                   "behind \"would have caught\" is found with probability {} at least. That "
                                   "nothing is refuted proves nothing more.",
                                   conclusion(report), text::grouped(1'000'000), 1 - audit::missed),
                       0));
}

void write_audit_json(Output& output, const Report& report, std::int64_t seconds) {
  JsonWriter json(output);
  json.begin_object();
  json.member("version", version());
  json.member("date", std::string_view(utc_text(seconds)));
  json.key("engines");
  json.begin_array();
  for (const std::string& engine : report.engines) json.value(std::string_view(engine));
  json.end_array();
  json.member("minutes", report.minutes);
  json.member("false_alarm", audit::false_alarm);
  json.member("missed", audit::missed);
  json.key("refuted");
  json.boolean(report.refuted());
  json.key("lacks_power");
  json.boolean(report.lacks_power());
  json.key("sections");
  json.begin_array();
  for (const Section& section : report.sections) write_section(json, section);
  json.end_array();
  write_mutants(json);
  json.end_object();
  output.write("\n");
}

// What is wrong, in one sentence, where something was refuted or could not be seen.
std::string audit_sentence(const Report& report) {
  const Verdict worst = report.refuted() ? Verdict::refuted : Verdict::powerless;
  for (const Section& section : report.sections) {
    for (const Finding& finding : section.findings) {
      if (finding.verdict != worst) continue;
      const char* const advice = worst == Verdict::refuted
                                     ? "publish nothing with this installation, and report it as SECURITY.md says"
                                     : "give the audit more --minutes, on a machine that is less busy";
      return fmt::format("the audit {}: {}: {}; {}", worst == Verdict::refuted ? "refutes a claim" : "lacks power",
                         finding.claim, finding.outcome, advice);
    }
  }
  return {};
}

Result<double> minutes_of(const Arguments& arguments) {
  if (!arguments.has("--minutes")) return 10;
  const std::string& text = arguments.one("--minutes");
  VERNIER_TRY(const Decimal minutes, read_decimal("--minutes", text));
  if (minutes.nearest >= audit::least_minutes && minutes.nearest <= audit::greatest_minutes) return minutes.nearest;
  return invalid(fmt::format("--minutes must be from {} to {}, such as 10, but it is '{}'", audit::least_minutes,
                             audit::greatest_minutes, text));
}

// Told before anything is tried: an audit takes minutes.
Result<void> check_place(const fs::path& place) {
  if (Result<void> is_new = study::check_new(place.string()); !is_new) return is_new;
  std::error_code failed;
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  if (fs::is_directory(folder, failed)) return {};
  return invalid(
      fmt::format("there is no folder '{}' for the page; make it, or name another behind --out", folder.string()));
}

Result<void> check_folder(const fs::path& folder) {
  std::error_code failed;
  if (fs::is_directory(folder, failed)) return {};
  return invalid(
      fmt::format("there is no folder '{}' of test programs; name the folder 'tests' of a build behind "
                  "--mutants, or leave it out",
                  folder.string()));
}

std::vector<std::string>& words_of_another() {
  static std::vector<std::string> words;
  return words;
}

Result<audit::Settings> settings_of(const Arguments& arguments) {
  VERNIER_TRY(const double minutes, minutes_of(arguments));
  VERNIER_TRY(std::vector<std::string> program, own_program());
  audit::Settings settings{.program = std::move(program), .minutes = minutes, .to_parquet = audit::copy_to_parquet};
  if (!arguments.has("--mutants")) return settings;
  settings.mutants = arguments.one("--mutants");
  VERNIER_TRY(check_folder(*settings.mutants));
  return settings;
}

}  // namespace

Result<std::vector<std::string>> own_program() {
  if (!words_of_another().empty()) return words_of_another();
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  // Started by the loader that a package brings along for old systems, it is started again by the package's own script.
  const char* const launcher = own.filename().string().starts_with("ld-") ? std::getenv("VERNIER_LAUNCHER") : nullptr;
  if (launcher != nullptr) return std::vector<std::string>{launcher};
  if (!failed) return std::vector<std::string>{own.string()};
  return fail(ErrorKind::system, "the program does not find its own file, which it would run; is /proc there?");
}

void start_again_by(std::vector<std::string> words) { words_of_another() = std::move(words); }

Usage audit_usage() {
  return {.name = "audit",
          .summary = "tries to refute the privacy of this installation, and says what it would have found",
          .synopsis =
              "vernier audit [--minutes M] [--out report.html] [--mutants DIR] [--json]\n"
              "\n"
              "Draws noise and compares it with its law, releases invented tables and bets on who is in them, counts\n"
              "whether intervals hold, and does to ledgers what happens to ledgers; all with the program itself, in\n"
              "temporary folders. Your own data, keys and ledgers are not touched. Exit code 1 where a claim is\n"
              "refuted, or a trial was too small to see a mistake.",
          .options = {{"--minutes", Takes::one_value, "M",
                       "how long it may take, at least 0.1 (default 10); more time finds smaller mistakes"},
                      {"--out", Takes::one_value, "FILE", "a new file for the result: one page, to be filed"},
                      {"--mutants", Takes::one_value, "DIR",
                       "the folder of this version's test programs: runs those that plant known mistakes, too, which "
                       "takes minutes more"}},
          .example =
              "  vernier audit\n"
              "  vernier audit --minutes 60 --out audit.html\n"
              "  vernier audit --minutes 1 --json\n"};
}

Result<void> run_audit(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const audit::Settings settings, settings_of(arguments));
  if (arguments.has("--out")) {
    if (Result<void> checked = check_place(arguments.one("--out")); !checked) return checked;
  }
  const Result<audit::Report> report = audit::audited(settings, TerminalProgress("auditing").watching());
  if (!report) return Failure(report.error());
  const std::int64_t now = std::time(nullptr);
  if (arguments.has("--out")) {
    const Result<void> written = study::write_file(arguments.one("--out"), report::audit_page(*report, utc_text(now)));
    if (!written) return written;
  }
  arguments.has("--json") ? write_audit_json(output, *report, now) : write_audit_text(output, *report, now);
  if (!report->refuted() && !report->lacks_power()) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return fail(ErrorKind::system, audit_sentence(*report));
}

}  // namespace vernier::cli
