#include "vernier/accounting/loss/sampled_part.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/sampled_atoms.hpp"
#include "vernier/accounting/loss/sampled_gaussian.hpp"
#include "vernier/accounting/loss/sampled_laplace.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/split_quotient.hpp"

namespace vernier::accounting {
namespace {

using numeric::DoubleDouble;
using numeric::unit_roundoff;
using privacy::SamplingRate;

constexpr double least_ratio = 1e-12;
constexpr double greatest_ratio = 1e4;
constexpr double greatest_geometric_sensitivity = 20'000;

// sensitivity / scale, where the laws here are certified for it.
Result<DoubleDouble> ratio_of(double sensitivity, double scale) {
  const numeric::SplitQuotient quotient = numeric::split_quotient(sensitivity, scale);
  if (quotient.head >= least_ratio && quotient.head <= greatest_ratio)
    return DoubleDouble{quotient.head, quotient.rest};
  return invalid("the sensitivity over the scale of a sampled release must be between 1e-12 and 1e4, but it is " +
                 shortest(quotient.head) + "; change the scale");
}

double up(double x) { return std::nextafter(x, HUGE_VAL); }

// ln(1 + e^-a) and ln(1 - e^-a), within 6 units relatively or 6 units.
double log_of_one_and(double a) { return std::log1p(std::exp(-a)); }
double log_of_one_less(double a) { return a > 0.7 ? std::log1p(-std::exp(-a)) : std::log(-std::expm1(-a)); }

template <class Source>
LossPart part_of(Source source, Bounds infinite = {0, 0}) {
  return {LossLaw(NodeLaw<Source>(std::move(source))), 1, infinite};
}

// Randomised response on the log ratios -epsilon and epsilon, each with (1 - delta) of its mass, and a mass of delta
// that only Q sees: KOV's pair without its infinite loss.
SampledAtoms response(double epsilon, double delta, SamplingRate rate, Direction direction) {
  const double odds = log_of_one_and(epsilon);
  SampledAtoms law{.rate = rate.value(), .direction = direction, .unit = {epsilon, 0}};
  law.atoms = {{-1, 0, 0}, {1, 1, 0}};
  law.log_factor = std::log1p(-delta) - odds;
  law.log_factor_error = unit_roundoff * (8 * odds + 6 * delta + 2);
  law.greatest = greatest_sampled_loss(rate.value(), epsilon, direction);
  return law;
}

// ln(sum over the whole numbers of e^(-k^2 / (2 scale^2))), with its error.
Bounds log_total(const noise::DiscreteGaussian& law) { return log(law.total(numeric::Precision{128})).bounds(); }

}  // namespace

Result<LossPart> sampled_part(const mechanism::GaussianMechanism& release, SamplingRate rate, Direction direction) {
  return ratio_of(release.sensitivity().value(), release.law().scale()).map([&](const DoubleDouble& mu) {
    return part_of(SampledNormalSource({rate.value(), mu, direction, {}}));
  });
}

Result<LossPart> sampled_part(const mechanism::DiscreteGaussianMechanism& release, SamplingRate rate,
                              Direction direction) {
  const double scale = release.law().scale(), sensitivity = static_cast<double>(release.sensitivity().value());
  return ratio_of(sensitivity, scale).map([&](const DoubleDouble& mu) {
    const Bounds total = log_total(release.law());
    return part_of(SampledNormalSource(
        {rate.value(), mu, direction, scale, total.lower, numeric::subtract_up(total.upper, total.lower)}));
  });
}

Result<LossPart> sampled_part(const mechanism::LaplaceMechanism& release, SamplingRate rate, Direction direction) {
  return ratio_of(release.sensitivity().value(), release.law().scale()).map([&](const DoubleDouble& end) {
    return part_of(SampledLaplaceSource({rate.value(), end, direction}));
  });
}

Result<LossPart> sampled_part(const mechanism::GeometricMechanism& release, SamplingRate rate, Direction direction) {
  const double sensitivity = static_cast<double>(release.sensitivity().value());
  if (sensitivity > greatest_geometric_sensitivity) {
    return invalid("geometric noise on a sample is accounted for up to the sensitivity 20000, but it is " +
                   shortest(sensitivity) + "; count in larger units, or use Laplace noise");
  }
  return ratio_of(1, release.law().scale()).map([&](const DoubleDouble& unit) {
    SampledAtoms law{.rate = rate.value(), .direction = direction, .unit = unit};
    const double extra = log_of_one_less(unit.hi);
    law.atoms.push_back({-sensitivity, 0, 0});
    for (double x = 1; x < sensitivity; ++x) law.atoms.push_back({2 * x - sensitivity, x, extra});
    law.atoms.push_back({sensitivity, sensitivity, 0});
    law.log_factor = -log_of_one_and(unit.hi);
    law.log_factor_error = unit_roundoff * (8 * std::abs(law.log_factor) + unit.hi);
    law.greatest = greatest_sampled_loss(rate.value(), up(sensitivity * up(unit.hi)), direction);
    return part_of(SampledAtomsSource(std::move(law)));
  });
}

Result<LossPart> sampled_part(const PureStatement& release, SamplingRate rate, Direction direction) {
  return part_of(SampledAtomsSource(response(release.epsilon.value(), 0, rate, direction)));
}

// Remove: the infinite loss has the mass q delta, and the finite rest is brought to the mass 1. Add: where P alone can
// be, Q is too with a share of 1 - q, so nothing is infinite below rate 1. sampled_atoms.md.
Result<LossPart> sampled_part(const ApproximateStatement& release, SamplingRate rate, Direction direction) {
  const double delta = release.delta.value();
  SampledAtoms law = response(release.epsilon.value(), delta, rate, direction);
  if (!rate.is_everyone() && delta > 0) {
    law.log_outside = std::log(delta) - law.log_factor;
    if (direction == Direction::add) {
      law.greatest = -numeric::log1p_down(-rate.value());
      return part_of(SampledAtomsSource(std::move(law)));
    }
  }
  const double infinite = rate.value() * delta;
  law.log_factor -= std::log1p(-infinite);
  law.log_factor_error += unit_roundoff * 8 * infinite + unit_roundoff * std::abs(law.log_factor);
  const Bounds mass{numeric::multiply_down(rate.value(), delta), numeric::multiply_up(rate.value(), delta)};
  return part_of(SampledAtomsSource(std::move(law)), mass);
}

}  // namespace vernier::accounting
