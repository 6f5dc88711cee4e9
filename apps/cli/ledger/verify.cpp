#include <utility>

#include <fmt/format.h>

#include "cli/ledger/amounts.hpp"
#include "cli/ledger/ledger.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "text/numbers.hpp"

namespace vernier::cli {
namespace {

Result<std::vector<study::PublishedRelease>> releases_in(const Arguments& arguments) {
  std::vector<study::PublishedRelease> releases;
  if (!arguments.has("--release")) return releases;
  for (const std::string& file : arguments.all("--release")) {
    VERNIER_TRY(study::PublishedRelease published, study::read_published(file));
    releases.push_back(std::move(published));
  }
  return releases;
}

std::string counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", text::grouped(count), count == 1 ? one : many);
}

std::string witness_text(const study::LedgerReading& reading) {
  if (!reading.witness) return "none";
  const auto& memory = reading.witness->memory;
  return memory ? "entry " + text::grouped(memory->position.index) : "has seen nothing yet";
}

void write_report(Output& output, const study::LedgerVerdict& verdict) {
  const study::LedgerReading& reading = verdict.reading;
  if (!reading.book) {
    return output.write(fmt::format("the ledger {} does not exist yet: nothing was spent\n", one_line(reading.name)));
  }
  const CostText text(reading.rules.quanta);
  const ledger::Cost spent = reading.balance().most - reading.balance().left;
  std::vector<Line> lines = {
      {"its rules", "in place", "no gap, no change, never below zero: as it was made with"},
      {"entries", text::grouped(reading.book->position().index), "each hash follows from the one before"},
      {"spends", text::grouped(reading.summary.all().releases),
       fmt::format("epsilon {}, delta {}, within budget and shares", text.epsilon.up(spent.epsilon),
                   text.delta.up(spent.delta))},
      {"tally", "equal", "what the ledger says is left is what its entries leave"},
      {"answers", text::grouped(reading.summary.answered()),
       counted(verdict.documents, "document is as it was stored", "documents are as they were stored")},
      {"unanswered", text::grouped(static_cast<std::int64_t>(reading.summary.unanswered().size())),
       "paid for; they may still run, or failed"},
      {"witness", witness_text(reading),
       reading.witness ? one_line(reading.witness->path.string())
                       : "as the catalog asks: an older copy of the ledger goes unnoticed"}};
  if (!verdict.published.empty()) {
    lines.push_back({"published", text::grouped(static_cast<std::int64_t>(verdict.published.size())),
                     verdict.published.size() == 1 ? "release stands in the ledger as it says"
                                                   : "releases stand in the ledger as they say"});
  }
  output.write(fmt::format("the ledger {}\n\n", one_line(reading.name)));
  write_lines(output, lines);
  output.write(fmt::format("\nthe ledger holds; its head is {}\n", reading.book->position().head));
}

void write_json(Output& output, const study::LedgerVerdict& verdict) {
  const study::LedgerReading& reading = verdict.reading;
  JsonWriter json(output);
  json.begin_object();
  json.member("ledger", std::string_view(reading.name));
  json.key("exists");
  json.boolean(reading.book.has_value());
  json.key("holds");
  json.boolean(true);
  json.member("entries", reading.book ? reading.book->position().index : std::int64_t{0});
  json.member("head", std::string_view(reading.book ? reading.book->position().head : ""));
  json.member("spends", reading.summary.all().releases);
  json.member("answers", reading.summary.answered());
  json.member("documents", verdict.documents);
  json.member("unanswered", static_cast<std::int64_t>(reading.summary.unanswered().size()));
  const bool is_seen = reading.witness && reading.witness->memory;
  json.member("witness", is_seen ? reading.witness->memory->position.index : std::int64_t{0});
  json.member("published", static_cast<std::int64_t>(verdict.published.size()));
  json.end_object();
  output.write("\n");
}

}  // namespace

Result<void> write_ledger_verify(Output& output, const study::Text& catalog,
                                 std::vector<study::PublishedRelease> releases, bool as_json,
                                 const Progress& progress) {
  VERNIER_TRY(const study::LedgerVerdict verdict, study::verify_ledger(catalog, std::move(releases), progress));
  as_json ? write_json(output, verdict) : write_report(output, verdict);
  return {};
}

Result<void> run_ledger_verify(const Arguments& arguments, Output& output) {
  VERNIER_TRY(std::vector<study::PublishedRelease> releases, releases_in(arguments));
  VERNIER_TRY(const study::Text catalog, study::read_text(arguments.object));
  ProgressBar bar(stderr, "replaying");
  return write_ledger_verify(output, catalog, std::move(releases), arguments.has("--json"), bar.shown());
}

}  // namespace vernier::cli
