#pragma once

#include "vernier/release/number_maker.hpp"

namespace vernier::release {

// What is published from node sums: a mean, a variance or deviation, a count or a sum. Law is Geometric or
// DiscreteGaussian.
template <class Law>
Result<NumberMaker> node_number_maker(const plan::Measurement& measurement, const Law& law, Alpha alpha);

extern template Result<NumberMaker> node_number_maker(const plan::Measurement&, const noise::Geometric&, Alpha);
extern template Result<NumberMaker> node_number_maker(const plan::Measurement&, const noise::DiscreteGaussian&, Alpha);

}  // namespace vernier::release
