#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/contender.hpp"
#include "vernier/ledger/ledger.hpp"

// What the contenders of the ledger benchmark share.
namespace bench {

namespace ledger = vernier::ledger;
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A folder of its own in another one, gone afterwards.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& in) {
    std::filesystem::create_directories(in);
    std::string pattern = (in / "XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw NotMeasured("no folder could be made in " + in.string());
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A budget that no round exhausts: a thousand million spends of epsilon 1.
inline ledger::Terms terms() {
  return {ledger::Accountant::pure, vernier::numeric::Rational::of(1000000000), vernier::numeric::Rational::of(0)};
}

inline ledger::Spend spend(const std::string& release) {
  static const ledger::Quanta quanta = ledger::Quanta::of(terms().epsilon, terms().delta);
  static const ledger::Cost one = quanta.spend(vernier::numeric::Rational::of(1), vernier::numeric::Rational::of(0));
  return {release, "visits per week", std::string(64, 'a'), "patient", {one}, "", "request-" + release};
}

inline std::unique_ptr<ledger::Ledger> opened(std::unique_ptr<ledger::Store> store, const Folder& folder) {
  return need(
      ledger::Ledger::open(std::move(store), terms(), {.witness = {.file = folder.path() / "witness", .folder = {}}}));
}

// Durable spends a second of so many threads, each of which waits for one before it asks for the next.
inline double spends_per_second(ledger::Ledger& ledger, int clients, double seconds) {
  std::atomic<long> done{0};
  std::atomic<bool> has_failed{false};
  const Clock::time_point start = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int client = 0; client < clients; ++client) {
      threads.emplace_back([&, client] {
        const std::string name = std::to_string(client) + "-";
        for (long i = 0; seconds_since(start) < seconds; ++i) {
          if (!ledger.reserve(spend(name + std::to_string(i)))) {
            has_failed = true;
            return;
          }
          ++done;
        }
      });
    }
  }
  if (has_failed) throw NotMeasured("a spend was refused");
  return static_cast<double>(done) / seconds_since(start);
}

// "spends CLIENTS", or "spends CLIENTS sync MICROSECONDS" for a disk of which that is stated; none in other lines.
struct Spends {
  int clients = 0;
  long sync = 0;  // 0: the disk as it is
};
inline std::optional<Spends> spends_in(const std::string& line) {
  std::istringstream words(line);
  std::string verb, sync;
  Spends spends;
  if (!(words >> verb >> spends.clients) || verb != "spends") return std::nullopt;
  if (words >> sync >> spends.sync && sync != "sync") throw NotMeasured("there is no case '" + line + "'");
  return spends;
}

}  // namespace bench
