#pragma once

#include <gtest/gtest.h>

#include "support/seeded_bits.hpp"
#include "vernier/audit/twins.hpp"
#include "vernier/noise/box.hpp"
#include "vernier/noise/integer_sampler.hpp"

// Releases of canaries that no program made: right ones, and ones with a mistake in them.
namespace vernier::audit {

struct Simulated {
  Column stated;                  // what the record says
  IntegerLaw drawn;               // the law of the noise in truth
  double epsilon = 1, delta = 0;  // claimed
  std::int64_t times_moved = 1;   // a canary adds so many times what it may
  int columns = 1;                // of the record
  bool shares_draws = false;      // between columns
  std::optional<double> threshold = {};
  std::int64_t published_from = 0;  // of keys: the threshold in truth
  std::optional<double> box = {};   // the scale in truth, where numbers of a group share one
  std::size_t repeats = 0;          // every other block of so many groups has the noise of the block before it
};

inline IntegerLaw geometric(double scale) { return noise::Geometric::of(LaplaceScale::of(scale).value()).value(); }
inline IntegerLaw gaussian(double scale) { return noise::DiscreteGaussian::of(Sigma::of(scale).value()).value(); }

inline std::vector<std::int64_t> draws_of(const IntegerLaw& law, std::size_t number, testing::SeededSource& source) {
  std::vector<std::int64_t> draws(number);
  std::visit(
      [&](const auto& one) {
        const noise::IntegerSampler sampler(one);
        EXPECT_TRUE(sampler.fill(source, draws));
      },
      law);
  return draws;
}

// Of numbers that all move by `half`.
inline std::vector<std::int64_t> boxes_of(double scale, std::int64_t half, std::size_t width, std::size_t number,
                                          testing::SeededSource& source) {
  const auto law = LaplaceScale::of(scale).and_then(noise::Box::of).value();
  const auto sampler = noise::BoxSampler::of(law, std::vector<std::int64_t>(width, half)).value();
  std::vector<std::int64_t> draws(number);
  for (std::size_t first = 0; first < number; first += width) {
    EXPECT_TRUE(sampler.draw(source, std::span(draws).subspan(first, width)));
  }
  return draws;
}

inline Released released(const TwinCase& twin, const Simulated& how, const Canaries& canaries,
                         testing::SeededSource& source) {
  Released all{
      how.epsilon, how.delta, how.threshold, std::vector<Column>(static_cast<std::size_t>(how.columns), how.stated),
      {},          "none"};
  const std::size_t width = twin.moved.size();
  const std::size_t groups = canaries.coins.size() * static_cast<std::size_t>(twin.groups);
  const std::vector<std::int64_t> noise = how.box ? boxes_of(*how.box, how.times_moved, width, groups * width, source)
                                                  : draws_of(how.drawn, groups * width, source);
  for (std::size_t i = 0; i < groups; ++i) {
    const bool coin = canaries.coins[i / static_cast<std::size_t>(twin.groups)];
    const int place = static_cast<int>(i % static_cast<std::size_t>(twin.groups));
    Group group{static_cast<std::int64_t>(i), {}, {}};
    for (std::size_t column = 0; column < width; ++column) {
      const std::int64_t truth = how.times_moved * twin.truth(coin, place, column);
      const bool is_again = how.repeats > 0 && i / how.repeats % 2 == 1;
      const std::size_t from = is_again ? i - how.repeats : i;
      group.noisy.push_back(truth + noise[from * width + (how.shares_draws ? 0 : column)]);
    }
    if (twin.kind != Kind::keys || group.noisy.front() >= how.published_from) all.groups.push_back(std::move(group));
  }
  return all;
}

// What so many canaries say.
inline std::vector<Finding> findings(const TwinCase& twin, const Simulated& how, std::size_t canaries,
                                     std::uint64_t seed = 1) {
  testing::SeededSource source = testing::seeded_source(seed);
  std::vector<bool> coins(canaries, true);
  if (twin.kind != Kind::keys) {
    for (std::size_t i = 0; i < canaries; ++i) coins[i] = (*source.draws.next() >> 63) != 0;
  }
  const Canaries table = Canaries::of(twin, std::move(coins));
  TwinTally tally;
  EXPECT_TRUE(add(twin, table, released(twin, how, table, source), tally));
  return findings_on(twin, tally);
}

}  // namespace vernier::audit
