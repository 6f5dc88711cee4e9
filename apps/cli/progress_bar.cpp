#include "cli/progress_bar.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace vernier::cli {

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
