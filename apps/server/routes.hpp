#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/access/access.hpp"
#include "server/access/rates.hpp"

// Everything that can be asked, in one list: who may ask it, how much they may send, and who answers.
namespace vernier::server {

enum class By : std::uint8_t {
  front,    // the process with the sockets, which knows sessions and states
  worker,   // a process that reads catalogs, studies and ledgers
  release,  // a process that reads data; the answer is asked for later
};

struct Route {
  std::string_view method;
  std::string_view pattern;  // "/api/v1/ledgers/{catalog}"
  Roles roles;               // who may; nobody_asked: everybody, without a token
  By by;
  std::string_view name;  // of what answers it
  std::size_t most_bytes;
  std::string_view summary;
  std::vector<std::string_view> fields = {};  // of the body; a "?" behind those that may be left out
  std::vector<std::string_view> query = {};   // likewise of the address
  Pace pace = Pace::any;                      // how often one person may ask it
};

const std::vector<Route>& routes();

struct Matched {
  const Route* route;
  std::map<std::string, std::string, std::less<>> parameters;  // of the pattern and of the query, decoded
};

// The route of a request: none where there is no such address; one with another method gives `is_method_wrong`.
struct Found {
  std::optional<Matched> matched;
  bool is_method_wrong = false;
};
Found route_of(std::string_view method, std::string_view target);

// The list as OpenAPI 3.1.
std::string openapi_json();

}  // namespace vernier::server
