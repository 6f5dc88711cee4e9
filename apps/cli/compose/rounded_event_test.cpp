#include <cmath>

#include <gtest/gtest.h>

#include "cli/compose/event.hpp"

namespace vernier::cli {
namespace {

using privacy::Neighbours;

accounting::Event rounded_for(End end, std::string_view text, double open_scale = 1) {
  return event_for(end, read_event(text, Neighbours::add_remove).value(), open_scale).value();
}

template <class Release>
const Release& release(const accounting::Event& event) {
  return std::get<Release>(event.release());
}

const double above_tenth = 0.1, below_tenth = std::nextafter(0.1, 0);  // the doubles around the decimal 0.1

TEST(RoundedEvents, AreOfWorsePrivacyForTheUpperEnd) {
  using mechanism::LaplaceMechanism;
  const auto upper = rounded_for(End::upper, "laplace,scale=0.1,sensitivity=0.1,sampling=0.1");
  EXPECT_EQ(release<LaplaceMechanism>(upper).law().scale(), below_tenth);
  EXPECT_EQ(release<LaplaceMechanism>(upper).sensitivity().value(), above_tenth);
  EXPECT_EQ(upper.sampling().value(), above_tenth);
  const auto lower = rounded_for(End::lower, "laplace,scale=0.1,sensitivity=0.1,sampling=0.1");
  EXPECT_EQ(release<LaplaceMechanism>(lower).law().scale(), above_tenth);
  EXPECT_EQ(release<LaplaceMechanism>(lower).sensitivity().value(), below_tenth);
  EXPECT_EQ(lower.sampling().value(), below_tenth);
}

TEST(RoundedEvents, OfEveryMechanismAreRoundedByTheirScale) {
  using mechanism::GaussianMechanism;
  using mechanism::GeometricMechanism;
  EXPECT_EQ(release<GaussianMechanism>(rounded_for(End::upper, "gaussian,scale=0.1")).law().scale(), below_tenth);
  EXPECT_EQ(release<GaussianMechanism>(rounded_for(End::lower, "gaussian,scale=0.1")).law().scale(), above_tenth);
  EXPECT_EQ(release<GeometricMechanism>(rounded_for(End::upper, "geometric,scale=0.1")).law().scale(), below_tenth);
  EXPECT_EQ(release<GeometricMechanism>(rounded_for(End::lower, "geometric,scale=0.1")).law().scale(), above_tenth);
}

TEST(RoundedEvents, KeepTheNearestScaleWherePrivacyIsNotSteadyInIt) {
  using mechanism::DiscreteGaussianMechanism;
  for (const End end : {End::upper, End::lower}) {
    const auto noise = rounded_for(end, "discrete-gaussian,scale=0.1");
    EXPECT_EQ(release<DiscreteGaussianMechanism>(noise).law().scale(), 0.1);
    const auto keys = rounded_for(end, "key-selection,noise=geometric,scale=0.1,threshold=9,groups=2");
    const auto& selection = release<accounting::KeySelection>(keys);
    EXPECT_EQ(std::get<mechanism::GeometricMechanism>(selection.noise()).law().scale(), 0.1);
    EXPECT_EQ(selection.threshold(), 9);
    EXPECT_EQ(selection.groups(), 2);
  }
}

TEST(RoundedEvents, OfStatementsAreRoundedUpForTheUpperEnd) {
  EXPECT_EQ(release<accounting::PureStatement>(rounded_for(End::upper, "pure,epsilon=0.1")).epsilon.value(),
            above_tenth);
  EXPECT_EQ(release<accounting::PureStatement>(rounded_for(End::lower, "pure,epsilon=0.1")).epsilon.value(),
            below_tenth);
  EXPECT_EQ(release<accounting::ZcdpStatement>(rounded_for(End::upper, "zcdp,rho=0.1")).rho.value(), above_tenth);
  EXPECT_EQ(release<accounting::ZcdpStatement>(rounded_for(End::lower, "zcdp,rho=0.1")).rho.value(), below_tenth);
  const auto upper = rounded_for(End::upper, "approximate,epsilon=0.1,delta=0.1");
  EXPECT_EQ(release<accounting::ApproximateStatement>(upper).epsilon.value(), above_tenth);
  EXPECT_EQ(release<accounting::ApproximateStatement>(upper).delta.value(), above_tenth);
  const auto lower = rounded_for(End::lower, "approximate,epsilon=0.1,delta=0.1");
  EXPECT_EQ(release<accounting::ApproximateStatement>(lower).epsilon.value(), below_tenth);
  EXPECT_EQ(release<accounting::ApproximateStatement>(lower).delta.value(), below_tenth);
}

TEST(RoundedEvents, TakeTheOpenScaleAsItIs) {
  for (const End end : {End::upper, End::lower}) {
    const auto event = rounded_for(end, "laplace,times=20", 0.1);
    EXPECT_EQ(release<mechanism::LaplaceMechanism>(event).law().scale(), 0.1);
    EXPECT_EQ(event.times().value(), 20);
  }
}

}  // namespace
}  // namespace vernier::cli
