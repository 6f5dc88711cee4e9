#include "cli/audit_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/grouped_text.hpp"
#include "cli/json.hpp"
#include "cli/table.hpp"
#include "cli/utc_text.hpp"
#include "cli/version.hpp"
#include "cli/wrapped_text.hpp"
#include "vernier/audit/mutants.hpp"

namespace vernier::cli {
namespace {

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
    output.write("\n" + wrapped("", fmt::format("{}: {}", finding.claim, finding.outcome), 2));
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

}  // namespace

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

}  // namespace vernier::cli
