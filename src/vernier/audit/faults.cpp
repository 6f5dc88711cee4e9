#include "vernier/audit/faults.hpp"

#include <array>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "vernier/audit/finding.hpp"
#include "vernier/noise/level_sampler.hpp"

namespace vernier::audit {
namespace {

constexpr const char* catalog =
    "[budget]\nepsilon = 1\nledger = \"audit.ledger\"\n[tables.t]\nsource = \"t.csv\"\nunit = \"id\"\n"
    "[tables.t.columns]\nid = { type = \"integer\" }\n";

constexpr std::int64_t page = 4096;  // of SQLite: a log that is longer holds an entry

// When and how long a file is; zeros where there is none.
std::array<std::int64_t, 3> stamp_of(const std::filesystem::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

}  // namespace

Result<LedgerBench> LedgerBench::make(const Program& program, int rows) {
  VERNIER_TRY(Folder folder, Folder::make());
  std::string csv = "id\n";
  for (int i = 0; i < rows; ++i) csv += std::to_string(i) + "\n";
  VERNIER_TRY(folder.write("t.csv", csv));
  VERNIER_TRY(folder.write("catalog.toml", catalog));
  return LedgerBench(program, std::move(folder));
}

std::filesystem::path LedgerBench::file(const char* suffix) const {
  return folder_.path() / (std::string("audit.ledger") + suffix);
}

Result<std::optional<LedgerBench::State>> LedgerBench::state() const {
  VERNIER_TRY(const Ran ran, program_->run(folder_.path(), {"ledger", "show", "catalog.toml", "--json"}));
  if (ran.code != 0) return std::optional<State>();
  try {
    const auto json = nlohmann::json::parse(ran.printed);
    if (!json.at("exists").get<bool>()) return std::optional<State>(State{0, 0, ""});
    return std::optional<State>(State{json.at("spent").at("epsilon").get<double>(),
                                      json.at("entries").get<std::int64_t>(), json.at("head").get<std::string>()});
  } catch (const std::exception&) {
    return fail(ErrorKind::system, "'vernier ledger show' does not print what this audit knows");
  }
}

std::vector<std::string> LedgerBench::question(const std::string& epsilon) {
  return {"query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM t", "--epsilon", epsilon, "--json"};
}

Result<Ran> LedgerBench::ask(const std::string& epsilon, const Hindrance& hindrance) const {
  return program_->run(folder_.path(), question(epsilon), hindrance);
}

Result<std::vector<Ran>> LedgerBench::ask_at_once(const std::string& epsilon, int times) const {
  return program_->run_at_once(
      folder_.path(), std::vector<std::vector<std::string>>(static_cast<std::size_t>(times), question(epsilon)));
}

Result<std::string> LedgerBench::bytes() const {
  std::ifstream stream(file(), std::ios::binary);
  std::string all{std::istreambuf_iterator<char>(stream), {}};
  if (!stream || all.empty()) return fail(ErrorKind::system, "the ledger of the audit cannot be read");
  return all;
}

Result<void> LedgerBench::put(const std::string& bytes) const {
  std::error_code ignored;
  for (const char* const suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(file(suffix), ignored);
  return folder_.write("audit.ledger", bytes);
}

std::function<bool()> LedgerBench::is_written_to() const {
  const auto stamps = [paths = std::array{file(), file("-wal")}] {
    return std::array{stamp_of(paths[0]), stamp_of(paths[1])};
  };
  return [stamps, before = stamps()] {
    const auto now = stamps();
    return now[0] != before[0] || (now[1] != before[1] && now[1][0] > page);
  };
}

namespace {

constexpr int quick_rows = 100;
constexpr int slow_rows = 1'000'000;             // so that there is time between the debit and the answer
constexpr int least_kills = 5, most_kills = 15;  // until one has struck between the two

// What a fault came to: how often it was tried, and what went wrong, if anything did.
struct Outcome {
  std::int64_t tried = 0;
  std::string wrong = {};
  std::string seen = {};
  bool has_power = true;

  void expect(bool holds, const std::string& otherwise) {
    if (!holds && wrong.empty()) wrong = otherwise;
  }
};

Finding finding_of(std::string claim, std::string caught, const Outcome& outcome) {
  const Verdict unrefuted = outcome.has_power ? Verdict::stands : Verdict::powerless;
  return {.claim = std::move(claim),
          .trials = outcome.tried,
          .of = "trials",
          .outcome = outcome.wrong.empty() ? outcome.seen : outcome.wrong,
          .caught = std::move(caught),
          .verdict = outcome.wrong.empty() ? unrefuted : Verdict::refuted};
}

// Whether anything of an answer was printed; an error, which programs read as an object, is none.
bool has_printed(const Ran& ran) { return !ran.printed.empty() && !ran.printed.starts_with(R"({"error":)"); }

// ---- killed

Result<void> kill_once(const LedgerBench& bench, Outcome& outcome, int& paid_in_vain) {
  VERNIER_TRY(const auto before, bench.state());
  VERNIER_TRY(const Ran ran, bench.ask("0.05", {.kills_when = bench.is_written_to()}));
  VERNIER_TRY(const auto after, bench.state());
  ++outcome.tried;
  outcome.expect(before && after, "after a kill the ledger cannot be read");
  if (!before || !after) return {};
  const bool is_paid = after->spent > before->spent;
  outcome.expect(is_paid || !has_printed(ran), "a run that was killed answered and was not charged");
  outcome.expect(after->spent >= before->spent, "a kill gave budget back");
  paid_in_vain += is_paid && !has_printed(ran) ? 1 : 0;
  return {};
}

Result<Outcome> killed(const Program& program) {
  VERNIER_TRY(const LedgerBench bench, LedgerBench::make(program, slow_rows));
  VERNIER_TRY(bench.ask("0.05"));
  Outcome outcome;
  int paid_in_vain = 0;
  for (int i = 0; i < most_kills && (i < least_kills || paid_in_vain == 0); ++i) {
    VERNIER_TRY(kill_once(bench, outcome, paid_in_vain));
  }
  outcome.has_power = paid_in_vain > 0;
  outcome.seen = "no answer without a charge; " + std::to_string(paid_in_vain) + " were charged and got no answer";
  return outcome;
}

// ---- an older copy

Result<Outcome> rolled_back(const Program& program) {
  VERNIER_TRY(const LedgerBench bench, LedgerBench::make(program, quick_rows));
  VERNIER_TRY(const Ran first, bench.ask("0.2"));
  VERNIER_TRY(const std::string older, bench.bytes());
  VERNIER_TRY(const Ran second, bench.ask("0.2"));
  VERNIER_TRY(bench.put(older));
  VERNIER_TRY(const Ran third, bench.ask("0.2"));
  Outcome outcome{.tried = 1, .seen = "refused"};
  outcome.expect(has_printed(first) && has_printed(second),
                 "what the budget allows is refused, so that nothing is shown");
  outcome.expect(third.code != 0 && !has_printed(third), "a release was made from an older copy of the ledger");
  return outcome;
}

// ---- edited

Result<std::string> edited(std::string bytes, const std::string& head, int number, random::Source& source) {
  if (const std::size_t at = bytes.find(head); number == 0 && !head.empty() && at != std::string::npos) {
    bytes[at] = bytes[at] == '0' ? '1' : '0';
    return bytes;
  }
  const auto place = noise::uniform_below(bytes.size(), source.draws);
  const auto change = noise::uniform_below(255, source.draws);
  if (!place || !change) return Failure(place ? change.error() : place.error());
  bytes[*place] = static_cast<char>(bytes[*place] ^ static_cast<char>(*change + 1));
  return bytes;
}

Result<Outcome> forged(const Program& program, random::Source& source) {
  VERNIER_TRY(const LedgerBench bench, LedgerBench::make(program, quick_rows));
  VERNIER_TRY(bench.ask("0.3"));
  const auto truth = bench.state();
  const Result<std::string> bytes = bench.bytes();
  if (!truth || !bytes) return Failure(truth ? bytes.error() : truth.error());
  if (!*truth) return Outcome{.tried = 0, .wrong = "a new ledger cannot be read"};
  Outcome outcome;
  int refused = 0;
  for (int i = 0; i < 16; ++i) {
    VERNIER_TRY(const std::string other, edited(*bytes, (*truth)->head, i, source));
    VERNIER_TRY(bench.put(other));
    VERNIER_TRY(const auto seen, bench.state());
    ++outcome.tried;
    refused += seen ? 0 : 1;
    outcome.expect(!seen || *seen == **truth, "a ledger with a changed byte says something else");
    outcome.expect(i > 0 || !seen, "a ledger whose last hash was changed is read");
  }
  outcome.has_power = refused > 0;
  outcome.seen = std::to_string(refused) + " refused, the others changed no figure";
  return outcome;
}

// ---- at once

Result<Outcome> rushed(const Program& program) {
  VERNIER_TRY(const LedgerBench bench, LedgerBench::make(program, quick_rows));
  constexpr int processes = 6;
  VERNIER_TRY(const std::vector<Ran> all, bench.ask_at_once("0.4", processes));
  VERNIER_TRY(const auto state, bench.state());
  int answers = 0;
  for (const Ran& one : all) answers += is_answered(one) ? 1 : 0;
  Outcome outcome{.tried = processes, .seen = std::to_string(answers) + " answered, the budget holds two"};
  outcome.has_power = answers > 0;
  outcome.expect(answers <= 2, std::to_string(answers) + " processes got an answer from a budget for two");
  outcome.expect(state && state->spent <= 1, "processes at once have spent more than the budget");
  outcome.expect(state && state->spent >= 0.4 * answers - 1e-9, "processes at once were not charged");
  return outcome;
}

// ---- no room

Result<Outcome> cramped(const Program& program) {
  VERNIER_TRY(const LedgerBench bench, LedgerBench::make(program, quick_rows));
  VERNIER_TRY(bench.ask("0.05"));
  Outcome outcome;
  int refused = 0;
  for (const std::int64_t bytes : {0, 100, 1000, 4096, 8192, 16384, 32768, 65536}) {
    VERNIER_TRY(const auto before, bench.state());
    VERNIER_TRY(const Ran ran, bench.ask("0.05", {.greatest_file = bytes}));
    VERNIER_TRY(const auto after, bench.state());
    ++outcome.tried;
    outcome.expect(before && after, "after a run without room for its files the ledger cannot be read");
    if (!before || !after) break;
    refused += is_answered(ran) ? 0 : 1;
    outcome.expect(!has_printed(ran) || after->spent > before->spent,
                   "a run without room for its files answered and was not charged");
    outcome.expect(after->spent >= before->spent, "a run without room for its files gave budget back");
  }
  outcome.has_power = refused > 0;
  outcome.seen = std::to_string(refused) + " got no answer, all that were answered were charged";
  return outcome;
}

}  // namespace

Result<Section> audited_ledger(const Program& program, const Timekeeper& time) {
  VERNIER_TRY(random::Source source, random::Source::open());
  Section section{
      .name = "ledger",
      .title = "Nothing is answered that was not paid for",
      .question = "The program runs in a folder of its own, and what can happen to a ledger is done to it."};
  struct Fault {
    const char* claim;
    const char* caught;
    std::function<Result<Outcome>()> tried;
  };
  const Fault faults[] = {
      {"killed between debit and answer", "an answer, or a charge that is lost", [&] { return killed(program); }},
      {"an older copy of the ledger put back", "a budget that can be spent twice",
       [&] { return rolled_back(program); }},
      {"one byte of the ledger changed", "a ledger that says it spent less", [&] { return forged(program, source); }},
      {"six processes at once", "a budget that is passed", [&] { return rushed(program); }},
      {"no room for its files", "an answer without a charge", [&] { return cramped(program); }},
  };
  for (const Fault& fault : faults) {
    VERNIER_TRY(time.tell());
    VERNIER_TRY(const Outcome outcome, fault.tried());
    section.findings.push_back(finding_of(fault.claim, fault.caught, outcome));
  }
  return section;
}

}  // namespace vernier::audit
