#include "server/access/guard.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace vernier::server {
namespace {

constexpr std::string_view api = "/api/";

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_plain(char c) { return c > ' ' && c < '\x7f'; }

std::optional<Refusal> host_refusal(const Request& head, const Names& names) {
  const auto host = head.header("host");
  if (head.count("host") == 1 && contains(names.hosts, *host)) return std::nullopt;
  return Refusal{421, "this server does not answer to that name; open the link that it has printed"};
}

// A page of another site can send requests here, but says so, and cannot read or set these headers.
std::optional<Refusal> origin_refusal(const Request& head, const Names& names) {
  const Refusal foreign{403, "this request comes from a page of another site, and is refused"};
  if (head.count("origin") > 1 || head.count("sec-fetch-site") > 1) return foreign;
  if (const auto origin = head.header("origin"); origin && !contains(names.origins, *origin)) return foreign;
  const bool is_page = head.method == "GET" && head.target.rfind(api, 0) != 0;
  const std::string site = head.header("sec-fetch-site").value_or("none");
  if (is_page || site == "none" || site == "same-origin") return std::nullopt;
  return foreign;
}

bool is_json(const Request& head) {
  const std::string type = head.header("content-type").value_or("");
  return head.count("content-type") == 1 && type.substr(0, type.find(';')) == "application/json";
}

std::optional<Refusal> form_refusal(const Request& head) {
  constexpr std::array<std::string_view, 4> methods = {"GET", "POST", "PUT", "DELETE"};
  if (std::find(methods.begin(), methods.end(), head.method) == methods.end()) {
    return Refusal{405, "the method is not one of GET, POST, PUT and DELETE"};
  }
  if (!segments_of(head.target)) return Refusal{400, "the address is no plain path, such as /api/v1/plan"};
  if ((head.method == "POST" || head.method == "PUT") && !is_json(head)) {
    return Refusal{415, "a request with content must have the Content-Type application/json"};
  }
  return std::nullopt;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

}  // namespace

Names names_of(std::uint16_t port, const std::vector<std::string>& others, const std::string& address, bool has_tls) {
  Names names;
  std::vector<std::string> hosts = {"127.0.0.1", "localhost", "[::1]"};
  if (address != "127.0.0.1") hosts.push_back(address.find(':') == std::string::npos ? address : "[" + address + "]");
  if (has_tls) hosts.insert(hosts.end(), others.begin(), others.end());
  for (const std::string& host : hosts) {
    names.hosts.push_back(fmt::format("{}:{}", host, port));
    names.origins.push_back((has_tls ? "https://" : "http://") + names.hosts.back());
  }
  for (const std::string& name : others) {  // behind a proxy that speaks TLS
    names.hosts.push_back(name);
    names.origins.push_back("https://" + name);
  }
  return names;
}

std::optional<Refusal> refusal_of(const Request& head, const Names& names) {
  if (auto no = host_refusal(head, names)) return no;
  if (auto no = form_refusal(head)) return no;
  return origin_refusal(head, names);
}

std::optional<std::vector<std::string>> segments_of(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path.empty() || path[0] != '/' || !std::all_of(target.begin(), target.end(), is_plain)) return std::nullopt;
  std::vector<std::string> segments;
  for (std::string_view rest = path.substr(1); !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('/'));
    const auto text = decoded(one);
    if (!text || text->empty()) return std::nullopt;
    segments.push_back(*text);
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return segments;
}

std::optional<std::string> query_value(std::string_view target, std::string_view name) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return std::nullopt;
  for (std::string_view rest = target.substr(mark + 1); !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) return decoded(pair.substr(equals + 1));
  }
  return std::nullopt;
}

Response with_headers(Response response) {
  const auto add = [&](const char* name, const char* value) {
    const auto has = [&](const auto& header) { return header.first == name; };
    if (std::none_of(response.headers.begin(), response.headers.end(), has)) response.headers.emplace_back(name, value);
  };
  add("Cache-Control", "no-store");
  add("Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src "
      "'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
      "trusted-types 'none'");
  add("Cross-Origin-Opener-Policy", "same-origin");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  add("Referrer-Policy", "no-referrer");
  add("X-Content-Type-Options", "nosniff");
  add("X-Frame-Options", "DENY");
  return response;
}

}  // namespace vernier::server
