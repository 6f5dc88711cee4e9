#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/audit/events.hpp"

// A record of a release as the audit reads it: what is claimed, and what was published.
namespace vernier::audit {

struct Column {
  std::string mechanism;  // as it is stated
  double scale;
  std::int64_t sensitivity;
  double granularity = 1;  // the step of the numbers

  std::optional<IntegerLaw> law() const;  // none of a choice
};

struct Published {
  double low, high;
};

struct Group {
  std::int64_t key;
  std::vector<std::int64_t> noisy;   // the integers with noise, from which its numbers were made
  std::vector<Published> intervals;  // of each column
};

struct Released {
  double epsilon, delta;            // the guarantee
  std::optional<double> threshold;  // of private keys
  std::vector<Column> columns;
  std::vector<Group> groups;
  std::string engine;
};

// Of a statement of one statistic with one whole key named k.
Result<Released> read_released(std::string_view json);

}  // namespace vernier::audit
