#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/mixture.hpp"
#include "vernier/numeric/double_double.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

// Where a tilted law is looked at from: a place near its greatest weight.
struct Anchor {
  numeric::DoubleDouble loss;  // there
  double loss_error;
  double log_weight;  // ln of the tilted weight there, not normalised: ln w + theta l
  double log_weight_error;
};

// A tilted law by its nodes, each with its loss less the anchor's and its weight in units of the anchor's. What is
// missing between the nodes' sum and the law's transform is told by whoever makes them; the errors of rounding are
// gathered node by node, weighted as they count. node_law.md.
class Nodes {
 public:
  // A node whose figures are known to so many units of 2^-53, absolutely. Weights below 1e-22 only count as left out.
  void add(const Change& offset, const Change& log_weight);
  void add(const Change& offset, const Change& log_weight, double weight);  // where e^log_weight is known to 4 units
  void reserve(std::size_t count);
  void leave_out(double weight) { left_out_ += weight; }  // of what is not among the nodes, in units of the anchor's
  void set_unit(double log_unit, double error) { log_unit_ = log_unit, log_unit_error_ = error; }  // of the weights
  void set_missing(double relative) { missing_ = relative; }  // of the quadrature, relative to the whole

  std::size_t count() const { return offsets_.size(); }
  double total() const { return total_ + total_rest_; }
  double log_unit() const { return log_unit_; }
  double log_unit_error() const { return log_unit_error_; }
  double mean() const { return offset_sum_ / total(); }  // of the offsets
  double variance() const;
  double relative_error() const;  // of total() against the law's, and of phi's denominator

  // Moves the offsets so that they are losses less `centre`.
  void recentre(const Anchor& anchor, double centre);
  // phi about the centre. Not before recentre.
  Frequency at(double t) const;
  // Upper bounds for the exact nodes: of the mean of abs(loss - centre) and of its square, and of what is left out.
  double absolute_mean() const;
  double mean_square() const;
  double missing() const { return missing_; }
  double left_out_share() const { return left_out_ / total(); }
  const std::vector<double>& offsets() const { return offsets_; }
  const std::vector<double>& weights() const { return weights_; }

 private:
  static constexpr double least_log_weight_ = -50.6;  // e^-50.6 < 1.1e-22
  static constexpr double greatest_log_units_ = 0.1 / numeric::unit_roundoff;

  std::vector<double> offsets_;
  std::vector<double> weights_;
  double total_ = 0, total_rest_ = 0;  // compensated
  double offset_sum_ = 0, square_sum_ = 0;
  double weight_units_ = 0, offset_units_ = 0, offset_square_units_ = 0;  // sums of weight times units, or squares
  double log_unit_ = 0, log_unit_error_ = 0;
  double left_out_ = 0;
  double missing_ = 0;
  double greatest_offset_ = 0;
  double spread_ = 0;  // the nodes' own mean of abs(offset), after recentre
  double centre_error_ = 0;
  bool hopeless_ = false;  // a weight's error is of the size of the weight
};

inline void Nodes::add(const Change& offset, const Change& log_weight, double weight) {
  if (!(log_weight.units < greatest_log_units_) || !(offset.units < std::numeric_limits<double>::infinity())) {
    hopeless_ = true;
    return;
  }
  if (log_weight.value < least_log_weight_) return leave_out(2 * std::exp(log_weight.value));
  offsets_.push_back(offset.value);
  weights_.push_back(weight);
  const numeric::DoubleDouble both = numeric::two_sum(total_, weight);
  total_ = both.hi;
  total_rest_ += both.lo;
  offset_sum_ += weight * offset.value;
  square_sum_ += weight * offset.value * offset.value;
  weight_units_ += weight * (log_weight.units + numeric::library_units);
  offset_units_ += weight * offset.units;
  offset_square_units_ += weight * offset.units * offset.units;
  greatest_offset_ = std::max(greatest_offset_, std::abs(offset.value));
}

// K and its derivatives from the nodes of a tilted law.
Cumulants cumulants_of(const Anchor& anchor, const Nodes& nodes);

}  // namespace vernier::accounting
