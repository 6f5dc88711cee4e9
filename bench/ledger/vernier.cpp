// Vernier's ledger on SQLite: durable spends a second, and what opening and spending cost when it has grown.
// Speaks the protocol of bench/README.md; started as PROGRAM SECONDS FOLDER.
#include <map>

#include "bench/ledger/spends.hpp"
#include "bench/ledger/stated_disk.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace {

using namespace bench;

std::unique_ptr<ledger::Store> file(const std::filesystem::path& path, const std::string& disk = "") {
  return need(ledger::open_sqlite(path, ledger::Missing::is_made, disk));
}

double rate(const Spends& spends, double seconds, const std::string& in) {
  const Folder folder(in);
  const auto ledger = opened(file(folder.path() / "ledger", disk_of(spends)), folder);
  return spends_per_second(*ledger, spends.clients, seconds);
}

ledger::Entry entry(std::int64_t index) {
  if (index == 1) return {.index = 1, .kind = ledger::Kind::terms, .content = canonical(terms(), "long")};
  const std::string release = "0123456789abcdef" + std::to_string(index / 2);
  if (index % 2 == 1) {
    return {.index = index, .kind = ledger::Kind::settle, .release = release, .content = std::string(64, 'c')};
  }
  const ledger::Spend one = spend(release);
  return {.index = index,
          .kind = ledger::Kind::reserve,
          .time = 1700000000 + index,
          .release = release,
          .request = one.request,
          .study = one.study,
          .unit = one.unit,
          .plan = one.plan,
          .cost = one.price.total};
}

// Reserve and settle by turns, as releases leave them, in one transaction; in a folder of the same name for every run.
class LongLedger {
 public:
  LongLedger(const std::string& in, std::int64_t entries)
      : folder_(std::filesystem::path(in) / ("long-" + std::to_string(entries))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const auto store = file(path());
    const auto work = need(store->begin(ledger::Access::write));
    std::string head;
    for (std::int64_t index = 1; index <= entries; ++index) {
      ledger::Entry next = entry(index);
      next.hash = need(hash_of(head, next));
      const auto budget = ledger::Quanta::of(terms().epsilon, terms().delta).budget();
      need(index == 1 ? work->begin(next, budget) : work->append(next));
      head = next.hash;
    }
    need(work->commit());
  }

  std::filesystem::path path() const { return folder_ / "ledger"; }
  std::unique_ptr<ledger::Ledger> open() const {
    return need(ledger::Ledger::open(file(path()), terms(), {.witness = {.file = folder_ / "witness", .folder = {}}}));
  }

 private:
  std::filesystem::path folder_;
};

const LongLedger& long_ledger(const std::string& in, std::int64_t entries) {
  static std::map<std::int64_t, LongLedger> made;
  return made.try_emplace(entries, in, entries).first->second;
}

double seconds_to_open(const LongLedger& ledger) {
  const Clock::time_point start = Clock::now();
  static_cast<void>(ledger.open());
  return seconds_since(start);
}

// CPU microseconds of a spend, the sync apart, which the processor does not do.
double microseconds_to_spend(const LongLedger& ledger, double seconds) {
  static long round = 0;
  const auto open = ledger.open();
  const std::string name = "round" + std::to_string(++round) + "-";
  const Clock::time_point start = Clock::now();
  const double before = thread_seconds();
  long done = 0;
  for (; done < 50 || seconds_since(start) < seconds / 2; ++done)
    need(open->reserve(spend(name + std::to_string(done))));
  return 1e6 * (thread_seconds() - before) / static_cast<double>(done);
}

std::string answer(const std::string& line, double seconds, const std::string& in) {
  if (const std::optional<Spends> spends = spends_in(line)) return text(rate(*spends, seconds, in));
  if (line.starts_with("used ")) return "none the program is asked";
  const auto blank = line.find(' ');
  if (blank == std::string::npos) throw NotMeasured("there is no case '" + line + "'");
  const LongLedger& ledger = long_ledger(in, std::atoll(line.c_str() + blank));
  return text(line.starts_with("open ") ? seconds_to_open(ledger) : microseconds_to_spend(ledger, seconds));
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 1;
  const std::string folder = count > 2 ? words[2] : ".";
  bench::serve([&](const std::string& line) { return answer(line, seconds, folder); });
}
