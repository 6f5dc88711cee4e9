#include "twin/mistakes.hpp"

#include <gtest/gtest.h>

#include "twin/difference.hpp"
#include "twin/twin_session.hpp"

namespace vernier::twin {
namespace {

using plan::BoundStatistic;
using plan::Measurement;

// The integers of one of the two tables with the mistake in them; none where it changes nothing, or the engine fails.
std::optional<engine::RawAggregates> run_with(const Mistake& mistake, TwinSession& session, const TwinPlan& plan,
                                              BoundStatistic statistic) {
  bool changed = mistake.plan && mistake.plan(plan, statistic);
  plan::Sql sql = render(statistic, fastest_form(statistic));
  changed |= mistake.sql && mistake.sql(statistic, sql);
  if (!changed) return std::nullopt;
  Result<engine::RawAggregates> raw = session.run(sql, plan.secret);
  if (!raw) return std::nullopt;
  return *std::move(raw);
}

bool passes(const Mistake& mistake, const TwinPlan& plan, const engine::RawAggregates& first,
            const engine::RawAggregates& second) {
  const auto is_passed = [&](const Measurement& measurement) {
    const auto declared = mistake.declared ? mistake.declared(plan.first, measurement) : std::nullopt;
    const plan::Measured in{plan.first, measurement, 0};
    return !passed(difference(in, first, second), declared.value_or(measurement.sensitivity)).empty();
  };
  return std::any_of(plan.first.measurements.begin(), plan.first.measurements.end(), is_passed);
}

// The exact integers of both tables, which mistakes in what is declared share.
struct Truth {
  Result<engine::RawAggregates> first;
  Result<engine::RawAggregates> second;
};

bool is_found(const Mistake& mistake, TwinSession& session, const TwinPlan& plan, const Truth& truth) {
  if (mistake.declared) return passes(mistake, plan, *truth.first, *truth.second);
  const auto first = run_with(mistake, session, plan, plan.first);
  if (!first) return false;
  const auto second = run_with(mistake, session, plan, plan.second);
  return second && passes(mistake, plan, *first, *second);
}

void expect_found(std::vector<Mistake> left, std::uint64_t first, std::size_t plans) {
  int tried = 0;
  for_plans(first, plans, [&](TwinSession& session, const TwinPlan& plan) {
    const plan::BoundingForm form = fastest_form(plan.first);
    const Truth truth{session.run(render(plan.first, form), plan.secret),
                      session.run(render(plan.second, form), plan.secret)};
    EXPECT_TRUE(truth.first && truth.second) << plan.sql;
    ++tried;
    std::erase_if(left, [&](const Mistake& mistake) {
      const bool found = is_found(mistake, session, plan, truth);
      if (found) ::testing::Test::RecordProperty(mistake.name.substr(0, mistake.name.find(':')), tried);
      return found;
    });
    return !left.empty();
  });
  for (const Mistake& mistake : left) ADD_FAILURE() << "not found: " << mistake.name;
}

TEST(SlowTwin, FindsEveryPlantedMistake) { expect_found(planted_mistakes(), 3'000'000, 2000); }

TEST(SlowTwin, FindsPlantedMistakesInJoins) { expect_found(planted_in_joins(), first_join + 3'000'000, 500); }

}  // namespace
}  // namespace vernier::twin
