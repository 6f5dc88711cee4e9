#pragma once

#include <map>
#include <span>

#include "vernier/accounting/loss/loss_law.hpp"

// The sum S of independent losses, seen through its cumulants. fourier/inversion.md has the proofs.
namespace vernier::accounting::fourier {

// Loss laws are asked for tilts up to this.
inline constexpr double greatest_theta = 1e12;

// ln E[e^(theta S)] of the finite losses, and its derivatives.
Cumulants total_cumulants(std::span<const LossPart> parts, double theta);

// The greatest finite sum, rounded up.
double greatest_total(std::span<const LossPart> parts);

// The chance that some loss is infinite, rounded outward.
Bounds infinite_mass(std::span<const LossPart> parts);

// The sum with its cumulants remembered, since for sampled laws they cost most of the time.
class TotalLoss {
 public:
  explicit TotalLoss(std::span<const LossPart> parts) : parts_(parts), greatest_(greatest_total(parts)) {}

  std::span<const LossPart> parts() const { return parts_; }
  double greatest() const { return greatest_; }
  Cumulants cumulants(double theta) const;

 private:
  std::span<const LossPart> parts_;
  double greatest_;
  mutable std::map<double, Cumulants> known_;
};

}  // namespace vernier::accounting::fourier
