#pragma once

#include <vector>

#include "support/every_kind.hpp"
#include "support/seeded_release.hpp"
#include "vernier/plan/allocate/accuracy.hpp"

// What a release draws, as it draws it.
namespace vernier::testing {

// The integers of `count` releases of a group, one row for each: of a statistic with keys those of as many groups, of
// one without those of as many releases. It goes the way of every release, but for the numbers that are made of them.
inline std::vector<std::vector<std::int64_t>> drawn_rows(const Kind& kind, const plan::Plan& plan, int count,
                                                         std::uint64_t seed) {
  ToldSession session({});
  const std::vector<release::Prepared> prepared = release::prepare(plan, session).value();
  SeededSource source = seeded_source(seed);
  std::vector<std::vector<std::int64_t>> rows;
  while (rows.size() < static_cast<std::size_t>(count)) {
    const auto exact = release::ExactNumbers::of(*prepared[0].statistic, engine::RawAggregates(groups_of(kind, count)));
    const auto noisy = release::detail::with_noise(prepared[0], exact.value(), source).value();
    for (std::size_t group = 0; group < exact->groups(); ++group) {
      std::vector<std::int64_t>& row = rows.emplace_back();
      for (std::size_t i = 0; i < noisy.size(); ++i) {
        const std::size_t width = prepared[0].statistic->measurements[i].width;
        const auto one = noisy[i].all().subspan(group * width, width);
        row.insert(row.end(), one.begin(), one.end());
      }
    }
  }
  return rows;
}

inline Alpha level_of(const plan::Plan& plan, std::size_t place) {
  const plan::BoundStatistic& statistic = plan.study.statistics[0];
  return plan::level_of(statistic, place, plan.study.alpha, plan::planned_groups(statistic)).value();
}

// Noise so narrow that it is 0: what is then released is exact.
inline std::vector<std::int64_t> exact_row(const Kind& kind) {
  plan::Plan plan = plan_of(kind.statistic, Additive::geometric);
  for (plan::PlannedNoise& one : plan.statistics[0].noise) {
    if (plan::additive(one.law)) one.law = no_noise();
  }
  return drawn_rows(kind, plan, 1, 1).front();
}

}  // namespace vernier::testing
