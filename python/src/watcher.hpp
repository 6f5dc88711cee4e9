#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include <nanobind/nanobind.h>

#include "vernier/core/progress.hpp"

namespace vernier::python {

// For long work without the interpreter's lock: takes it, and raises what Ctrl-C or another signal asks for.
inline void raise_on_signal() {
  const nanobind::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// Tells Python how far long work is that runs without the GIL, and lets Ctrl-C stop it. Only the thread that made it
// calls Python, now and then; other threads of the work just go on, so that a notebook shows everything in the cell
// that waits.
class Watcher {
 public:
  explicit Watcher(nanobind::object show) : show_(std::move(show)) {}  // takes the share done; None shows nothing

  Progress progress() {
    return [this](double done) { return goes_on(done); };
  }

  // Of the work of `progress`, once the GIL is held again: what `show` raised, or KeyboardInterrupt.
  void raise_if_stopped() {
    if (error_) throw nanobind::python_error(*std::move(error_));
  }

  // Keeps what Python raised in the midst of the work, which then stops.
  void stop(nanobind::python_error error) {
    if (!error_) error_.emplace(std::move(error));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto pause = std::chrono::milliseconds(50);

  bool goes_on(double done) {
    if (std::this_thread::get_id() != thread_) return true;
    if (error_) return false;
    if (Clock::now() < next_) return true;
    next_ = Clock::now() + pause;
    return tell(done);
  }

  bool tell(double done) {
    const nanobind::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (!show_.is_none()) show_(done);
      return true;
    } catch (nanobind::python_error& error) {
      error_.emplace(std::move(error));
      return false;
    }
  }

  nanobind::object show_;
  std::thread::id thread_ = std::this_thread::get_id();
  Clock::time_point next_ = Clock::now();
  std::optional<nanobind::python_error> error_;
};

}  // namespace vernier::python
