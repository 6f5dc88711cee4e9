#pragma once

#include <array>
#include <csignal>
#include <cstdio>
#include <string>

#include "vernier/core/progress.hpp"

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

// How far long work is, on one line that is taken away at the end. It shows on a terminal alone.
class ProgressBar {
 public:
  ProgressBar(std::FILE* file, std::string label);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  void show(double done);  // from 0 to 1
  Progress shown();        // the same for work that nobody stops; as long as this lives

 private:
  std::FILE* file_;
  std::string label_;
  bool is_shown_;
  int percent_ = -1;
};

// "running  [#####               ]  25 %"
std::string progress_line(const std::string& label, int percent);

// Who watches a command that must be left in order: a bar on the terminal, and whoever presses Ctrl-C. One at a time.
class TerminalProgress {
 public:
  explicit TerminalProgress(std::string label) : bar_(stderr, std::move(label)) {}

  // As long as this lives.
  Progress watching() {
    return [this](double done) {
      bar_.show(done);
      return !interrupt_.came();
    };
  }

 private:
  Interrupt interrupt_;
  ProgressBar bar_;
};

}  // namespace vernier::cli
