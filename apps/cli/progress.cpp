#include "cli/progress.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

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

std::string progress_line(const std::string& label, int percent) {
  constexpr int cells = 30;
  const int full = percent * cells / 100;
  return fmt::format("{}  [{:<{}}] {:3} %", label, std::string(static_cast<std::size_t>(full), '#'), cells, percent);
}

ProgressBar::ProgressBar(std::FILE* file, std::string label)
    : file_(file), label_(std::move(label)), is_shown_(::isatty(::fileno(file)) == 1) {
  show(0);
}

ProgressBar::~ProgressBar() {
  if (!is_shown_) return;
  std::fputs("\r\x1b[K", file_);
  std::fflush(file_);
}

void ProgressBar::show(double done) {
  const int percent = static_cast<int>(100 * std::clamp(done, 0.0, 1.0));
  if (!is_shown_ || percent == percent_) return;
  percent_ = percent;
  std::fputs("\r", file_);
  std::fputs(progress_line(label_, percent).c_str(), file_);
  std::fflush(file_);
}

Progress ProgressBar::shown() {
  return [this](double done) {
    show(done);
    return true;
  };
}

}  // namespace vernier::cli
