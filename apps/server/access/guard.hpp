#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/http.hpp"

// What a request must be before anybody asks what it wants: pure functions of its head.
namespace vernier::server {

// The names by which this server may be called, with their port: "127.0.0.1:8080".
struct Names {
  std::vector<std::string> hosts;
  std::vector<std::string> origins;  // "http://127.0.0.1:8080"
};
// With TLS of its own the server speaks https under all of them; `others` are names that people type.
Names names_of(std::uint16_t port, const std::vector<std::string>& others, const std::string& address = "127.0.0.1",
               bool has_tls = false);

struct Refusal {
  int status;
  std::string sentence;
};

// 421 for another host (a name that somebody has bound to this address), 403 for a page of another origin, 405 and 415
// for what no route takes.
std::optional<Refusal> refusal_of(const Request& head, const Names& names);

// "/api/v1/catalogs/a%20b" -> {"api", "v1", "catalogs", "a b"}; none where the target is no plain path.
std::optional<std::vector<std::string>> segments_of(std::string_view target);
// Behind the "?": the value of a name, decoded.
std::optional<std::string> query_value(std::string_view target, std::string_view name);

// With what every answer carries: no cookie, no store, no other origin.
Response with_headers(Response response);

}  // namespace vernier::server
