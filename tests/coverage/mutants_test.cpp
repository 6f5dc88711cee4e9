// Intervals that are known to be wrong are refuted by the grid's own harness: it would see such a mistake in ours.
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "coverage/cells.hpp"
#include "support/integer_laws.hpp"

namespace vernier::coverage {
namespace {

using interval::Interval;
using vernier::testing::law_at;

constexpr std::int64_t simulations = 20'000;
constexpr std::size_t family = 300;  // as strict as the grid

// The same law with noise that is larger than what the interval was made for, which is a scale taken 10 % too small.
template <class Law>
Sampler noisier(const noise::IntegerSampler<Law>& sampler) {
  return noise::IntegerSampler<Law>(law_at<Law>(sampler.law().scale() / 0.9));
}

void take_scale_too_small(Experiment& experiment, const Point&) {
  auto& release = std::get<SumsRelease>(experiment.release);
  release.noise = std::visit([](const auto& sampler) { return noisier(sampler); }, release.noise);
}

// The sample's interval, said to hold the population's value.
void leave_sampling_error_out(Experiment& experiment, const Point& point) {
  Question of_sample = experiment.question;
  of_sample.covers = interval::Covers::bounded_value;
  experiment.release = release_of(of_sample, point, experiment.population).value();
}

double deviation_of(const SumsRelease& release) {
  return std::visit([](const auto& sampler) { return std::sqrt(sampler.law().variance().upper); }, release.noise);
}

// sum +- 1.96 standard deviations, as if geometric noise were normal.
void take_normal_for_sum(Experiment& experiment, const Point& point) {
  auto& release = std::get<SumsRelease>(experiment.release);
  const double reach = 1.959964 * deviation_of(release), step = point.grid.granularity();
  release.interval = [reach, step](std::span<const std::int64_t> sums) -> Result<Interval> {
    const auto sum = static_cast<double>(sums[0]);
    return Interval{(sum - reach) * step, (sum + reach) * step};
  };
}

// mean +- 1.96 standard deviations, as if geometric noise were normal and the ratio of sums linear.
void take_normal_for_exact(Experiment& experiment, const Point& point) {
  auto& release = std::get<SumsRelease>(experiment.release);
  const double deviation = deviation_of(release);
  release.interval = [deviation, grid = point.grid](std::span<const std::int64_t> sums) -> Result<Interval> {
    const auto lower = static_cast<double>(sums[0]), upper = static_cast<double>(sums[1]);
    const double total = std::max(lower + upper, 1.0), place = upper / total;
    const double reach = 1.959964 * deviation * std::hypot(place, 1 - place) / total;
    return Interval{grid.lower() + (place - reach) * grid.range(), grid.lower() + (place + reach) * grid.range()};
  };
}

std::vector<Claim> claim_named(const std::string& name) {
  for (const Claim& claim : claims()) {
    if (claim.name == name) return {claim};
  }
  return {};
}

std::size_t refuted_cells(const std::string& claim, std::int64_t size, double epsilon, const Mutation& mutation) {
  std::size_t count = 0;
  for (const Verdict& one : verdicts(cells_of(claim_named(claim), {size}, {epsilon}), simulations, family, mutation)) {
    count += one.refuted ? 1 : 0;
  }
  return count;
}

TEST(SlowCoverageMutants, WithAScaleTenPercentTooSmallAreRefuted) {
  EXPECT_GE(refuted_cells("mean, sample", 300, 1, take_scale_too_small), 3U);
  EXPECT_GE(refuted_cells("mean, sample, Gaussian", 300, 1, take_scale_too_small), 3U);
  EXPECT_GE(refuted_cells("sum, sample", 300, 0.2, take_scale_too_small), 3U);
}

TEST(SlowCoverageMutants, WithoutSamplingErrorAreRefuted) {
  EXPECT_GE(refuted_cells("mean, population", 300, 1, leave_sampling_error_out), 4U);  // all but the constant
  EXPECT_GE(refuted_cells("median, population", 50, 5, leave_sampling_error_out), 1U);
}

TEST(SlowCoverageMutants, WithTheNormalLawInsteadOfTheExactOneAreRefuted) {
  EXPECT_GE(refuted_cells("sum, sample", 20, 0.2, take_normal_for_sum), 4U);
  EXPECT_GE(refuted_cells("mean, sample", 300, 1, take_normal_for_exact), 1U);
}

TEST(SlowCoverageMutants, AreRefutedWhereTheHonestOnesAreNot) {
  EXPECT_EQ(refuted_cells("mean, sample", 300, 1, honest), 0U);
  EXPECT_EQ(refuted_cells("mean, population", 300, 1, honest), 0U);
  EXPECT_EQ(refuted_cells("sum, sample", 300, 0.2, honest), 0U);
}

}  // namespace
}  // namespace vernier::coverage
