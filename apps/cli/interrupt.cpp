#include "cli/interrupt.hpp"

namespace vernier::cli {
namespace {

volatile std::sig_atomic_t noticed = 0;

void notice(int) { noticed = 1; }

}  // namespace

Interrupt::Interrupt() {
  noticed = 0;
  struct sigaction action {};
  action.sa_handler = notice;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

bool Interrupt::came() const { return noticed != 0; }

}  // namespace vernier::cli
