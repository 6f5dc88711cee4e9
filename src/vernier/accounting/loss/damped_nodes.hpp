#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/mixture.hpp"

namespace vernier::accounting {

// A change of a complex logarithm: abs(value - exact) <= units 2^-53.
struct ComplexChange {
  std::complex<double> value;
  double units;
};

struct ComplexBend {
  ComplexChange change;
  ComplexChange from_line;
};

inline constexpr double farthest_complex_move = 300;  // e^600 is still a double

// Mixture::bend for a move off the real line: Log(outside + inside e^move), and the same less the line, where
// abs(Re move) <= farthest_complex_move and 0 < Im move <= pi/2, both known to 1.1 units relatively.
// sampled_gaussian.md has the errors.
ComplexBend complex_bend(const Mixture& mixture, const std::complex<double>& move);

// A tilted law by nodes off the real line, where the losses have an imaginary part that damps the wave:
//     phi(t) = scale sum_j e^(A_j + it(change_j - centre)),  Im change_j >= 0,  from t = 0 to infinity
// or, for losses that fall where the changes rise, its conjugate. Weights are in units of the anchor's. node_law.md.
class DampedNodes {
 public:
  // `shift` is the anchor's log ratio less the centre's, known to `shift_error`; `sign` is that of the loss.
  DampedNodes(double sign, double shift, double shift_error) : sign_(sign), shift_(shift), shift_error_(shift_error) {}

  // In the order of their dampings, which rise along the line.
  void add(const ComplexChange& change, const ComplexChange& log_weight);
  void leave_out(double weight) { left_out_ += weight; }      // of what is not among the nodes, in absolute values
  void set_missing(double relative) { missing_ = relative; }  // of the quadrature, relative to the whole, for every t
  void set_scale(double scale, double relative_error) { scale_ = scale, scale_error_ = relative_error; }
  void finish();  // when all are there

  std::size_t count() const { return weights_.size(); }
  std::size_t count(double t) const;  // of those that t leaves alive
  Frequency at(double t) const;
  double beyond(double t) const;  // at least abs(phi(s)) for every s >= t

 private:
  bool is_hopeless(double t) const;

  double sign_;
  double shift_;
  double shift_error_;
  std::vector<double> weights_, dampings_, phases_, offsets_, units_, units_a_turn_;
  std::vector<double> least_dampings_;    // of this node and all that follow, less their error
  std::vector<double> greatest_offsets_;  // in size, of this node and all before
  double total_ = 0;                      // of the weights
  double greatest_phase_ = 0, greatest_units_ = 0, greatest_units_a_turn_ = 0;
  double left_out_ = 0;
  double missing_ = 0;
  double scale_ = 1;
  double scale_error_ = 0;
};

}  // namespace vernier::accounting
