#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "chi_square.hpp"
#include "release/law/drawn_numbers.hpp"
#include "release/law/drawn_rows.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// For every kind of released number and both laws: what is drawn is what the plan says, and no number shares a draw
// with another. The same statistics refute 0.9 and 1.1 times the scale, and a draw that is shared.
namespace vernier::release {
namespace {

using testing::Additive;
using testing::Chances;
using testing::Drawn;
using testing::Kind;
using testing::Points;

// One kind, released often.
struct Released {
  Kind kind;
  plan::Plan plan;
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::int64_t> exact;

  Released(const Kind& once, Additive additive, int count, std::uint64_t seed)
      : kind(testing::repeated(once, count)),
        plan(testing::plan_of(kind.statistic, additive)),
        rows(testing::drawn_rows(kind, plan, count, seed)),
        exact(testing::exact_row(once)) {}
};

// Of the measurement at `place`, whose first integer is the `first` of a row.
std::vector<Drawn> choices_of(const Released& released, std::size_t place, std::size_t first, const std::string& name) {
  const plan::Measurement& one = released.kind.statistic.measurements[place];
  const auto& law = std::get<noise::Exponential>(released.plan.statistics[0].noise[place].law);
  std::array<Chances, 3> chances;
  for (const std::size_t at : {0U, 1U, 2U}) {
    chances[at] = testing::chances_of(released.kind.statistic, one, law, testing::level_of(released.plan, place),
                                      released.kind.group.histograms[0], std::array{1.0, 0.9, 1.1}[at]);
  }
  std::vector<Points> draws;
  for (const auto& row : released.rows) {
    const auto begin = row.begin() + static_cast<std::ptrdiff_t>(first);
    draws.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(one.width));
  }
  return testing::chosen_drawn(name, chances, draws);
}

std::vector<Drawn> sums_of(const Released& released, std::size_t place, std::size_t first, const std::string& name) {
  const plan::Measurement& one = released.kind.statistic.measurements[place];
  const plan::AdditiveLaw law = *plan::additive(released.plan.statistics[0].noise[place].law);
  std::vector<Drawn> made;
  for (std::size_t i = 0; i < one.width; ++i) {
    std::vector<std::int64_t> noise;
    for (const auto& row : released.rows) noise.push_back(row[first + i] - released.exact[first + i]);
    if (i < plan::public_integers(one.kind)) {
      EXPECT_TRUE(std::all_of(noise.begin(), noise.end(), [](std::int64_t x) { return x == 0; })) << name;
    } else {
      made.push_back(testing::additive_drawn(name + ", number " + std::to_string(i), law, noise));
    }
  }
  return made;
}

// Of the measurement at a place; none of trees, which have a test of their own.
std::vector<Drawn> drawn_at(const Released& released, std::size_t place, std::size_t first) {
  const plan::MeasurementKind kind = released.kind.statistic.measurements[place].kind;
  const std::string name = released.kind.name + ": " + std::string(plan::name_of(kind)) + " " + std::to_string(place);
  if (kind == plan::QuantileTree::kind) return {};
  const bool is_chosen = kind == plan::Quantile::kind;
  return is_chosen ? choices_of(released, place, first, name) : sums_of(released, place, first, name);
}

std::vector<Drawn> numbers_of(const Released& released) {
  std::vector<Drawn> all;
  std::size_t first = 0;
  for (std::size_t i = 0; i < released.kind.statistic.measurements.size(); ++i) {
    const std::size_t width = released.kind.statistic.measurements[i].width;
    if (width == 0) continue;  // made from the numbers of another
    for (Drawn& drawn : drawn_at(released, i, first)) all.push_back(std::move(drawn));
    first += width;
  }
  return all;
}

// Whether the scale is off is seen by most looks; by where points lie alone it need not be.
bool knows_the_scale(const Drawn& drawn) { return drawn.name.find("by place") == std::string::npos; }

bool is_same_number(const Drawn& a, const Drawn& b) {
  const auto number = [](const Drawn& one) { return one.name.substr(0, one.name.find(" by ")); };
  return number(a) == number(b);
}

void expect_laws(const Kind& kind, Additive additive, int count, std::uint64_t seed) {
  const std::vector<Drawn> numbers = numbers_of(Released(kind, additive, count, seed));
  for (const Drawn& one : numbers) {
    EXPECT_EQ(testing::chi_square_objection(one.cells, one.planned), "") << one.name;
    if (knows_the_scale(one)) {
      EXPECT_NE(testing::chi_square_objection(one.cells, one.smaller), "") << one.name << ": 0.9 is not refuted";
      EXPECT_NE(testing::chi_square_objection(one.cells, one.larger), "") << one.name << ": 1.1 is not refuted";
    }
    const auto first = testing::every_second(one.cells, 0), second = testing::every_second(one.cells, 1);
    EXPECT_EQ(testing::dependence_objection(first, one.planned, second, one.planned), "") << one.name;
    EXPECT_NE(testing::dependence_objection(first, one.planned, first, one.planned), "") << one.name;
    for (const Drawn& other : numbers) {
      if (is_same_number(one, other)) continue;
      EXPECT_EQ(testing::dependence_objection(one.cells, one.planned, other.cells, other.planned), "")
          << one.name << " and " << other.name;
    }
  }
}

bool has_choices(const Kind& kind) {
  return std::any_of(kind.statistic.measurements.begin(), kind.statistic.measurements.end(),
                     [](const plan::Measurement& one) { return one.kind == plan::Quantile::kind; });
}

// Choices take longer, and tell more of their scale.
int draws_for(const Kind& kind) { return has_choices(kind) ? 12'000 : 40'000; }

TEST(SlowLawOfReleases, IsThePlansForEveryKindOfNumber) {
  for (const Kind& kind : testing::every_kind()) {
    expect_laws(kind, Additive::geometric, draws_for(kind), 1);
    if (!has_choices(kind)) expect_laws(kind, Additive::discrete_gaussian, draws_for(kind), 2);
  }
}

TEST(HeavyLawOfReleases, IsThePlansForEveryKindOfNumberInMoreDraws) {
  for (const Kind& kind : testing::every_kind()) {
    expect_laws(kind, Additive::geometric, 10 * draws_for(kind), 11);
    expect_laws(kind, Additive::discrete_gaussian, 10 * draws_for(kind), 12);
  }
}

// Every kind of measurement is among them.
TEST(LawOfReleases, LooksAtEveryKindOfNumber) {
  std::map<plan::MeasurementKind, int> seen;
  for (const Kind& kind : testing::every_kind()) {
    for (const plan::Measurement& one : kind.statistic.measurements) ++seen[one.kind];
  }
  ++seen[plan::Boxed::kind];  // its noise is not one number's: box_test, and coverage in duckdb_copied_test
  for (const plan::MeasurementKind kind : plan::all_kinds()) EXPECT_GT(seen[kind], 0) << name_of(kind);
}

// The integers of a row are those that were drawn, in their order.
TEST(LawOfReleases, IsThatOfTheIntegersThatAreReleased) {
  for (const Kind& once : testing::every_kind()) {
    const Kind kind = testing::repeated(once, 8);
    if (!kind.statistic.keys.are_public) continue;
    const plan::Plan plan = testing::plan_of(kind.statistic, Additive::discrete_gaussian);
    testing::ToldSession session({testing::groups_of(kind, 8)});
    const std::vector<Prepared> prepared = prepare(plan, session).value();
    testing::SeededSource source = testing::seeded_source(5), same = testing::seeded_source(5);
    const auto tables = detail::tables_of(prepared, session, source, nobody_watches).value();
    ASSERT_TRUE(same.draws.next_two());  // the secret of the statement
    const auto exact = ExactNumbers::of(*prepared[0].statistic, engine::RawAggregates(testing::groups_of(kind, 8)));
    const auto noisy = detail::with_noise(prepared[0], exact.value(), same).value();
    for (std::size_t group = 0; group < tables[0].rows.size(); ++group) {
      std::vector<std::int64_t> expected;
      for (std::size_t i = 0; i < noisy.size(); ++i) {
        const std::size_t width = kind.statistic.measurements[i].width;
        const auto one = noisy[i].all().subspan(group * width, width);
        expected.insert(expected.end(), one.begin(), one.end());
      }
      EXPECT_EQ(tables[0].rows[group].noisy, expected) << kind.name;
    }
  }
}

// ---- thresholds of private keys

TEST(SlowLawOfReleases, PublishesKeysAsOftenAsTheRuleSays) {
  constexpr int count = 60'000;
  Kind kind = testing::every_kind()[2];
  kind.group.tallies = {30, 30, 0, 30, 30};
  for (const Additive additive : {Additive::geometric, Additive::discrete_gaussian}) {
    plan::Plan plan = testing::plan_of(testing::with_columns(kind.statistic, {0}), additive);
    testing::ToldSession session({testing::groups_of(kind, count)});
    const std::vector<Prepared> prepared = prepare(plan, session).value();
    testing::SeededSource source = testing::seeded_source(3);
    const std::size_t kept = detail::tables_of(prepared, session, source, nobody_watches).value()[0].rows.size();
    const auto chance = [&](double factor, std::int64_t threshold) {
      return std::visit([&](const auto& law) { return testing::rescaled(law, factor).tail(threshold - 30 - 1).upper; },
                        *plan::additive(plan.statistics[0].noise[0].law));
    };
    const auto is_usual = [&](double p) {
      return testing::unsurprising_counts(count, p, testing::false_alarm).contains(kept);
    };
    EXPECT_TRUE(is_usual(chance(1, 40)));
    EXPECT_FALSE(is_usual(chance(0.9, 40)));
    EXPECT_FALSE(is_usual(chance(1.1, 40)));
    EXPECT_FALSE(is_usual(chance(1, 39)));
  }
}

}  // namespace
}  // namespace vernier::release
