#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/engine/spark/channel.hpp"

namespace vernier::engine {

// Calls of gRPC (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md) on one connection, one at a time, not
// compressed. Nothing of what a server says of an error is kept.
class Grpc {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;
  using Clock = Channel::Clock;

  // The codes of gRPC that matter here.
  static constexpr int ok = 0, unavailable = 14, unauthenticated = 16, permission_denied = 7;

  enum class Came : std::uint8_t { answer, lost, stopped, late };
  struct Reply {
    Came came = Came::lost;
    int code = -1;  // of an answer; none of gRPC where it is below 0
    std::vector<std::string> messages = {};
  };

  Grpc(Channel::Server server, Headers headers);
  Grpc(const Grpc&) = delete;
  Grpc& operator=(const Grpc&) = delete;
  ~Grpc();

  Channel::State open(const Progress& progress);
  bool is_lost() const;

  // All messages of the answer to a method, "/spark.connect.SparkConnectService/Config", of 256 MB at most. Where the
  // watcher says no, and after `end`, the call is given up.
  Reply call(const std::string& method, const std::string& message, Clock::time_point end, const Progress& progress);

 private:
  class Session;

  Channel::Server server_;
  Headers headers_;
  std::unique_ptr<Session> session_;
};

}  // namespace vernier::engine
