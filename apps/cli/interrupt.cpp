#include "cli/interrupt.hpp"

namespace vernier::cli {
namespace {

constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t noticed = 0;
int alive = 0;

void notice(int) { noticed = 1; }

void watch(int signal, struct sigaction& before) {
  struct sigaction action {};
  action.sa_handler = notice;
  sigemptyset(&action.sa_mask);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  if (alive++ == 0) noticed = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) watch(signals[i], before_[i]);
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  --alive;
}

bool Interrupt::came() const { return noticed != 0; }

}  // namespace vernier::cli
