#include "vernier/engine/trino/http.hpp"

#include <charconv>
#include <chrono>
#include <future>
#include <string_view>

#include <httplib.h>

#include "vernier/engine/sql/this_machine.hpp"

namespace vernier::engine {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;

Failure no_address(const std::string& why) {
  return invalid("the address of the engine " + why, "write https://USER@HOST:PORT");
}

// "[::1]:8080" or "lake:8080".
bool take_host(std::string_view authority, HttpAddress& address) {
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == std::string_view::npos) return false;
  const std::size_t colon = authority.find(':', bracket);
  const std::string_view host = authority.substr(0, colon);
  address.host = bracket == 0 ? host : host.substr(1, host.size() - 2);
  if (colon == std::string_view::npos) return !address.host.empty();
  const std::string_view digits = authority.substr(colon + 1);
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  const bool is_port = failure == std::errc() && end == digits.data() + digits.size();
  return is_port && address.port > 0 && address.port < 65536 && !address.host.empty();
}

}  // namespace

bool HttpAddress::is_on_this_machine() const { return is_this_machine(host); }

Result<HttpAddress> http_address(const std::string& address) {
  HttpAddress parts;
  std::string_view rest = address;
  parts.is_secure = rest.starts_with("https://");
  parts.port = parts.is_secure ? 443 : 80;
  if (!parts.is_secure && !rest.starts_with("http://")) return no_address("must begin with https://");
  rest.remove_prefix(parts.is_secure ? 8 : 7);
  const std::size_t at = rest.rfind('@');
  if (at == std::string_view::npos || at == 0) return no_address("names no user");
  parts.user = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.find_first_of("/?#") != std::string_view::npos) return no_address("must end with its host or port");
  if (!take_host(rest, parts)) return no_address("names no server and port");
  return parts;
}

std::string basic_access(const std::string& user, const std::string& password) {
  return httplib::make_basic_authentication_header(user, password).second;
}

struct Http::Client {
  explicit Client(const HttpAddress& address)
      : own((address.is_secure ? "https://" : "http://") + in_brackets(address.host) + ":" +
            std::to_string(address.port)) {
    own.set_connection_timeout(10);
    own.set_read_timeout(60);
    own.set_write_timeout(60);
    own.set_keep_alive(true);
    own.set_follow_location(false);
    own.enable_server_certificate_verification(true);
  }

  static std::string in_brackets(const std::string& host) {
    return host.find(':') == std::string::npos ? host : "[" + host + "]";
  }

  HttpAnswer ask(const std::string& method, const std::string& path, const std::string& body) {
    HttpAnswer answer;
    httplib::Request request;
    request.method = method;
    request.path = path;
    request.headers = headers;
    request.body = body;
    request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
      if (answer.body.size() + size > most_bytes) return false;
      answer.body.append(data, size);
      return true;
    };
    const httplib::Result result = own.send(request);
    answer.reached = reached(result.error());
    answer.status = result ? result->status : 0;
    return answer;
  }

  static Reached reached(httplib::Error error) {
    if (error == httplib::Error::Success) return Reached::yes;
    const bool is_untrusted = error == httplib::Error::SSLServerVerification ||
                              error == httplib::Error::SSLConnection || error == httplib::Error::SSLLoadingCerts;
    return is_untrusted ? Reached::untrusted : Reached::no;
  }

  httplib::Client own;
  httplib::Headers headers;
};

Http::Http(const HttpAddress& address, Headers headers) : client_(std::make_unique<Client>(address)) {
  client_->headers.emplace("Accept-Encoding", "identity");
  for (auto& [name, value] : headers) client_->headers.emplace(std::move(name), std::move(value));
}

Http::~Http() = default;

HttpAnswer Http::ask(const std::string& method, const std::string& path, const std::string& body,
                     const Progress& progress) {
  std::future<HttpAnswer> asked = std::async(std::launch::async, [&] { return client_->ask(method, path, body); });
  bool is_stopped = false;
  while (asked.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    if (is_stopped || progress(0)) continue;
    is_stopped = true;
    client_->own.stop();
  }
  HttpAnswer answer = asked.get();
  if (is_stopped) answer.reached = Reached::stopped;
  return answer;
}

}  // namespace vernier::engine
