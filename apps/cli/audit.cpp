#include "cli/audit.hpp"

#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "cli/audit_report.hpp"
#include "cli/decimal.hpp"
#include "cli/file.hpp"
#include "cli/terminal_progress.hpp"
#include "cli/utc_text.hpp"
#include "report/audit_page.hpp"
#include "vernier/audit/audit.hpp"
#include "vernier/audit/duckdb_parquet_copy.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

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
  if (Result<void> is_new = check_new(place.string()); !is_new) return is_new;
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

Result<audit::Settings> settings_of(const Arguments& arguments) {
  VERNIER_TRY(const double minutes, minutes_of(arguments));
  std::error_code failed;
  audit::Settings settings{
      .program = fs::read_symlink("/proc/self/exe", failed), .minutes = minutes, .to_parquet = audit::copy_to_parquet};
  if (failed)
    return fail(ErrorKind::system, "the program does not find its own file, which it would run; is /proc there?");
  if (!arguments.has("--mutants")) return settings;
  settings.mutants = arguments.one("--mutants");
  VERNIER_TRY(check_folder(*settings.mutants));
  return settings;
}

}  // namespace

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
                       "how long it may take, from 0.1; 10 unless given. More time finds smaller mistakes"},
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
    const Result<void> written = write_file(arguments.one("--out"), report::audit_page(*report, utc_text(now)));
    if (!written) return written;
  }
  arguments.has("--json") ? write_audit_json(output, *report, now) : write_audit_text(output, *report, now);
  if (!report->refuted() && !report->lacks_power()) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return fail(ErrorKind::system, audit_sentence(*report));
}

}  // namespace vernier::cli
