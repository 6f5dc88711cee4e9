#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

namespace vernier::engines {

// Speaks what of Trino's REST interface a client needs to wait for: a statement with "slow" in it is answered late and
// never done, all others are one row with the number 1. With a certificate it speaks TLS.
class FakeTrino {
 public:
  FakeTrino();
  FakeTrino(const std::filesystem::path& certificate, const std::filesystem::path& key);
  FakeTrino(const FakeTrino&) = delete;
  FakeTrino& operator=(const FakeTrino&) = delete;
  ~FakeTrino();

  int port() const;
  int asked() const { return asked_; }      // statements
  int deleted() const { return deleted_; }  // of those that were ended

 private:
  struct Server;
  void begin();

  std::atomic<int> asked_ = 0, deleted_ = 0;
  std::unique_ptr<Server> server_;
};

}  // namespace vernier::engines
