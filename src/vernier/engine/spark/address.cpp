#include "vernier/engine/spark/address.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "vernier/engine/sql/this_machine.hpp"

namespace vernier::engine {
namespace {

constexpr std::string_view scheme = "sc://";
constexpr int usual_port = 15002;

Failure no_address(const std::string& why) {
  return invalid("the address of the engine " + why, "write sc://HOST:PORT, or sc://HOST:PORT/;user_id=NAME");
}

// "[::1]:15002", "lake:15002" or "lake".
bool take_host(std::string_view authority, Channel::Server& server) {
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == std::string_view::npos) return false;
  const std::size_t colon = authority.find(':', bracket);
  const std::string_view host = authority.substr(0, colon);
  server.host = bracket == 0 ? host : host.substr(1, host.size() - 2);
  server.port = usual_port;
  if (server.host.empty() || colon == std::string_view::npos) return !server.host.empty();
  const std::string_view digits = authority.substr(colon + 1);
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), server.port);
  const bool is_number = failure == std::errc() && end == digits.data() + digits.size();
  return is_number && server.port > 0 && server.port < 65536;
}

// What a header, or a user, may be: seen characters of ASCII.
bool is_seen(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_header(std::string_view name) {
  return name.starts_with("x-") && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

Result<void> take_parameter(std::string_view key, std::string_view value, SparkAddress& address) {
  const std::string name(key);
  if (!is_seen(value)) return no_address("gives no value that can be sent for '" + name + "'");
  if (key == "user_id") {
    address.user = value;
  } else if (key == "use_ssl" && (value == "true" || value == "false")) {
    address.server.is_secure = value == "true";
  } else if (is_header(key)) {
    address.headers.emplace_back(key, value);
  } else {
    return no_address("has '" + name + "', and can have user_id, use_ssl = true or false, and headers x-...");
  }
  return {};
}

Result<void> take_parameters(std::string_view rest, SparkAddress& address) {
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    if (one.empty()) continue;
    if (equals == std::string_view::npos) return no_address("has something behind ; that is no KEY=VALUE");
    VERNIER_TRY(take_parameter(one.substr(0, equals), one.substr(equals + 1), address));
  }
  return {};
}

Result<void> take_token(bool is_local, SparkAddress& address) {
  const char* const token = std::getenv("VERNIER_SPARK_TOKEN");
  if (token == nullptr || *token == '\0') return {};
  if (!address.server.is_secure && !is_local) {
    return invalid("a token would go to the server of the catalog's engine where anybody can read it",
                   "leave out plaintext = true, or unset VERNIER_SPARK_TOKEN");
  }
  if (!is_seen(token)) {
    return invalid("VERNIER_SPARK_TOKEN has a character that no header can hold",
                   "use letters, digits and marks of ASCII");
  }
  address.headers.emplace_back("authorization", std::string("Bearer ") + token);
  return {};
}

}  // namespace

Result<SparkAddress> spark_address(const query::Engine& engine) {
  std::string_view rest = engine.address;
  if (!rest.starts_with(scheme)) return no_address("must begin with sc://");
  rest.remove_prefix(scheme.size());
  const std::string_view authority = rest.substr(0, rest.find_first_of("/;"));
  SparkAddress address;
  if (authority.find_first_of("@?#") != std::string_view::npos || !take_host(authority, address.server)) {
    return no_address("names no server and port");
  }
  rest.remove_prefix(authority.size());
  if (rest.starts_with('/')) rest.remove_prefix(1);
  if (!rest.empty() && !rest.starts_with(';')) return no_address("must have ; before what is said of the server");
  const bool is_local = is_this_machine(address.server.host);
  address.server.is_secure = !is_local && !engine.plaintext;
  VERNIER_TRY(take_parameters(rest, address));
  if (!address.server.is_secure && !is_local && !engine.plaintext) {
    return invalid("the address of the engine leads to another machine without TLS",
                   "leave out use_ssl=false, or write plaintext = true where nobody can listen");
  }
  VERNIER_TRY(take_token(is_local, address));
  return address;
}

}  // namespace vernier::engine
