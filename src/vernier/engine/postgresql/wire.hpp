#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <libpq-fe.h>

#include "vernier/core/progress.hpp"

namespace vernier::engine {

// One connection by libpq on which nobody waits for ever: every answer has its time, a network that has fallen silent
// is noticed, and what is stopped on a server that says nothing is left behind.
class Wire {
 public:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Answer = std::unique_ptr<PGresult, Clear>;
  using Clock = std::chrono::steady_clock;

  // What libpq knows by these names; what stands before dbname may be said otherwise in an address, and the rest may
  // not.
  void open(const std::vector<std::pair<const char*, std::string>>& options);
  bool is_lost() const;
  bool needs_password() const;
  int version() const;

  // Several statements at once, or one with texts for its places, whose rows come one by one where `by_rows`.
  bool send(const std::string& sql);
  bool send(const std::string& sql, const std::vector<std::string>& texts, bool by_rows);

  // What comes next before that time. The watcher is asked every 50 ms; where it says no, the statement is cancelled.
  enum class Came : unsigned char { answer, end, stopped, nothing };
  struct Next {
    Came came;
    Answer answer = nullptr;
  };
  Next next(Clock::time_point end, const Progress& progress);

  // Stops the statement, and takes what is still on its way; of a server that says nothing the connection is dropped.
  void cancel();

 private:
  struct Finish {
    void operator()(PGconn* handle) const { PQfinish(handle); }
  };

  bool take_input() const;

  std::unique_ptr<PGconn, Finish> handle_;
};

}  // namespace vernier::engine
