#include "vernier/engine/postgresql/address.hpp"

#include <cstdlib>
#include <map>
#include <string_view>

#include <libpq-fe.h>

#include "vernier/engine/sql/this_machine.hpp"

namespace vernier::engine {
namespace {

std::map<std::string, std::string> options_in(const std::string& address) {
  std::map<std::string, std::string> options;
  PQconninfoOption* const parsed = PQconninfoParse(address.c_str(), nullptr);
  for (const PQconninfoOption* one = parsed; one != nullptr && one->keyword != nullptr; ++one) {
    if (one->val != nullptr) options[one->keyword] = one->val;
  }
  if (parsed != nullptr) PQconninfoFree(parsed);
  return options;
}

// Nothing, and what begins so, is a socket of this machine.
bool is_local(std::string_view host) {
  return host.empty() || host.starts_with('/') || host.starts_with('@') || is_this_machine(host);
}

bool are_local(std::string_view hosts) {
  while (true) {
    const std::size_t comma = hosts.find(',');
    if (!is_local(hosts.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    hosts.remove_prefix(comma + 1);
  }
}

std::string of_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_on_this_machine(const std::string& address) {
  std::map<std::string, std::string> options = options_in(address);
  if (options.contains("service") || !of_environment("PGSERVICE").empty()) return false;  // which may name any host
  if (!options.contains("host")) options["host"] = of_environment("PGHOST");
  if (!options.contains("hostaddr")) options["hostaddr"] = of_environment("PGHOSTADDR");
  return are_local(options["host"]) && (options["hostaddr"].empty() || are_local(options["hostaddr"]));
}

}  // namespace vernier::engine
