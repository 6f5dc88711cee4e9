#include <array>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <random>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/front.hpp"
#include "vernier/core/hash.hpp"

// The front under requests that were changed at random places: over real sockets, with a process behind it that sends
// back what it is asked. Whatever comes is answered or cut off, and nobody without a token gets anything.
namespace vernier::server {
namespace {

using namespace std::chrono_literals;
using Draw = std::mt19937_64;

const std::string steward = "vrn_a-steward", reader = "vrn_a-reader";

Token token_of(const std::string& name, const std::string& text, Role role) {
  return {{name, roles_of(role), false}, sha256(text).value(), std::numeric_limits<std::int64_t>::max()};
}

// A front that serves in a thread of its own.
class Served {
 public:
  Served()
      : quick_(loop_, {{"/bin/cat"}, 2, 64, 12, 5s}),
        releasing_(loop_, {{"/bin/cat"}, 1, 64, 64, 0s}),
        front_(loop_, Access({token_of("carla", steward, Role::steward), token_of("dora", reader, Role::reader)}),
               quick_, releasing_, {}) {
    port_ = loop_.listen("127.0.0.1", 0, front_, {}).value();
    front_.set_names(names_of(port_, {}, "127.0.0.1", false));
    thread_ = std::thread([this] { loop_.run(); });
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() {
    loop_.after(0ms, [this] { loop_.stop(); });
    thread_.join();
  }

  // What comes back for these bytes, which are all that is sent.
  std::string answer(const std::string& request) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port_);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{30, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::string told;
    if (::connect(socket, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0) {
      ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
      ::shutdown(socket, SHUT_WR);
      std::array<char, 4096> part{};
      for (ssize_t got = 0; (got = ::recv(socket, part.data(), part.size(), 0)) > 0;)
        told.append(part.data(), static_cast<std::size_t>(got));
    }
    ::close(socket);
    return told;
  }

  std::string head(std::string_view method, std::string_view target, const std::string& token) const {
    return fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n",
                       method, target, port_, token);
  }
  bool is_healthy() const {
    return answer(head("GET", "/healthz", "") + "\r\n").find("\r\n\r\nok") != std::string::npos;
  }

 private:
  Loop loop_;
  Workers quick_, releasing_;
  Front front_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

std::string filled(std::string_view pattern) {
  std::string path;
  for (std::size_t at = 0; at < pattern.size();) {
    const bool is_name = pattern[at] == '{';
    path += is_name ? "a-key-of-sixteen-characters" : std::string(1, pattern[at]);
    at = is_name ? pattern.find('}', at) + 1 : at + 1;
  }
  return path;
}

// A good request of any route but that of a stream, which has no end.
std::string good_request(Draw& draw, const Served& served, const std::string& token) {
  const Route* route = nullptr;
  do route = &routes()[draw() % routes().size()];
  while (route->name == "events");
  std::string request = served.head(route->method, filled(route->pattern), token);
  if (route->by == By::release) request += "Idempotency-Key: a-key-of-sixteen-characters\r\n";
  if (route->method != "POST" && route->method != "PUT") return request + "\r\n";
  std::string body = "{";
  for (const std::string_view field : route->fields)
    body += fmt::format("{}\"{}\":\"x\"", body.size() > 1 ? "," : "", field.substr(0, field.find('?')));
  body += "}";
  return request + fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
}

constexpr std::array<std::string_view, 24> words = {"\r\n",
                                                    "\r",
                                                    "\n",
                                                    std::string_view("\0", 1),
                                                    ":",
                                                    " ",
                                                    "HTTP/1.1",
                                                    "HTTP/1.0",
                                                    "%00",
                                                    "%2e%2e/",
                                                    "../",
                                                    "?a=b&",
                                                    "Transfer-Encoding: chunked\r\n",
                                                    "Content-Length: 5\r\n",
                                                    "Host: x\r\n",
                                                    "0\r\n\r\n",
                                                    "ffffffffff\r\n",
                                                    "Expect: 100-continue\r\n",
                                                    "Upgrade: h2c\r\n",
                                                    "{\"a\":",
                                                    "[[[[[[[[[[[[[[[[[[",
                                                    "\\ud800",
                                                    "\xff\xfe",
                                                    "Origin: null\r\n"};

void change(Draw& draw, std::string& request) {
  const std::size_t at = draw() % (request.size() + 1);
  const std::size_t count = 1 + draw() % 16;
  switch (draw() % 6) {
    case 0:
      if (at < request.size()) request[at] = static_cast<char>(draw());
      return;
    case 1:
      request.erase(at, count);
      return;
    case 2:
      request.insert(at, words[draw() % words.size()]);
      return;
    case 3:
      request.insert(at, request.substr(at, count));
      return;
    case 4:
      request.resize(at);
      return;
    default:
      for (std::size_t i = 0; i < count; ++i)
        request.insert(request.begin() + static_cast<std::ptrdiff_t>(at), static_cast<char>(draw()));
  }
}

bool is_answer(const std::string& told) { return told.empty() || told.rfind("HTTP/1.1 ", 0) == 0; }

// So many of them by one client; a request of nobody is changed too, and is still nobody's. The first that was answered
// as it must not be; empty where there is none.
std::string besieged(const Served& served, std::uint64_t seed, std::size_t count) {
  Draw draw(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_known = draw() % 4 != 0;
    std::string request = good_request(draw, served, is_known ? (draw() % 2 == 0 ? steward : reader) : "vrn_nobody");
    for (std::size_t n = draw() % 4; n > 0; --n) change(draw, request);
    const std::string told = served.answer(request);
    const bool is_open = told.find("\"openapi\"") != std::string::npos || told.find("<!doctype") != std::string::npos;
    const bool is_leak =
        !is_known && request.find("/api/v1/") != std::string::npos && !is_open && told.rfind("HTTP/1.1 200", 0) == 0;
    const bool is_sick = i % 1000 == 999 && !served.is_healthy();
    if (!is_answer(told) || is_leak || is_sick) return request + "\nwas answered by\n" + told;
  }
  return served.is_healthy() ? "" : "it is not healthy";
}

TEST(Hostile, RequestsAreAnsweredOrCutOff) {
  const Served served;
  EXPECT_EQ(besieged(served, 1, 4000), "");
}

TEST(ThreadHostile, ClientsOf64ThreadsAreAnsweredOrCutOff) {
  const Served served;
  std::array<std::string, 64> found;
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < found.size(); ++i)
    clients.emplace_back([&served, &found, i] { found[i] = besieged(served, 100 + i, 40); });
  for (std::thread& one : clients) one.join();
  EXPECT_EQ(found, (std::array<std::string, 64>()));
}

// A million in all.
class Requests : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(HeavyHostile, Requests, testing::Range<std::uint64_t>(1000, 1020));

TEST_P(Requests, AreAnsweredOrCutOff) {
  const Served served;
  EXPECT_EQ(besieged(served, GetParam(), 50'000), "");
}

}  // namespace
}  // namespace vernier::server
