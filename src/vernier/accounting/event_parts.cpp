#include "vernier/accounting/event_parts.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/key_rule.hpp"
#include "vernier/accounting/loss/choice_loss.hpp"
#include "vernier/accounting/loss/discrete_gaussian_loss.hpp"
#include "vernier/accounting/loss/gaussian_loss.hpp"
#include "vernier/accounting/loss/geometric_loss.hpp"
#include "vernier/accounting/loss/laplace_loss.hpp"
#include "vernier/accounting/loss/sampled_part.hpp"
#include "vernier/accounting/loss/two_point_loss.hpp"
#include "vernier/accounting/loss/zcdp_law.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using mechanism::DiscreteGaussianMechanism;
using mechanism::GaussianMechanism;
using mechanism::GeometricMechanism;
using mechanism::LaplaceMechanism;

LossPart part_of(const LaplaceMechanism& mechanism) {
  return {LossLaw(LaplaceLoss(mechanism.law(), mechanism.sensitivity()))};
}
LossPart part_of(const GeometricMechanism& mechanism) {
  if (mechanism.sensitivity().value() == 1) return {LossLaw(TwoPointLoss::of(mechanism.law()))};
  return {LossLaw(GeometricLoss(mechanism.law(), mechanism.sensitivity()))};
}
LossPart part_of(const DiscreteGaussianMechanism& mechanism) {
  return {LossLaw(DiscreteGaussianLoss(mechanism.law(), mechanism.sensitivity()))};
}
LossPart part_of(const PureStatement& pure) { return {LossLaw(TwoPointLoss::of(pure.epsilon))}; }
LossPart part_of(const ApproximateStatement& stated) {
  return {LossLaw(TwoPointLoss::of(stated.epsilon)), 1, {stated.delta.value(), stated.delta.value()}};
}

// Worse than every choice, or one of them: that between two candidates.
LossPart part_of(const Choice& choice, End end) {
  if (end == End::upper) return {LossLaw(ChoiceLoss(choice.epsilon))};
  return {LossLaw(TwoPointLoss::of(*privacy::Epsilon::of(choice.epsilon.value() / 2)))};
}

// A key may escape only where the unit is the first to have it; the lower end takes the case that it is not.
LossPart part_of(const KeySelection& keys, End end) {
  LossPart part = std::visit([](const auto& noise) { return part_of(noise); }, keys.noise());
  if (end == End::upper) part.infinite = escape_probability(keys);
  return part;
}

// The events that are gathered before they become one part.
struct Gathered {
  GaussianSum gaussians;
  bool has_gaussians = false;
  double rho = 0;  // of the zCDP statements, rounded up
};

void gather(Gathered& gathered, const GaussianMechanism& mechanism, double times) {
  gathered.gaussians.add(*Sigma::of(mechanism.law().scale()), mechanism.sensitivity(), times);
  gathered.has_gaussians = true;
}

// The Gaussian of this rho has mu^2 = 2 rho: sensitivity 1 at the scale 1 / sqrt(2 rho), rounded up so that it gives
// away no more.
void gather_as_gaussian(Gathered& gathered, const ZcdpStatement& stated, double times) {
  const double scale = numeric::divide_up(1, numeric::sqrt_down(numeric::multiply_down(2, stated.rho.value())));
  gathered.gaussians.add(*Sigma::of(scale), *privacy::L2Sensitivity::of(1), times);
  gathered.has_gaussians = true;
}

constexpr double greatest_rho = 1e8;  // that zcdp_law takes

Failure too_much(const std::string& what) {
  return fail(ErrorKind::exhausted, what + " sum to more than can be accounted for; add more noise");
}

class Collector {
 public:
  Collector(Direction direction, End end) : direction_(direction), end_(end) {}

  Result<void> add(const Event& event) {
    const double times = copies(event);
    VERNIER_TRY(
        const std::optional<LossPart> part,
        std::visit([&](const auto& release) { return one(release, event.sampling(), times); }, event.release()));
    if (part) {
      parts_.push_back(*part);
      parts_.back().times = times;
    }
    return {};
  }

  Result<std::vector<LossPart>> finish(double least_delta) {
    const GaussianSquare square = gathered_.gaussians.square();
    if (!std::isfinite(square.value)) return too_much("the squares of sensitivity over scale of the Gaussian releases");
    if (gathered_.rho > greatest_rho) return too_much("the rhos of the zCDP statements");
    if (gathered_.has_gaussians) parts_.push_back({LossLaw(GaussianLoss(square))});
    if (gathered_.rho > 0) parts_.push_back(zcdp_part(gathered_.rho, least_delta));
    return std::move(parts_);
  }

 private:
  using Found = Result<std::optional<LossPart>>;

  Found one(const GaussianMechanism& release, privacy::SamplingRate rate, double times) {
    if (!rate.is_everyone()) return sampled(release, rate);
    gather(gathered_, release, times);
    return std::nullopt;
  }
  Found one(const ZcdpStatement& release, privacy::SamplingRate, double times) {
    if (end_ == End::lower) {
      gather_as_gaussian(gathered_, release, times);
    } else {
      gathered_.rho = numeric::add_up(gathered_.rho, numeric::multiply_up(times, release.rho.value()));
    }
    return std::nullopt;
  }
  Found one(const KeySelection& release, privacy::SamplingRate, double) { return {part_of(release, end_)}; }
  Found one(const Choice& release, privacy::SamplingRate, double) { return {part_of(release, end_)}; }
  template <class Other>
  Found one(const Other& release, privacy::SamplingRate rate, double) {
    if (!rate.is_everyone()) return sampled(release, rate);
    return {part_of(release)};
  }
  template <class Sampled>
  Found sampled(const Sampled& release, privacy::SamplingRate rate) {
    return sampled_part(release, rate, direction_).map([](const LossPart& part) { return std::optional(part); });
  }

  Direction direction_;
  End end_;
  Gathered gathered_;
  std::vector<LossPart> parts_;
};

}  // namespace

Result<std::vector<LossPart>> parts_of(std::span<const Event> events, Direction direction, End end,
                                       double least_delta) {
  Collector collector(direction, end);
  for (const Event& event : grouped(events)) {
    VERNIER_TRY(collector.add(event));
  }
  return collector.finish(least_delta);
}

bool is_symmetric(std::span<const Event> events) {
  return std::all_of(events.begin(), events.end(), [](const Event& event) { return event.sampling().is_everyone(); });
}

bool is_exact(std::span<const Event> events) {
  return std::none_of(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<ZcdpStatement>(event.release()) ||
           std::holds_alternative<KeySelection>(event.release()) || std::holds_alternative<Choice>(event.release());
  });
}

}  // namespace vernier::accounting
