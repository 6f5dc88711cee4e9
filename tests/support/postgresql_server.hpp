#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace vernier::testing {

// A PostgreSQL 15 of its own on a free port of the loopback, in a folder that goes with it; durable as it comes, and
// with a password. It ends with this object, or with the thread that made it should that be killed.
//
//     if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
//     const std::string address = PostgresqlServer::of_this_process().address();
class PostgresqlServer {
 public:
  static constexpr const char* how_to_install = "PostgreSQL 15 is not installed; tools/setup does that";
  static constexpr const char* user = "steward";
  static constexpr const char* password = "pa55-of-the-steward";

  static bool is_installed();

  // Started at first use, in less than 2 s, and shared by all tests of the process; its children let it live.
  static PostgresqlServer& of_this_process();

  // With more settings, such as "fsync=off". Throws std::runtime_error where it does not start.
  explicit PostgresqlServer(std::vector<std::string> settings = {});
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;
  ~PostgresqlServer();

  std::string address();  // of a fresh, empty schema, as a URI with the password
  std::string address_of(const std::string& schema) const;

  std::string run(const std::string& sql) const;  // the first value of the answer; throws where it fails
  static std::string run_at(const std::string& address, const std::string& sql);

  // Ends it as a crash of the server does, and starts it again on the same port and folder.
  void crash_and_start_again();

 private:
  void start();
  void stop();
  bool is_up() const;
  std::vector<std::string> command() const;

  std::string folder_;
  std::vector<std::string> settings_;
  int port_ = 0;
  pid_t server_ = -1;
  pid_t owner_;
  int schemas_ = 0;
};

}  // namespace vernier::testing
