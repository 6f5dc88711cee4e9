#include "vernier/ledger/postgresql/store.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "support/postgresql_server.hpp"
#include "support/store_contract.hpp"
#include "vernier/ledger/postgresql/connection.hpp"

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
    return store ? "" : store.error().sentence();
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
  ASSERT_TRUE(store) << store.error().sentence();
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
    EXPECT_NE(lost.error().sentence().find("lost the connection"), std::string::npos) << lost.error().sentence();
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

// Somebody who may spend and nothing else; the owner of the tables may do more. Her address.
std::string address_of_clerk(const std::string& address, const std::string& name) {
  PostgresqlServer::run_at(address, "CREATE ROLE " + name +
                                        " LOGIN PASSWORD 'of-the-clerk'; DO $$ BEGIN EXECUTE 'GRANT USAGE ON SCHEMA ' "
                                        "|| current_schema() || ' TO " +
                                        name + "'; END $$");
  std::string of_clerk = address;
  of_clerk.replace(of_clerk.find(PostgresqlServer::user), std::string(PostgresqlServer::user).size(), name);
  of_clerk.replace(of_clerk.find(PostgresqlServer::password), std::string(PostgresqlServer::password).size(),
                   "of-the-clerk");
  return of_clerk;
}

TEST_P(PostgresqlStore, NeedsNoMoreRightsThanItTells) {
  const std::string address = server().address();
  ASSERT_EQ(sentence_of(address), "");
  const std::string of_clerk = address_of_clerk(address, "clerk");
  const auto blind = open_postgresql(of_clerk, Missing::is_error);
  ASSERT_TRUE(blind) << blind.error().sentence();
  const auto refused = (*blind)->begin(Access::read);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("SELECT and INSERT on all of them"), std::string::npos);
  PostgresqlServer::run_at(address,
                           "GRANT SELECT, INSERT ON vernier_entries, vernier_tally, vernier_documents TO clerk; "
                           "GRANT UPDATE ON vernier_tally TO clerk");
  const auto store = open_postgresql(of_clerk, Missing::is_error);
  ASSERT_TRUE(store) << store.error().sentence();
  const auto work = begun(**store, Access::write);
  expect_done(work->begin(first_entry(), {10, 0}));
  expect_done(work->append(reserve(2)));
  expect_done(work->keep("r2", {{"release.json", "{}"}}));
  expect_done(work->commit());
}

const char* const grant_to_forger =
    "GRANT SELECT, INSERT ON vernier_entries, vernier_tally, vernier_documents TO forger; "
    "GRANT UPDATE ON vernier_tally TO forger";
// A temporary table is found before the ledger's own, unless the path of a function says otherwise.
const char* const forge_tally =
    "CREATE TEMPORARY TABLE vernier_entries (idx BIGINT, hash TEXT, epsilon BIGINT, delta BIGINT); "
    "INSERT INTO vernier_entries SELECT idx + 1, 'forged', -1000, 0 FROM vernier_tally; "
    "UPDATE vernier_tally SET idx = idx + 1, head = 'forged', left_epsilon = left_epsilon + 1000";

TEST_P(PostgresqlStore, LetsNoTemporaryTableStandForItsEntries) {
  const std::string address = server().address();
  const auto store = open_postgresql(address, Missing::is_made);
  ASSERT_TRUE(store) << store.error().sentence();
  {
    const auto work = begun(**store, Access::write);
    expect_done(work->begin(first_entry(), {10, 0}));
    expect_done(work->commit());
  }
  const std::string of_forger = address_of_clerk(address, "forger");
  PostgresqlServer::run_at(address, grant_to_forger);
  EXPECT_THROW(PostgresqlServer::run_at(of_forger, forge_tally), std::runtime_error);
  EXPECT_EQ(PostgresqlServer::run_at(address, "SELECT left_epsilon FROM vernier_tally"), "10");
}

// Each undone again, so that the next one stands alone.
TEST_P(PostgresqlStore, IsRefusedOnceAnyRuleIsAnotherOne) {
  const std::string address = server().address();
  ASSERT_EQ(sentence_of(address), "");
  const std::string body = "() RETURNS trigger LANGUAGE plpgsql ";
  const std::pair<std::string, std::string> changes[] = {
      {"CREATE OR REPLACE FUNCTION vernier_tally_follows" + body + "AS 'BEGIN RETURN NEW; END'", ""},
      {"ALTER FUNCTION vernier_refuse() SECURITY DEFINER", "ALTER FUNCTION vernier_refuse() SECURITY INVOKER"},
      {"CREATE RULE r AS ON INSERT TO vernier_documents DO INSTEAD NOTHING", "DROP RULE r ON vernier_documents"},
      {"ALTER TABLE vernier_entries ENABLE ROW LEVEL SECURITY",
       "ALTER TABLE vernier_entries DISABLE ROW LEVEL SECURITY"},
      {"ALTER TABLE vernier_tally SET UNLOGGED", "ALTER TABLE vernier_tally SET LOGGED"},
      {"ALTER TABLE vernier_entries ALTER plan SET DEFAULT ''", "ALTER TABLE vernier_entries ALTER plan DROP DEFAULT"},
      {"ALTER TABLE vernier_entries ALTER plan DROP NOT NULL", "ALTER TABLE vernier_entries ALTER plan SET NOT NULL"},
      {"CREATE TRIGGER t BEFORE UPDATE ON vernier_tally FOR EACH ROW EXECUTE FUNCTION vernier_refuse()",
       "DROP TRIGGER t ON vernier_tally"},
      {"ALTER TABLE vernier_tally DROP CONSTRAINT vernier_tally_left_epsilon_check, ADD CHECK (left_epsilon >= -1)",
       "ALTER TABLE vernier_tally DROP CONSTRAINT vernier_tally_left_epsilon_check, ADD CHECK (left_epsilon >= 0)"},
      {"CREATE TABLE child () INHERITS (vernier_entries)", "DROP TABLE child"},
      {"CREATE ROLE other; GRANT CREATE ON SCHEMA public TO other; ALTER TABLE vernier_documents OWNER TO other",
       "ALTER TABLE vernier_documents OWNER TO steward"},
  };
  std::string original =
      PostgresqlServer::run_at(address, "SELECT pg_get_functiondef('vernier_tally_follows'::regproc)");
  for (const auto& [change, undo] : changes) {
    PostgresqlServer::run_at(address, change);
    for (const Missing missing : {Missing::is_made, Missing::is_none}) {
      EXPECT_NE(sentence_of(address, missing).find("lacks rules that it was made with, or has others"),
                std::string::npos)
          << change << ": " << sentence_of(address, missing);
    }
    PostgresqlServer::run_at(address, undo.empty() ? original : undo);
    EXPECT_EQ(sentence_of(address), "") << undo;
  }
}

// As earlier versions made them.
TEST_P(PostgresqlStore, HasThePathsOfItsFunctionsFixedByItsOwner) {
  const std::string address = server().address();
  ASSERT_EQ(sentence_of(address), "");
  const std::string of_clerk = address_of_clerk(address, "later");
  const char* const are_fixed =
      "SELECT count(*) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proconfig::text LIKE "
      "'%pg_catalog, %, pg_temp%'";
  ASSERT_EQ(PostgresqlServer::run_at(address, are_fixed), "3");
  PostgresqlServer::run_at(address,
                           "ALTER FUNCTION vernier_tally_follows() SET search_path FROM CURRENT; "
                           "ALTER FUNCTION vernier_refuse() RESET search_path");
  const std::string refused = sentence_of(of_clerk, Missing::is_error);
  EXPECT_NE(refused.find("make one release as the owner of its tables"), std::string::npos) << refused;
  EXPECT_EQ(sentence_of(of_clerk, Missing::is_none), "") << "who only looks";
  EXPECT_EQ(PostgresqlServer::run_at(address, are_fixed), "1");
  EXPECT_EQ(sentence_of(address), "");
  EXPECT_EQ(PostgresqlServer::run_at(address, are_fixed), "3");
  EXPECT_EQ(sentence_of(of_clerk, Missing::is_error), "");
}

INSTANTIATE_TEST_SUITE_P(Postgresql, PostgresqlStore, ::testing::Values(testing::postgresql_stores));

}  // namespace
}  // namespace vernier::ledger
