#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "vernier/core/result.hpp"

// HTTP as the rest of the server sees it. Only http.cpp includes Beast, and only the two files of this folder Asio.
namespace vernier::server {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;  // "GET"
  std::string target;  // as it was sent: "/api/v1/plan?x=1"
  Headers headers;     // names in small letters
  std::string body;
  std::string peer;  // the address that it came from

  std::optional<std::string> header(std::string_view name) const;  // the first
  std::size_t count(std::string_view name) const;
};

// An answer without an end (text/event-stream): whoever holds it sends pieces as they come.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual bool is_open() const = 0;
  virtual void send(std::string text) = 0;  // one who does not read is cut off
  virtual void close() = 0;
};
using Begin = std::function<void(std::shared_ptr<Stream>)>;

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  Headers headers = {};
  Begin begin = {};  // where it is a stream: called once its head was sent
};

// Called once, in the thread of the loop; whoever asked may have left meanwhile.
using Reply = std::function<void(Response)>;

// What the loop asks of a server.
class Site {
 public:
  Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  virtual ~Site() = default;

  // Before a body is read: what is refused at once, or how many bytes the body may have.
  virtual std::variant<Response, std::size_t> admit(const Request& head) = 0;
  virtual void answer(Request request, const Reply& reply) = 0;
  // What is said of a request that is no HTTP, is too large or too slow.
  virtual Response refused(int status) = 0;
};

struct Limits {
  std::size_t header_bytes = 8192;
  std::size_t greatest_body = std::size_t{17} << 20;
  std::chrono::seconds header_time{10}, body_time{20}, write_time{20}, idle_time{60};
  std::size_t connections = 3000;                   // then whoever has waited longest to say anything is cut off
  std::size_t connections_of_address = 64;          // other than this machine
  std::size_t unread_bytes = std::size_t{1} << 18;  // of a stream
};

// The files of a certificate and its private key, in PEM.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

// One thread for all sockets, clocks and children: nothing in it needs a lock.
class Loop {
 public:
  Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  // The port that was bound, which is one that was free where 0 was asked.
  Result<std::uint16_t> listen(const std::string& address, std::uint16_t port, Site& site, const Limits& limits,
                               const std::optional<TlsFiles>& tls = {});
  void close_listener();
  std::size_t connections() const;

  void after(std::chrono::milliseconds wait, std::function<void()> work);
  // SIGTERM and SIGINT, each time one comes; SIGHUP.
  void on_signal(std::function<void()> work);
  void on_hangup(std::function<void()> work);
  void run();
  void stop();

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace vernier::server
