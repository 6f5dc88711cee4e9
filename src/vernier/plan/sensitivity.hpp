#pragma once

#include <cstdint>

#include "vernier/core/result.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/query/expression/span.hpp"

// How far one unit can move a vector of integers, one to three for each group, after bounding. bounding.md has the
// proofs.
namespace vernier::plan {

using query::Int128;

// How much of a unit counts.
struct Contribution {
  std::int64_t max_groups;  // groups that it may touch
  std::int64_t max_rows;    // rows of it that count in one group
};

// Between neighbours. The four norms are those of the difference of the two vectors, at most; they are what a twin run
// measures. What the release gives away is at most what `coordinates` independent numbers with the same noise give away
// that move by `shift` each: this is what is charged.
struct Sensitivity {
  std::int64_t l0;
  std::int64_t linf;
  Int128 l1;
  Int128 l2_squared;

  std::int64_t shift;        // from 1 to 2^53
  std::int64_t coordinates;  // from 1 on
};

// What a statistic is about: how many groups there are at most, or that nobody knows.
struct Groups {
  bool are_public;
  std::int64_t count;  // of public ones
};

// Where the shift would pass 2^53, an error says "is a number that ..." and leaves its subject, the column, to the
// caller.

// Of counts: a unit adds from 0 to max_rows to each group that it touches.
Result<Sensitivity> count_sensitivity(Contribution, Groups, privacy::Neighbours);

// Of sums of values between these steps of the grid.
struct Steps {
  std::int64_t lower;
  std::int64_t upper;
};
Result<Sensitivity> sum_sensitivity(Steps, Contribution, Groups, privacy::Neighbours);

// Of the two node sums of a mean, over values from 0 to `steps`.
Result<Sensitivity> mean_sensitivity(std::int64_t steps, Contribution, Groups, privacy::Neighbours);

// Of the three node sums of moments, to which a row adds `weight` in all.
Result<Sensitivity> moment_sensitivity(std::int64_t weight, Contribution, Groups, privacy::Neighbours);

// Of the nine node sums of a pair, to which a row adds `weight` in all.
Result<Sensitivity> pair_sensitivity(std::int64_t weight, Contribution, Groups, privacy::Neighbours);

// Of the sums of a regression: of so many nodes that are never negative and to which a row adds `weight` in all; and of
// features of so many columns, 1, each z and (1 - z^2) / 2, each product of two, times the weight.
Result<Sensitivity> nodes_sensitivity(std::int64_t weight, std::int64_t nodes, Contribution, Groups,
                                      privacy::Neighbours);
Result<Sensitivity> features_sensitivity(std::int64_t weight, std::int64_t columns, Contribution, Groups,
                                         privacy::Neighbours);

// Of the counts of a tree, where every row is in one node of each of so many levels.
Result<Sensitivity> level_sensitivity(std::int64_t levels, Contribution, Groups, privacy::Neighbours);

}  // namespace vernier::plan
