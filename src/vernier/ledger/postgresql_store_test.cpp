#include "vernier/ledger/postgresql_store.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "support/postgresql_server.hpp"
#include "support/store_contract.hpp"
#include "vernier/ledger/postgresql.hpp"

namespace vernier::ledger {
namespace {

using testing::first_entry;
using testing::PostgresqlServer;
using testing::reserve;

const char* const end_all_sessions =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vernier'";

class PostgresqlStore : public testing::StoreContract {
 protected:
  static PostgresqlServer& server() { return PostgresqlServer::of_this_process(); }

  static std::string sentence_of(const std::string& address, Missing missing = Missing::is_made) {
    const auto store = open_postgresql(address, missing);
    return store ? "" : store.error().sentence;
  }

  // Settings of the whole server take effect a moment later.
  static void set(const std::string& setting, const std::string& value) {
    server().run("ALTER SYSTEM SET " + setting + " = " + value);
    server().run("SELECT pg_reload_conf()");
    for (int tries = 0; tries < 500 && server().run("SHOW " + setting) != value; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
};

TEST_P(PostgresqlStore, RefusesServersThatForgetWhenThePowerGoes) {
  const std::string address = server().address();
  ASSERT_EQ(sentence_of(address), "");
  for (const char* setting : {"fsync", "full_page_writes"}) {
    set(setting, "off");
    const std::string refused = sentence_of(address);
    set(setting, "on");
    EXPECT_NE(refused.find(std::string("lies on a server with ") + setting + " = off"), std::string::npos) << refused;
  }
  EXPECT_EQ(sentence_of(address), "");
}

TEST_P(PostgresqlStore, WaitsForTheDiskWhateverTheServersDefaultIs) {
  const std::string address = server().address();
  set("synchronous_commit", "off");
  const auto connection = postgresql::Connection::open(address, "x");
  const auto shown = connection->run("SHOW synchronous_commit");
  set("synchronous_commit", "on");
  EXPECT_EQ(shown->text(0, 0), "on");
  EXPECT_EQ(connection->run("SHOW lock_timeout")->text(0, 0), "30s");
}

TEST_P(PostgresqlStore, IsCalledByItsAddressWithoutSecrets) {
  const std::string password = PostgresqlServer::password;
  const std::string address = server().address();
  const auto store = open_postgresql(address + "&application_name=a&sslpassword=b4ndit", Missing::is_made);
  ASSERT_TRUE(store) << store.error().sentence;
  std::string expected = address;
  expected.erase(expected.find(":" + password), password.size() + 1);
  EXPECT_EQ((*store)->name(), expected);
}

TEST_P(PostgresqlStore, ShowsNoPasswordInItsErrors) {
  const std::string address = server().address();
  const std::string password = PostgresqlServer::password;
  const std::size_t at = address.find(password);
  const auto with = [&](const std::string& other) { return std::string(address).replace(at, password.size(), other); };
  const std::string closed = "postgresql://u:s3cr3t@127.0.0.1:1/d";
  for (const std::string& wrong :
       {with("s3cr3t"), with("s3c@s3cr3t"), with("s3c/s3cr3t"), with("12/s3cr3t"), with("s3c%zzs3cr3t"), closed,
        std::string("host=127.0.0.1 port=1 password=s3cr3t"), std::string("password='s3cr3t"), std::string("s3cr3t"),
        std::string("postgresql://u:s3cr3t@[::1"),
        std::string("postgresql://127.0.0.1:1/d?password=s3cr3t&sslmode=no")}) {
    const std::string sentence = sentence_of(wrong);
    EXPECT_FALSE(sentence.empty()) << wrong;
    EXPECT_EQ(sentence.find("s3c"), std::string::npos) << sentence;
  }
}

TEST_P(PostgresqlStore, SaysThatASchemaIsMissing) {
  const std::string sentence = sentence_of(server().address_of("nowhere"));
  EXPECT_NE(sentence.find("a schema that does not exist"), std::string::npos) << sentence;
}

TEST_P(PostgresqlStore, RefusesTextsThatAreNotUtf8) {
  const auto store = begun_store({10, 0}, 2);
  Entry entry = reserve(3);
  entry.study = "\xff\xfe";
  expect_refused(
      *store, [&](Transaction& work) { return work.append(entry); }, "not UTF-8");
}

TEST_P(PostgresqlStore, FailsWhenTheConnectionIsLostAndGoesOnInTheNextTransaction) {
  const auto store = begun_store({10, 0}, 2);
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->append(reserve(3)));
    server().run(end_all_sessions);
    const Result<void> lost = work->append(reserve(4));
    ASSERT_FALSE(lost);
    EXPECT_NE(lost.error().sentence.find("lost the connection"), std::string::npos) << lost.error().sentence;
    EXPECT_FALSE(work->commit());
    EXPECT_FALSE(store->begin(Access::write)) << "the lost one is still there";
  }
  expect_tally(*begun(*store, Access::write), reserve(2), {9, 0});
  server().run(end_all_sessions);  // between two transactions
  expect_tally(*begun(*store, Access::read), reserve(2), {9, 0});
}

TEST_P(PostgresqlStore, KeepsWhatWasCommittedWhenTheServerCrashes) {
  const auto store = begun_store({10, 0}, 2);
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->append(reserve(3)));
    expect_done(work->commit());
  }
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->append(reserve(4)));
    server().crash_and_start_again();
    EXPECT_FALSE(work->commit());
  }
  expect_tally(*begun(*store, Access::read), reserve(3), {8, 0});
}

TEST_P(PostgresqlStore, RefusesToBeEmptied) {
  begun_store({10, 0}, 2);
  for (const char* table : {"$entries", "$tally", "$documents"}) {
    EXPECT_THROW(place().run(std::string("TRUNCATE ") + table), std::runtime_error) << table;
  }
  EXPECT_EQ(place().run("SELECT count(*) FROM $entries"), "2");
}

// Somebody who may spend and nothing else; the owner of the tables may do more.
TEST_P(PostgresqlStore, NeedsNoMoreRightsThanItTells) {
  const std::string address = server().address();
  ASSERT_EQ(sentence_of(address), "");
  PostgresqlServer::run_at(
      address,
      "CREATE ROLE clerk LOGIN PASSWORD 'of-the-clerk'; DO $$ BEGIN EXECUTE 'GRANT USAGE ON SCHEMA ' "
      "|| current_schema() || ' TO clerk'; END $$");
  std::string of_clerk = address;
  of_clerk.replace(of_clerk.find(PostgresqlServer::user), std::string(PostgresqlServer::user).size(), "clerk");
  of_clerk.replace(of_clerk.find(PostgresqlServer::password), std::string(PostgresqlServer::password).size(),
                   "of-the-clerk");
  const auto blind = open_postgresql(of_clerk, Missing::is_error);
  ASSERT_TRUE(blind) << blind.error().sentence;
  const auto refused = (*blind)->begin(Access::read);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence.find("SELECT and INSERT on all of them"), std::string::npos);
  PostgresqlServer::run_at(address,
                           "GRANT SELECT, INSERT ON vernier_entries, vernier_tally, vernier_documents TO clerk; "
                           "GRANT UPDATE ON vernier_tally TO clerk");
  const auto store = open_postgresql(of_clerk, Missing::is_error);
  ASSERT_TRUE(store) << store.error().sentence;
  const auto work = begun(**store, Access::write);
  expect_done(work->begin(first_entry(), {10, 0}));
  expect_done(work->append(reserve(2)));
  expect_done(work->keep("r2", {{"release.json", "{}"}}));
  expect_done(work->commit());
}

INSTANTIATE_TEST_SUITE_P(Postgresql, PostgresqlStore, ::testing::Values(testing::postgresql_stores));

}  // namespace
}  // namespace vernier::ledger
