#pragma once

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/loss/loss_law.hpp"

namespace vernier::accounting {

// The loss of one release on a Poisson sample, for add-remove neighbours, in one direction; `times` is left at 1. At
// rate 1 it is the loss of the release itself. An error where the release is outside of what is certified: the sentence
// says which figure, and what to do.
Result<LossPart> sampled_part(const mechanism::GaussianMechanism& release, privacy::SamplingRate rate,
                              Direction direction);
Result<LossPart> sampled_part(const mechanism::DiscreteGaussianMechanism& release, privacy::SamplingRate rate,
                              Direction direction);
Result<LossPart> sampled_part(const mechanism::LaplaceMechanism& release, privacy::SamplingRate rate,
                              Direction direction);
Result<LossPart> sampled_part(const mechanism::GeometricMechanism& release, privacy::SamplingRate rate,
                              Direction direction);
Result<LossPart> sampled_part(const PureStatement& release, privacy::SamplingRate rate, Direction direction);
Result<LossPart> sampled_part(const ApproximateStatement& release, privacy::SamplingRate rate, Direction direction);

}  // namespace vernier::accounting
