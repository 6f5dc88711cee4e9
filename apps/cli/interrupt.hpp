#pragma once

#include <csignal>

namespace vernier::cli {

// While one of these lives, Ctrl-C and SIGTERM do not end the program but are noticed, so that what was begun is left
// in order. One at a time.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  bool came() const;

 private:
  struct sigaction before_int_, before_term_;
};

}  // namespace vernier::cli
