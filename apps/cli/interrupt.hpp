#pragma once

#include <array>
#include <csignal>

namespace vernier::cli {

// While one of these lives, Ctrl-C, SIGTERM and the end of the terminal do not end the program but are noticed, so that
// what was begun is left in order. One may live inside of another; what was noticed since the outer one began stays so.
// A signal that was ignored before stays ignored.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  bool came() const;

 private:
  std::array<struct sigaction, 3> before_;
};

}  // namespace vernier::cli
