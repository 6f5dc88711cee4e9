#pragma once

#include <string>

#include "cli/interrupt.hpp"
#include "cli/progress_bar.hpp"
#include "vernier/core/progress.hpp"

namespace vernier::cli {

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
