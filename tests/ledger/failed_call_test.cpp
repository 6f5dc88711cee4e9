#include <functional>

#include <gtest/gtest.h>

#include "ledger/ledger_check.hpp"

// Promise P19: where a call of the disk fails, the ledger fails closed. Every call of a scenario fails once, in each
// way that such a call may fail; the answer is an error or true, and afterwards everything that was acknowledged is
// there.
namespace vernier::testing {
namespace {

using ledger::Ledger;

// A disk with a ledger that was used before, and the client who did.
struct Base {
  SimulatedDisk disk;
  LedgerClient client{7};
};

// Whether the ledger was closed in order, so that there is no log to recover.
std::unique_ptr<Base> used_before(bool closed_in_order) {
  auto base = std::make_unique<Base>();
  {
    const auto ledger = LedgerClient::open(base->disk);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(base->client.reserve(**ledger, 2));
    EXPECT_TRUE(base->client.settle(**ledger, "r1", 3000));
    if (!closed_in_order) base->disk.stop_at(1);
  }
  base->disk.restart();
  return base;
}

// With a log of 4 MB that waits to be copied into the ledger, as SQLite does it after a commit from a thousand pages
// on.
std::unique_ptr<Base> with_long_log() {
  auto base = used_before(true);
  {
    const auto ledger = LedgerClient::open(base->disk);
    EXPECT_TRUE(base->client.settle(**ledger, "r2", 400'000));
    base->disk.stop_at(1);
  }
  base->disk.restart();
  return base;
}

struct Scenario {
  std::unique_ptr<Base> base;
  bool is_open;  // before the faults begin
  std::function<Result<void>(LedgerClient&, Ledger&)> act;
  std::int64_t stride = 1;  // every so many calls
};

// How the process ends in which a call failed.
enum class End : std::uint8_t { in_order, killed, power_cut };

// The ledger of a scenario on a disk of its own.
class Trial {
 public:
  explicit Trial(const Scenario& scenario)
      : scenario_(scenario), disk_(scenario.base->disk), client_(scenario.base->client) {
    if (scenario.is_open) open();
  }

  SimulatedDisk& disk() { return disk_; }

  void run() {
    const bool was_open = ledger_ != nullptr;
    if (!was_open) open();
    if (ledger_ && !scenario_.act(client_, *ledger_)) try_again(was_open);
  }

  void end(End how, std::uint64_t seed) {
    if (how != End::in_order) disk_.stop_at(1);
    ledger_.reset();
    EXPECT_EQ(disk_.open_files(), 0);
    calls_ = disk_.calls();
    has_failed_ = disk_.has_failed();
    how == End::power_cut ? disk_.cut_power(seed) : disk_.restart();
  }

  std::int64_t calls() const { return calls_; }  // until the first end
  bool has_failed() const { return has_failed_; }

  // A process that opens it again, spends, and loses its power; then what is found.
  std::string aftermath(std::uint64_t seed) {
    if (!client_.complaint().empty()) return client_.complaint();
    open();
    if (!ledger_) return "it does not open again";
    if (const auto spent = client_.reserve(*ledger_, 1); !spent) return "unusable: " + spent.error().sentence();
    end(End::power_cut, seed);
    return contradiction(disk_, client_);
  }

 private:
  void open() {
    auto opened = LedgerClient::open(disk_);
    if (opened) ledger_ = *std::move(opened);
  }

  // After an error: whoever had begun to write is closed for good; else the next try may be a true success.
  void try_again(bool was_open) {
    const bool must_be_closed = was_open && disk_.has_failed_to_write();
    bool is_closed = false;
    for (int i = 0; i < 3; ++i) {
      const bool asks = i == 1 && client_.paid().contains("r1") && client_.paid().at("r1").receipt;
      const Result<void> tried = asks ? client_.ask_again(*ledger_, "r1") : client_.reserve(*ledger_, 1);
      EXPECT_FALSE(tried.has_value() && (is_closed || must_be_closed));
      if (!tried) is_closed = true;
    }
  }

  const Scenario& scenario_;
  SimulatedDisk disk_;
  LedgerClient client_;
  std::unique_ptr<Ledger> ledger_;
  std::int64_t calls_ = 0;
  bool has_failed_ = false;
};

// How many calls failed until the scenario ended before the next one.
int fail_each(const Scenario& scenario, Fault fault, End end) {
  int failed = 0;
  for (std::int64_t call = 1;; call += scenario.stride) {
    const auto seed = static_cast<std::uint64_t>(call);
    Trial trial(scenario);
    const std::int64_t target = trial.disk().calls() + call;
    trial.disk().fail_at(target, fault, seed);
    trial.run();
    trial.end(end, seed);
    if (trial.calls() < target) return failed;
    if (!trial.has_failed()) continue;
    ++failed;
    EXPECT_EQ(trial.aftermath(seed), "") << "call " << call << ", fault " << int(fault) << ", end " << int(end);
    if (::testing::Test::HasFailure()) return failed;
  }
}

int fail_everything(const Scenario& scenario) {
  int failed = 0;
  for (const End end : {End::in_order, End::killed, End::power_cut}) {
    for (const Fault fault : {Fault::io_error, Fault::disk_full, Fault::short_write}) {
      failed += fail_each(scenario, fault, end);
    }
  }
  return failed;
}

Result<void> reserve(LedgerClient& client, Ledger& ledger) { return client.reserve(ledger, 3); }
Result<void> settle(LedgerClient& client, Ledger& ledger) { return client.settle(ledger, "r2", 9000); }
Result<void> ask_again(LedgerClient& client, Ledger& ledger) { return client.ask_again(ledger, "r1"); }

TEST(FailedCall, ClosesALedgerThatBegins) {
  EXPECT_GT(fail_everything({std::make_unique<Base>(), false, reserve}), 300);
}

TEST(FailedCall, ClosesALedgerThatIsOpened) { EXPECT_GT(fail_everything({used_before(true), false, reserve}), 100); }

TEST(FailedCall, ClosesALedgerThatRecovers) { EXPECT_GT(fail_everything({used_before(false), false, reserve}), 100); }

TEST(FailedCall, ClosesALedgerThatReserves) { EXPECT_GT(fail_everything({used_before(true), true, reserve}), 50); }
TEST(FailedCall, ClosesALedgerThatSettles) { EXPECT_GT(fail_everything({used_before(true), true, settle}), 50); }
TEST(FailedCall, ClosesALedgerThatAnswersAgain) {
  EXPECT_GT(fail_everything({used_before(true), true, ask_again}), 10);
}

// Some of its hundreds of calls.
TEST(FailedCall, ClosesALedgerThatCopiesItsLog) {
  EXPECT_GT(fail_everything({with_long_log(), false, reserve, 11}), 50);
}

}  // namespace
}  // namespace vernier::testing
