#pragma once

#include <cstddef>
#include <vector>

#include "vernier/accounting/event_parts.hpp"

// Laws of losses with finitely many atoms, that stand above or below a release at every epsilon and in every
// composition. cells.md has the proofs.
namespace vernier::accounting::cells {

// Masses at losses, and a mass of infinite loss. For the upper end all of them together may exceed 1 a little, for the
// lower end they may fall short of it.
struct DiscreteLoss {
  std::vector<double> losses;  // rising
  std::vector<double> masses;  // above 0
  double infinite = 0;

  std::size_t size() const { return losses.size(); }
};

// Where precision is wanted: where the law has its mass, as it is and weighted by e^(theta min(loss, cap)), which is
// about how it counts at the epsilon `cap`; by so many atoms; and what mass of one release is negligible.
struct Aim {
  double theta;
  double cap;
  std::size_t atoms;
  double least_mass = 0;
};

// At most about so many atoms, on the same side of the exact law.
DiscreteLoss reduced(const DiscreteLoss& law, const Aim& aim, End end);

// The sum of two independent losses, likewise.
DiscreteLoss composed(const DiscreteLoss& a, const DiscreteLoss& b, const Aim& aim, End end);

// The mass of infinite loss where one of two losses is infinite, likewise.
double infinite_of_either(double a, double b, End end);

// How many pairs of atoms are added, as a measure of time: 3 to 20 ns each. Of a law and itself half as many.
double pairs_of(const DiscreteLoss& a, const DiscreteLoss& b);

// E[(1 - e^(epsilon - A - B))+] over the finite losses, rounded to the end's side.
class PairCurve {
 public:
  PairCurve(const DiscreteLoss& a, const DiscreteLoss& b, End end);
  double operator()(double epsilon) const;

 private:
  double beyond(double threshold, std::size_t& from) const;  // E[(1 - e^(threshold - B))+]

  DiscreteLoss a_;
  std::vector<double> losses_;          // of B
  std::vector<double> ratio_, excess_;  // sums over all j from i on of p_j e^-(l_j - l_i), and of p_j (1 - that)
  End end_;
};

}  // namespace vernier::accounting::cells
