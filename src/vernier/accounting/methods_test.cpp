#include "vernier/accounting/methods.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace vernier::accounting {
namespace {

std::vector<Event> sampled_gaussian(double scale, double rate) {
  const auto release = mechanism::GaussianMechanism::at_scale(*Sigma::of(scale), *privacy::L2Sensitivity::of(1));
  return {Event::of(release, privacy::Neighbours::add_remove, Times::once(), *privacy::SamplingRate::of(rate)).value()};
}

// Nearly no noise: whoever is in the sample is seen, so that delta is about the rate. At high orders the law's own
// arithmetic gives up in one direction, and what is not known there must not pass for 0.
TEST(Methods, DoNotTakeWhatIsNotKnownForNothing) {
  constexpr double rate = 1e-5;
  const std::vector<Event> events = sampled_gaussian(0.01, rate);
  const method::Upper delta = method::rdp_delta(events, 0.3);
  ASSERT_TRUE(delta);
  EXPECT_GE(*delta, 0.99 * rate);
  EXPECT_GE(method::rdp_epsilon(events, rate / 2).value_or(1), 1);
}

}  // namespace
}  // namespace vernier::accounting
