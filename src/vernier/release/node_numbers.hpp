#pragma once

#include "vernier/interval/variance.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/release/number_maker.hpp"

namespace vernier::release {

// The bounds of the values of which node sums are taken.
Result<noise::ValueRange> bounds_of(const plan::Measurement& measurement);

// Of a variance or a deviation.
interval::SpreadForm form_of(plan::Figure figure);

// What is published from node sums: a mean, a variance or deviation, a count or a sum. Law is Geometric or
// DiscreteGaussian.
template <class Law>
Result<NumberMaker> node_number_maker(const plan::Measurement& measurement, const Law& law, Alpha alpha);

extern template Result<NumberMaker> node_number_maker(const plan::Measurement&, const noise::Geometric&, Alpha);
extern template Result<NumberMaker> node_number_maker(const plan::Measurement&, const noise::DiscreteGaussian&, Alpha);

}  // namespace vernier::release
