#include "vernier/accounting/cells/parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "vernier/accounting/cells/outcomes.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/key_rule.hpp"
#include "vernier/accounting/loss/gaussian_loss.hpp"
#include "vernier/accounting/loss/zcdp_law.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::cells {
namespace {

constexpr double most_rho = 1e8;  // that zcdp_law takes

// What is gathered before it becomes one part: Gaussian releases, and zCDP statements.
struct Gathered {
  GaussianSum gaussians;
  bool has_gaussians = false;
  double rho = 0;
};

class Collector {
 public:
  Collector(Direction direction, End end, double least) : direction_(direction), end_(end), least_(least) {}

  bool add(const Event& event) {
    const double times = copies(event);
    return std::visit([&](const auto& release) { return one(release, event.sampling().value(), times); },
                      event.release());
  }

  bool finish() {
    if (gathered_.rho > most_rho) return false;
    if (gathered_.rho > 0) keep_zcdp();
    if (!gathered_.has_gaussians) return true;
    const GaussianSquare square = gathered_.gaussians.square();
    if (!std::isfinite(square.value) || !(square.value > 1e-250)) return false;
    const double error = square.value * (square.relative_error + 1e-15);
    const double mu =
        end_ == End::upper ? numeric::sqrt_up(square.value + error) : numeric::sqrt_down(square.value - error);
    return keep(gaussian_outcomes(mu, least_), 1, 1);
  }

  std::vector<Part> take() { return std::move(parts_); }

 private:
  bool one(const mechanism::GaussianMechanism& release, double rate, double times) {
    if (rate < 1) return keep(outcomes_of(release, end_, least_), rate, times);
    gathered_.gaussians.add(*Sigma::of(release.law().scale()), release.sensitivity(), times);
    return gathered_.has_gaussians = true;
  }
  bool one(const ZcdpStatement& release, double, double times) {
    const double rho = release.rho.value();
    if (end_ == End::upper) {
      gathered_.rho = numeric::add_up(gathered_.rho, numeric::multiply_up(times, rho));
      return true;
    }
    const double scale = numeric::divide_up(1, numeric::sqrt_down(numeric::multiply_down(2, rho)));
    gathered_.gaussians.add(*Sigma::of(scale), *privacy::L2Sensitivity::of(1), times);
    return gathered_.has_gaussians = true;
  }
  // A key may escape only where the unit is the first to have it; the lower end takes the case that it is not.
  bool one(const KeySelection& release, double, double times) {
    const Outcomes outcomes =
        std::visit([&](const auto& noise) { return outcomes_of(noise, end_, least_); }, release.noise());
    if (!keep(outcomes, 1, times)) return false;
    if (end_ == End::lower) return true;
    DiscreteLoss& law = parts_.back().law;
    const Bounds escape = escape_probability(release);
    for (double& mass : law.masses) mass = numeric::multiply_up(mass, numeric::subtract_up(1, escape.lower));
    law.infinite = numeric::add_up(law.infinite, escape.upper);
    return true;
  }
  template <class Other>
  bool one(const Other& release, double rate, double times) {
    return keep(outcomes_of(release, end_, least_), rate, times);
  }

  bool keep(const Outcomes& outcomes, double rate, double times) {
    if (outcomes.cells.empty()) return false;
    parts_.push_back({loss_of(outcomes, rate, direction_, end_), times});
    return parts_.back().law.size() > 0;
  }
  void keep_zcdp() {
    const LossAtoms atoms = zcdp_law(gathered_.rho, std::max(least_, 1e-300));
    DiscreteLoss law{atoms.losses, atoms.masses, atoms.infinite_mass};
    double sum = 0;
    for (const double mass : law.masses) sum = numeric::add_down(sum, mass);
    const double growth = numeric::divide_up(numeric::subtract_up(1, law.infinite), sum);
    for (double& mass : law.masses) mass = numeric::multiply_up(mass, std::max(growth, 1.0));
    parts_.push_back({std::move(law), 1});
  }

  Direction direction_;
  End end_;
  double least_;
  Gathered gathered_;
  std::vector<Part> parts_;
};

}  // namespace

std::optional<std::vector<Part>> cut(std::span<const Event> events, Direction direction, End end, double least) {
  Collector collector(direction, end, least);
  for (const Event& event : grouped(events)) {
    if (!collector.add(event)) return std::nullopt;
  }
  if (!collector.finish()) return std::nullopt;
  return collector.take();
}

std::optional<Both> cut_for_both(std::span<const Event> events, Direction direction, double least) {
  auto above = cut(events, direction, End::upper, least), below = cut(events, direction, End::lower, least);
  if (!above || !below) return std::nullopt;
  return Both{*std::move(above), *std::move(below), is_exact(events)};
}

}  // namespace vernier::accounting::cells
