#pragma once

#include <string>
#include <vector>

#include "vernier/plan/statistic/parts.hpp"

// What a grid takes from values, and bounding from units: how far that can move a published figure, and what is said
// where no interval can allow for it. rounding.md has the proofs.
namespace vernier::plan {

// From the estimate of what lies on the grid to that of what counts: its interval allows for values that lie between
// two steps and for parts of units that are cut to whole steps (of sums in finer ones, fine_sum.hpp; those of moments
// have it already), and it names its subject. A number that is not finite, which no statistic makes, becomes one that
// says nothing.
class Subject {
 public:
  explicit Subject(const Measured& in);

  Estimate of(const Estimate& found) const;

 private:
  interval::Interval widened(const Estimate& found) const;
  Estimate unknown(const Estimate& found) const;

  Figure figure_;
  bool is_variance_, is_spread_;
  double value_, part_;               // how far rounding moves a value, and cutting the mean of what counts
  interval::Interval possible_;       // what the bounds allow
  bool is_bounded_, is_in_interval_;  // whether a population is that of what counts; whether anything is allowed for
  Measurement one_;
  double sum_;  // how far rounding moves a sum of the rows
};

// The length of the runs in which the values of a quantile are told apart; none where all of them are.
std::optional<double> resolution_of(const Measurement& measurement);

// What has to be known of a statistic's grid to read its intervals: a sentence for each column where there is
// something.
std::vector<std::string> grid_sentences(const BoundStatistic& statistic);

}  // namespace vernier::plan
