#pragma once

#include "vernier/coverage/release.hpp"

namespace vernier::coverage {

// The law that spends the whole budget on numbers that one unit moves by `shift` together: the one that is asked for,
// or the one with the better accuracy at alpha, as a plan of this one statistic would choose; geometric of two equals,
// and where delta is 0. Node sums of a population with a public number of rows move twice, since there a row is
// replaced: by L1 twice as far, by L2 the root of 2.
Result<Law> law_for(const Question& question, const Point& point, std::int64_t shift);

// Likewise of a choice of ends.
Result<noise::Exponential> choice_law_for(const Point& point, std::int64_t shift);

inline Sampler sampler_of(const Law& law) {
  return std::visit([](const auto& one) { return Sampler(noise::IntegerSampler(one)); }, law);
}

}  // namespace vernier::coverage
