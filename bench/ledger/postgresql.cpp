// Vernier's ledger on a PostgreSQL 15 of its own, as Debian installs it, on the loopback.
#include "bench/ledger/spends.hpp"
#include "support/postgresql_server.hpp"
#include "vernier/ledger/postgresql/store.hpp"

namespace {

using namespace bench;
using vernier::testing::PostgresqlServer;

double rate(int clients, double seconds, const std::string& in) {
  PostgresqlServer server;
  const Folder folder(in);
  auto store = need(ledger::open_postgresql(server.address(), ledger::Missing::is_made));
  return spends_per_second(*opened(std::move(store), folder), clients, seconds);
}

std::string answer(const std::string& line, double seconds, const std::string& in) {
  const std::optional<Spends> spends = spends_in(line);
  if (!spends) return "none it is measured on SQLite";
  if (spends->sync != 0) return "none its server syncs by itself";
  if (!PostgresqlServer::is_installed()) return std::string("none ") + PostgresqlServer::how_to_install;
  return text(rate(spends->clients, seconds, in));
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 1;
  const std::string folder = count > 2 ? words[2] : ".";
  bench::serve([&](const std::string& line) { return answer(line, seconds, folder); });
}
