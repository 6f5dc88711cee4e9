#pragma once

#include <algorithm>
#include <chrono>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"

namespace vernier::audit {

// How long an audit may take. Trials are repeated until their part of the time has passed, whatever they show: how
// many there are does not depend on what they find.
class Timekeeper {
 public:
  using Clock = std::chrono::steady_clock;

  Timekeeper(double minutes, Progress progress)
      : begin_(Clock::now()), seconds_(60 * minutes), progress_(std::move(progress)) {}

  // From now on, this part of the whole; nothing goes beyond its end.
  Clock::time_point end_of(double part) const {
    return std::min(Clock::now() + duration(part * seconds_), begin_ + duration(seconds_));
  }

  // Tells how far it is; an error where whoever watches wants it to end.
  Result<void> tell() const {
    const double done = std::chrono::duration<double>(Clock::now() - begin_).count() / seconds_;
    if (progress_(std::min(done, 0.999))) return {};
    return fail(ErrorKind::system,
                "the audit was stopped before its end; nothing was found out, and no file is written");
  }

 private:
  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  Clock::time_point begin_;
  double seconds_;
  Progress progress_;
};

// Once, and then until the time is over.
template <class Trial>
Result<void> repeat_until(Timekeeper::Clock::time_point end, const Timekeeper& time, const Trial& trial) {
  do {
    if (Result<void> told = time.tell(); !told) return told;
    if (Result<void> tried = trial(); !tried) return tried;
  } while (Timekeeper::Clock::now() < end);
  return {};
}

}  // namespace vernier::audit
