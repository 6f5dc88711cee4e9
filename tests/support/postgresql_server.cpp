#include "support/postgresql_server.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vernier::testing {
namespace {

const std::string programs = "/usr/lib/postgresql/15/bin/";

// Whom the server runs as: PostgreSQL refuses to run as root.
struct Account {
  uid_t user = ::geteuid();
  gid_t group = ::getegid();
};

Account account_of_server() {
  if (::geteuid() != 0) return {};
  const passwd* entry = ::getpwnam("postgres");
  if (entry == nullptr) entry = ::getpwnam("nobody");
  if (entry == nullptr) throw std::runtime_error("there is neither a user 'postgres' nor a user 'nobody'");
  return {entry->pw_uid, entry->pw_gid};
}

void become(const Account& account) {
  if (::geteuid() != 0) return;
  if (::setgroups(0, nullptr) != 0 || ::setgid(account.group) != 0 || ::setuid(account.user) != 0) ::_exit(126);
}

// Starts a program whose output goes to a file; it ends with this thread.
pid_t spawn(const std::vector<std::string>& command, const std::string& log) {
  const Account account = account_of_server();
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  char locale[] = "LC_ALL=C";
  char zone[] = "TZ=UTC";
  char* environment[] = {locale, zone, nullptr};
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const pid_t child = ::fork();
  if (child != 0) {
    ::close(output);
    return child;
  }
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  become(account);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  ::execve(arguments[0], arguments.data(), environment);
  ::_exit(127);
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void run_to_its_end(const std::vector<std::string>& command, const std::string& log) {
  int status = 0;
  ::waitpid(spawn(command, log), &status, 0);
  if (status != 0) throw std::runtime_error(command[0] + " failed: " + text_of(log));
}

// A port that nobody listens on now; another program may be faster, which the caller notices.
int free_port() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool is_bound = ::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(listener);
  if (!is_bound) throw std::runtime_error("the loopback has no free port");
  return ::ntohs(address.sin_port);
}

std::string own_folder_of_server() {
  std::string folder = (std::filesystem::temp_directory_path() / "vernier-postgresql-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("there is no room for a temporary folder");
  const Account account = account_of_server();
  std::ofstream(folder + "/password") << PostgresqlServer::password << '\n';
  for (const std::string& path : {folder, folder + "/password"}) {
    if (::chown(path.c_str(), account.user, account.group) != 0) throw std::runtime_error("chown failed");
  }
  return folder;
}

}  // namespace

bool PostgresqlServer::is_installed() { return std::filesystem::exists(programs + "postgres"); }

PostgresqlServer& PostgresqlServer::of_this_process() {
  static PostgresqlServer server;
  return server;
}

PostgresqlServer::PostgresqlServer(std::vector<std::string> settings)
    : folder_(own_folder_of_server()), settings_(std::move(settings)), owner_(::getpid()) {
  run_to_its_end({programs + "initdb", "--pgdata=" + folder_ + "/data", std::string("--username=") + user,
                  "--pwfile=" + folder_ + "/password", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C",
                  "--no-sync", "--no-instructions"},
                 folder_ + "/initdb.log");
  start();
}

PostgresqlServer::~PostgresqlServer() {
  if (::getpid() != owner_) return;  // a child that ends
  stop();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<std::string> PostgresqlServer::command() const {
  std::vector<std::string> all = {programs + "postgres", "-D", folder_ + "/data"};
  std::vector<std::string> settings = {"port=" + std::to_string(port_),
                                       "listen_addresses=127.0.0.1",
                                       "unix_socket_directories=" + folder_,
                                       "max_connections=200",
                                       "shared_buffers=16MB",
                                       "dynamic_shared_memory_type=mmap",
                                       "autovacuum=off"};
  settings.insert(settings.end(), settings_.begin(), settings_.end());
  for (const std::string& setting : settings) {
    all.emplace_back("-c");
    all.push_back(setting);
  }
  return all;
}

bool PostgresqlServer::is_up() const {
  return PQping(("host=127.0.0.1 connect_timeout=2 port=" + std::to_string(port_)).c_str()) == PQPING_OK;
}

void PostgresqlServer::start() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const bool keeps_its_port = port_ != 0;
  while (std::chrono::steady_clock::now() < deadline) {
    if (server_ < 0) {
      if (!keeps_its_port) port_ = free_port();
      server_ = spawn(command(), folder_ + "/server.log");
    }
    if (::waitpid(server_, nullptr, WNOHANG) == server_) server_ = -1;  // another program took the port, perhaps
    if (server_ >= 0 && is_up()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  stop();
  throw std::runtime_error("PostgreSQL does not start: " + text_of(folder_ + "/server.log"));
}

void PostgresqlServer::stop() {
  if (server_ < 0) return;
  ::kill(server_, SIGQUIT);
  ::waitpid(server_, nullptr, 0);
  server_ = -1;
}

void PostgresqlServer::crash_and_start_again() {
  stop();
  start();
}

std::string PostgresqlServer::address() {
  const std::string schema = "of_test_" + std::to_string(++schemas_);
  run("CREATE SCHEMA " + schema);
  return address_of(schema);
}

std::string PostgresqlServer::address_of(const std::string& schema) const {
  return std::string("postgresql://") + user + ":" + password + "@127.0.0.1:" + std::to_string(port_) +
         "/postgres?options=-csearch_path%3D" + schema;
}

std::string PostgresqlServer::run(const std::string& sql) const { return run_at(address_of("public"), sql); }

std::string PostgresqlServer::run_at(const std::string& address, const std::string& sql) {
  PGconn* connection = PQconnectdb(address.c_str());
  PGresult* answer = PQexec(connection, sql.c_str());
  const ExecStatusType status = PQresultStatus(answer);
  const bool is_done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
  const std::string problem = is_done ? "" : std::string(PQerrorMessage(connection));
  const std::string value = is_done && PQntuples(answer) > 0 ? PQgetvalue(answer, 0, 0) : "";
  PQclear(answer);
  PQfinish(connection);
  if (!is_done) throw std::runtime_error("PostgreSQL refused: " + problem);
  return value;
}

}  // namespace vernier::testing
