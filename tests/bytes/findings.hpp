#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::bytes {

// What a run met, and what it found: of each kind of finding how often, and the first.
class Findings {
 public:
  void met(const std::string& mode) { ++met_[mode]; }

  void found(const std::string& what, const std::string& where) {
    auto& [count, first] = found_[what];
    if (count++ == 0) first = where;
  }

  // Fails where something was found, or where one of the modes was never met.
  void expect_none(const std::vector<std::string>& modes) const {
    for (const std::string& mode : modes) EXPECT_TRUE(met_.contains(mode)) << "never met: " << mode;
    for (const auto& [what, counted] : found_)
      ADD_FAILURE() << what << ": " << counted.first << " times, first at " << counted.second;
  }

  // As it is told in the output: how many tables of each mode.
  std::string text() const {
    std::string text;
    for (const auto& [mode, count] : met_)
      text.append(text.empty() ? "" : ", ").append(mode).append(" ").append(std::to_string(count));
    return text;
  }

 private:
  std::map<std::string, std::size_t> met_;
  std::map<std::string, std::pair<std::size_t, std::string>> found_;
};

}  // namespace vernier::bytes
