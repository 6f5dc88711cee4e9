#pragma once

#include <ctime>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "vernier/core/result.hpp"

// Vernier's side of the protocol in bench/README.md, where a call is timed; bench/worker.py is its twin in Python.
namespace bench {

// Why a case has no figure; the only exception here, caught where lines are answered.
struct NotMeasured : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
T need(vernier::Result<T> result) {
  if (!result) throw NotMeasured(result.error().sentence());
  return *std::move(result);
}

inline void need(const vernier::Result<void>& result) {
  if (!result) throw NotMeasured(result.error().sentence());
}

inline double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// This thread's CPU seconds for a call, over twice as many calls again until they fill half of the seconds.
inline double call_seconds(const std::function<double()>& call, double seconds) {
  [[maybe_unused]] volatile double last = 0;  // so that no call is left out
  for (long calls = 1;; calls *= 2) {
    const double start = thread_seconds();
    for (long i = 0; i < calls; ++i) last = call();
    const double spent = thread_seconds() - start;
    if (spent >= seconds / 2) return spent / static_cast<double>(calls);
  }
}

// As a double that is read back is the same.
inline std::string text(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

// Answers each line of the input by `answer`, until it ends.
inline void serve(const std::function<std::string(const std::string&)>& answer) {
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << answer(line) << std::endl;
    } catch (const NotMeasured& reason) {
      std::cout << "refuses " << reason.what() << std::endl;
    }
  }
}

}  // namespace bench
