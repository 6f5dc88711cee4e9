#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "vernier/core/progress.hpp"

namespace vernier::engine {

// Bytes to and from one server, in the thread of the caller, on which nobody waits for ever: what is asked for has its
// time, a network that has fallen silent is noticed after some 45 s, and the watcher is asked every 50 ms. By TLS the
// server's certificate and name are verified by the certificates that this machine trusts, or that SSL_CERT_FILE names.
class Channel {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State : std::uint8_t { open, lost, untrusted };

  struct Server {
    std::string host;
    int port;
    bool is_secure;
  };

  Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  // Connects within 10 s, for HTTP/2 where that is agreed on. Once.
  State open(const Server& server, const Progress& progress);
  State state() const { return state_; }

  // Sends all of it; what comes within 50 ms, which may be nothing.
  void send(std::string_view bytes);
  std::string receive();

 private:
  class Tls;

  bool connect(const Server& server, Clock::time_point end, const Progress& progress);
  bool shake_hands(Clock::time_point end, const Progress& progress);
  bool is_ready(short events) const;  // within 50 ms
  bool send_plain(std::string_view bytes);
  std::string receive_plain();

  int socket_ = -1;
  State state_ = State::lost;
  std::unique_ptr<Tls> tls_;
};

}  // namespace vernier::engine
