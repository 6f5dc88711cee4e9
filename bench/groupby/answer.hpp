#pragma once

#include <chrono>
#include <iostream>
#include <vector>

#include "bench/contender.hpp"

// What a program of this task prints: how long it took, and the totals of what it answered, so that the runner can tell
// a fast answer from a wrong one. peer.py is its twin in Python.
namespace bench::groupby {

inline constexpr int threads = 2;  // of every contender

// `mean` is that of the groups that are not below average, since the noise of a small group's quotient has no bounds.
class Totals {
 public:
  void add(double rows, double sum, double mean) {
    groups_.push_back({rows, mean});
    rows_ += rows;
    sum_ += sum;
  }

  void print(double seconds) const {
    std::cout << R"({"seconds": )" << text(seconds) << R"(, "groups": )" << groups_.size() << R"(, "rows": )"
              << text(rows_) << R"(, "sum": )" << text(sum_) << R"(, "mean": )" << text(mean()) << "}" << std::endl;
  }

 private:
  struct Group {
    double rows;
    double mean;
  };

  double mean() const {
    double rows = 0;
    double sum = 0;
    for (const Group& group : groups_) {
      if (group.rows * static_cast<double>(groups_.size()) < rows_) continue;
      rows += group.rows;
      sum += group.rows * group.mean;
    }
    return sum / rows;
  }

  std::vector<Group> groups_;
  double rows_ = 0;
  double sum_ = 0;
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
