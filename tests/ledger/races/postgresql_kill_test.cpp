#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "ledger/races/lives.hpp"
#include "ledger/races/needed.hpp"
#include "support/postgresql_server.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/postgresql/store.hpp"

// Clients that are killed, and servers that are: nothing that was acknowledged is lost.
namespace vernier::testing {

using namespace ledger;

namespace {

constexpr int lifetime = 1000;

class PostgresqlKill : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
    server_ = &PostgresqlServer::of_this_process();
    address_ = server_->address();
  }

  Home home() const {
    return {[address = address_] { return needed(open_postgresql(address, Missing::is_made)); },
            terms_of_units(1000000),
            {.file = folder_.path() / "witness"}};
  }

  Child client(const std::string& name) const {
    return start_child([&](const Say& say) { live(home(), name, lifetime, Order::settled_first, say); });
  }

  std::string next_name() { return "life" + std::to_string(++lives_); }

  void pause_up_to(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::microseconds(chance_() % (1000U * static_cast<unsigned>(milliseconds))));
  }

  void expect_nothing_lost_by_killed_clients(int cycles);
  void expect_nothing_lost_by(int cycles, const std::function<void()>& kill);

  // The process of the server that serves a client, killed; the server notices, ends all others and starts them anew.
  void kill_backend() {
    const std::string process = server_->run(
        "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE backend_type = 'client backend' "
        "AND pid <> pg_backend_pid()");
    if (process != "0") ::kill(std::stoi(process), SIGKILL);
    for (int tries = 0; tries < 500; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      try {
        server_->run("SELECT 1");
        return;
      } catch (const std::runtime_error&) {
        continue;  // it recovers
      }
    }
  }

  PostgresqlServer* server_ = nullptr;
  std::string address_;
  TemporaryFolder folder_;
  std::mt19937_64 chance_{4};
  int lives_ = 0;
};
using SlowPostgresqlKill = PostgresqlKill;
using HeavyPostgresqlKill = PostgresqlKill;

void PostgresqlKill::expect_nothing_lost_by_killed_clients(int cycles) {
  Witnessed said;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    const Child one = client(next_name());
    if (cycle % 4 != 0) wait_for_words(one);
    pause_up_to(80);
    ::kill(one.process, SIGKILL);
    end_of(one);
    said.add(lines_of(one));
    ASSERT_EQ(told(faults_of_lives(home(), said)), "") << "cycle " << cycle;
  }
  ASSERT_EQ(told(said.errors), "");
  EXPECT_GT(said.answered.size(), static_cast<std::size_t>(cycles) / 4);
}

// Two clients work meanwhile; both end with an error, which is no answer.
void PostgresqlKill::expect_nothing_lost_by(int cycles, const std::function<void()>& kill) {
  Witnessed said;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    const Child clients[] = {client(next_name()), client(next_name())};
    for (const Child& one : clients) wait_for_words(one);
    pause_up_to(200);
    kill();
    for (const Child& one : clients) {
      ::kill(one.process, SIGTERM);  // the one whose process was not killed goes on, perhaps
      said.add(lines_of(one));
      end_of(one);
    }
    ASSERT_EQ(told(faults_of_lives(home(), said)), "") << "cycle " << cycle;
  }
  EXPECT_GT(said.answered.size(), 0U);
}

TEST_F(SlowPostgresqlKill, OfClientsLosesNothing) { expect_nothing_lost_by_killed_clients(15); }

TEST_F(SlowPostgresqlKill, OfTheServerLosesNothing) {
  expect_nothing_lost_by(2, [&] { server_->crash_and_start_again(); });
}

TEST_F(SlowPostgresqlKill, OfAProcessOfTheServerLosesNothing) {
  expect_nothing_lost_by(2, [&] { kill_backend(); });
}

TEST_F(HeavyPostgresqlKill, OfClientsLosesNothing) { expect_nothing_lost_by_killed_clients(300); }

TEST_F(HeavyPostgresqlKill, OfTheServerLosesNothing) {
  expect_nothing_lost_by(20, [&] { server_->crash_and_start_again(); });
}

TEST_F(HeavyPostgresqlKill, OfAProcessOfTheServerLosesNothing) {
  expect_nothing_lost_by(20, [&] { kill_backend(); });
}

}  // namespace
}  // namespace vernier::testing
