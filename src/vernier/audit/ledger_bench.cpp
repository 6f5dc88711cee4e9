#include "vernier/audit/ledger_bench.hpp"

#include <array>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

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

}  // namespace vernier::audit
