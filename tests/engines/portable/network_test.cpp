#include <chrono>
#include <cstdlib>

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include "engines/portable/fake_trino.hpp"
#include "engines/portable/servers.hpp"
#include "engines/portable/silent_proxy.hpp"
#include "support/certificates.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/spark/channel.hpp"
#include "vernier/engine/sql/this_machine.hpp"

// What lies between: who is let in by which certificate, networks that fall silent, and statements that nobody waits
// for any more.
namespace vernier::engines {
namespace {

namespace fs = std::filesystem;
using query::Type;
using testing::Authority;
using testing::PostgresqlServer;
using Clock = std::chrono::steady_clock;

TEST(ThisMachine, IsItsOwnNameAndAddressAndNoNameThatBeginsSo) {
  for (const char* here : {"localhost", "127.0.0.1", "127.1.2.3", "::1"}) EXPECT_TRUE(engine::is_this_machine(here));
  for (const char* there : {"127.evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", "::2",
                            "128.0.0.1", "127.1", ""}) {
    EXPECT_FALSE(engine::is_this_machine(there)) << there;
  }
}

// A server of Trino that never finishes, and a run that is stopped while its first request is on the way: the statement
// is ended on the server too.
TEST(TrinoNetwork, EndsAStatementThatIsStoppedBeforeItsFirstAnswer) {
  const FakeTrino server;
  query::Engine engine;
  engine.kind = "trino";
  engine.address = "http://reader@127.0.0.1:" + std::to_string(server.port());
  const auto connection = engine::connect(engine);
  ASSERT_TRUE(connection) << connection.error().sentence();
  const auto start = Clock::now();
  const auto stop = [&](double) { return Clock::now() < start + std::chrono::milliseconds(200); };
  const auto cells = (*connection)->read("SELECT slow", {Type::integer}, 1, stop);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().kind, ErrorKind::stopped);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(server.asked(), 2);
  EXPECT_EQ(server.deleted(), 1);
}

class Tls : public ::testing::Test {
 protected:
  Tls() {
    authority_.write_certificate(path("root.crt"));
    Authority().write_certificate(path("other.crt"));
    authority_.issue("localhost", path("trino.crt"), path("trino.key"));
    authority_.issue("db.vernier.test", path("server.crt"), path("server.key"));
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }

  // Who runs the server reads its key.
  void give_to_server() const {
    fs::permissions(folder_.path(), fs::perms(0711));
    fs::permissions(path("server.key"), fs::perms(0600));
    const passwd* account = ::getpwnam("postgres");
    if (account == nullptr) account = ::getpwnam("nobody");
    if (::geteuid() != 0) return;
    for (const char* name : {"server.crt", "server.key"}) {
      ASSERT_EQ(::chown(path(name).c_str(), account->pw_uid, account->pw_gid), 0);
    }
  }

  testing::TemporaryFolder folder_;
  Authority authority_;
};

TEST_F(Tls, LeadsToATrinoOfTheNameThatSomebodyVouchesFor) {
  const FakeTrino server(path("trino.crt"), path("trino.key"));
  const auto connected = [&](const char* host, const char* root) {
    ::setenv("SSL_CERT_FILE", path(root).c_str(), 1);
    query::Engine engine;
    engine.kind = "trino";
    engine.address = std::string("https://reader@") + host + ":" + std::to_string(server.port());
    const auto connection = engine::connect(engine);
    ::unsetenv("SSL_CERT_FILE");
    return connection ? "" : connection.error().sentence();
  };
  EXPECT_EQ(connected("localhost", "root.crt"), "");
  EXPECT_NE(connected("localhost", "other.crt").find("no certificate that this machine trusts"), std::string::npos);
  EXPECT_NE(connected("127.0.0.1", "root.crt").find("no certificate that this machine trusts"), std::string::npos);
}

TEST_F(Tls, LeadsToASparkOfTheNameThatSomebodyVouchesFor) {
  using engine::Channel;
  const FakeTrino server(path("trino.crt"), path("trino.key"));  // of which no more than its certificate is asked
  const auto opened = [&](const char* host, const char* root, bool is_secure = true) {
    ::setenv("SSL_CERT_FILE", path(root).c_str(), 1);
    Channel channel;
    const Channel::State state = channel.open({host, server.port(), is_secure}, nobody_watches);
    ::unsetenv("SSL_CERT_FILE");
    return state;
  };
  EXPECT_EQ(opened("localhost", "root.crt"), Channel::State::open);
  EXPECT_EQ(opened("localhost", "other.crt"), Channel::State::untrusted);
  EXPECT_EQ(opened("127.0.0.1", "root.crt"), Channel::State::untrusted);
  EXPECT_EQ(Channel().open({"127.0.0.1", 1, false}, nobody_watches), Channel::State::lost);
}

// The name of another machine, whose address is this one's: so the certificate must be that of the name.
TEST_F(Tls, LeadsToAPostgresqlOfTheNameThatSomebodyVouchesFor) {
  if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
  give_to_server();
  PostgresqlServer server(
      {"ssl=on", "ssl_cert_file=" + path("server.crt").string(), "ssl_key_file=" + path("server.key").string()});
  const Reader reader = new_reader(server);
  const std::string port = reader.engine.address.substr(reader.engine.address.find("127.0.0.1:") + 10, 5);
  const auto connects = [&](const std::string& host, const char* root, const std::string& more = "") {
    query::Engine engine = reader.engine;
    engine.address = "postgresql://" + reader.schema + "@/postgres?hostaddr=127.0.0.1&host=" + host +
                     "&port=" + std::to_string(std::stoi(port)) + "&sslrootcert=" + path(root).string() + more;
    return engine::connect(engine).has_value();
  };
  EXPECT_TRUE(connects("db.vernier.test", "root.crt"));
  EXPECT_TRUE(connects("db.vernier.test", "root.crt", "&sslmode=disable"));  // which an address cannot ask for
  EXPECT_FALSE(connects("db.vernier.test", "other.crt"));
  EXPECT_FALSE(connects("127.vernier.test", "root.crt"));
  EXPECT_FALSE(connects("127.vernier.test", "root.crt", "&sslmode=disable"));
}

// A server that has no room for what a statement needs: the sentence is that of every failure.
TEST(PostgresqlWithoutRoom, TellsOneSentence) {
  if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
  PostgresqlServer& server = PostgresqlServer::of_this_process();
  const Reader reader = new_reader(server);
  server.run("ALTER ROLE " + reader.schema + " SET work_mem = '64kB'");
  server.run("ALTER ROLE " + reader.schema + " SET temp_file_limit = '64kB'");
  const auto connection = engine::connect(reader.engine);
  ASSERT_TRUE(connection) << connection.error().sentence();
  const auto cells = (*connection)
                         ->read(
                             "SELECT count(*) FROM (SELECT md5(CAST(i AS TEXT)) AS t FROM generate_series(1, "
                             "100000) AS g(i) ORDER BY t LIMIT 90000) AS s",
                             {Type::integer}, 1, nobody_watches);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().sentence(), engine::run_failed);
  EXPECT_FALSE((*connection)->is_lost());
}

// A server of PostgreSQL behind a network that falls silent while a statement runs.
class SlowSilence : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
    query::Engine engine = new_reader(PostgresqlServer::of_this_process()).engine;
    const std::size_t port = engine.address.find("127.0.0.1:") + 10, end = engine.address.find('/', port);
    proxy_ = std::make_unique<SilentProxy>(std::stoi(engine.address.substr(port, end - port)));
    engine.address.replace(port, end - port, std::to_string(proxy_->port()));
    engine.seconds = 1;
    auto connection = engine::connect(engine);
    ASSERT_TRUE(connection) << connection.error().sentence();
    connection_ = *std::move(connection);
  }

  std::unique_ptr<SilentProxy> proxy_;
  std::unique_ptr<engine::Connection> connection_;
  const char* const endless_ = "SELECT count(*) FROM generate_series(1, 100000000000) AS g(i)";
};

TEST_F(SlowSilence, EndsWithTheTimeOfAStatementAndSomeSeconds) {
  const auto start = Clock::now();
  const auto cells = connection_->read(endless_, {Type::integer}, 1, [&](double) {
    proxy_->fall_silent();
    return true;
  });
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().sentence(), engine::run_failed);
  EXPECT_TRUE(connection_->is_lost());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(40));
}

TEST_F(SlowSilence, KeepsNobodyWhoStopsARun) {
  const auto start = Clock::now();
  const auto cells = connection_->read(endless_, {Type::integer}, 1, [&](double) {
    proxy_->fall_silent();
    return false;
  });
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().kind, ErrorKind::stopped);
  EXPECT_TRUE(connection_->is_lost());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace vernier::engines
