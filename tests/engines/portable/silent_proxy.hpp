#pragma once

#include <atomic>
#include <thread>

namespace vernier::engines {

// A network between a client and a server of this machine, which can fall silent: nothing goes through any more, and
// nobody is told, as when packets are dropped.
class SilentProxy {
 public:
  explicit SilentProxy(int to_port);
  SilentProxy(const SilentProxy&) = delete;
  SilentProxy& operator=(const SilentProxy&) = delete;
  ~SilentProxy();

  int port() const { return port_; }
  void fall_silent() { is_silent_ = true; }

 private:
  void run() const;

  int to_port_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> is_silent_ = false, is_over_ = false;
  std::thread thread_;
};

}  // namespace vernier::engines
