#pragma once

#include <chrono>
#include <iostream>

#include "bench/contender.hpp"

// What a program of this task prints: how long it took, and the totals of what it answered, so that the runner can tell
// a fast answer from a wrong one. peer.py is its twin in Python.
namespace bench::groupby {

inline constexpr int threads = 2;  // of every contender

class Totals {
 public:
  void add(double rows, double sum, double mean) {
    ++groups_;
    rows_ += rows;
    sum_ += sum;
    weighted_ += rows * mean;
  }

  void print(double seconds) const {
    std::cout << R"({"seconds": )" << text(seconds) << R"(, "groups": )" << groups_ << R"(, "rows": )" << text(rows_)
              << R"(, "sum": )" << text(sum_) << R"(, "mean": )" << text(weighted_ / rows_) << "}" << std::endl;
  }

 private:
  int groups_ = 0;
  double rows_ = 0, sum_ = 0, weighted_ = 0;
};

class WallClock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Runs the program's work; what cannot be measured is one sentence for the runner.
template <class Work>
int run(Work work) {
  try {
    work();
    return 0;
  } catch (const NotMeasured& reason) {
    std::cout << "refuses " << reason.what() << std::endl;
    return 1;
  }
}

}  // namespace bench::groupby
