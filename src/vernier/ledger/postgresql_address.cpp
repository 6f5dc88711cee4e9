#include <algorithm>
#include <map>

#include "vernier/ledger/postgresql.hpp"
#include "vernier/ledger/postgresql_store.hpp"

namespace vernier::ledger::postgresql {
namespace {

using Options = std::map<std::string, std::string>;

Failure unreadable() {
  return invalid(
      "the address of the ledger cannot be read; write postgresql://USER:PASSWORD@HOST/DATABASE, in the password %40 "
      "for "
      "an @ and %2F for a /, or leave the password to a password file");
}

Result<Options> options_in(const std::string& address) {
  char* problem = nullptr;  // may quote the password, so nobody sees it
  PQconninfoOption* const parsed = PQconninfoParse(address.c_str(), &problem);
  if (problem != nullptr) PQfreemem(problem);
  if (parsed == nullptr) return unreadable();
  Options options;
  for (const PQconninfoOption* option = parsed; option->keyword != nullptr; ++option) {
    if (option->val != nullptr) options[option->keyword] = option->val;
  }
  PQconninfoFree(parsed);
  return options;
}

// An @ or a / that was not written as %40 or %2F cuts a password into parts that look like a host, a port or a
// database.
bool may_show_password(const Options& options) {
  const auto has = [&](const char* key, const auto& wrong) {
    const auto found = options.find(key);
    return found != options.end() && std::any_of(found->second.begin(), found->second.end(), wrong);
  };
  const auto is_at = [](char c) { return c == '@'; };
  const auto is_no_port = [](char c) { return (c < '0' || c > '9') && c != ','; };
  return has("host", is_at) || has("dbname", is_at) || has("user", is_at) || has("port", is_no_port);
}

std::string value_of(const Options& options, const char* key) {
  const auto found = options.find(key);
  return found == options.end() ? std::string() : found->second;
}

// "-csearch_path=x" is told, other options are not.
std::string search_path_of(const Options& options) {
  const std::string text = value_of(options, "options");
  const std::string_view setting = "search_path=";
  const std::size_t at = text.find(setting);
  if (at == std::string::npos) return "";
  const std::size_t start = at + setting.size();
  return "?options=-csearch_path%3D" + text.substr(start, text.find_first_of(" \\", start) - start);
}

}  // namespace

Result<std::string> name_of_address(const std::string& address) {
  VERNIER_TRY(const Options options, options_in(address));
  if (may_show_password(options)) return unreadable();
  std::string name = "postgresql://";
  if (const std::string user = value_of(options, "user"); !user.empty()) name.append(user).append("@");
  name.append(value_of(options, options.contains("host") ? "host" : "hostaddr"));
  if (const std::string port = value_of(options, "port"); !port.empty()) name.append(":").append(port);
  if (const std::string database = value_of(options, "dbname"); !database.empty()) name.append("/").append(database);
  return name + search_path_of(options);
}

}  // namespace vernier::ledger::postgresql

namespace vernier::ledger {

std::string name_of_postgresql(const std::string& address) {
  return postgresql::name_of_address(address).value_or("postgresql://");
}

}  // namespace vernier::ledger
