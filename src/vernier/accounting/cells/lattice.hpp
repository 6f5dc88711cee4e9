#pragma once

#include <optional>
#include <vector>

#include "vernier/accounting/cells/discrete_loss.hpp"

// Many releases of one law: on a lattice of losses their sums are convolutions, and no cell is searched for. cells.md
// has the proofs.
namespace vernier::accounting::cells {

// Masses at the losses of a lattice: origin + (first + i) step, origin and step being those of LatticePowers, the
// origin as often as there are releases.
struct LatticeLoss {
  std::vector<double> masses;  // 0, or at least 1e-150
  double first = 0;            // whole
  double infinite = 0;
};

class LatticePowers {
 public:
  // How fine the lattice is, about, and what is negligible of one release: as a mass, and as what its loss is lowered
  // by on average.
  struct Wish {
    double step;
    double least_mass;
    double least_lowering;
  };

  // The law on a lattice through its first and its last loss, on the same side of the exact law. None where the lattice
  // would be too long, or losses between its points weigh too much for the lower end.
  static std::optional<LatticePowers> of(const DiscreteLoss& law, const Wish& wish, End end);

  // So many releases of it. None where that takes more than the products that are left; these take some 0.1 ns each.
  std::optional<DiscreteLoss> power(double times, double& products_left);

 private:
  LatticePowers(double origin, double step, double least_mass, End end)
      : origin_(origin), step_(step), least_mass_(least_mass), end_(end) {}

  struct Many {
    LatticeLoss law;
    double times;
  };
  static std::optional<LatticePowers> with_steps(double steps, const DiscreteLoss& law, const Wish& wish, End end);
  double loss_at(std::size_t point) const { return origin_ + static_cast<double>(point) * step_; }
  double rounding_at(double loss) const;  // at least that of their distance
  bool put_above(const DiscreteLoss& law);
  bool put_below(const DiscreteLoss& law, double least_lowering);
  std::optional<Many> sum(const Many& a, const Many& b, double& products_left) const;
  void trim(Many& many) const;
  DiscreteLoss with_losses(const Many& many) const;

  double origin_;
  double step_;
  double least_mass_;
  End end_;
  std::vector<Many> squares_;  // 1, 2, 4, ... releases
};

}  // namespace vernier::accounting::cells
