#pragma once

#include <cstdio>
#include <string>

#include "vernier/core/progress.hpp"

namespace vernier::cli {

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

}  // namespace vernier::cli
