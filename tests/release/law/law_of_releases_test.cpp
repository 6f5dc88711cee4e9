#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "chi_square.hpp"
#include "support/choice_chances.hpp"
#include "support/every_kind.hpp"
#include "vernier/noise/noisy_tree.hpp"
#include "vernier/noise/tree_ends.hpp"
#include "vernier/plan/levels.hpp"

// For every kind of released number and both laws: what is drawn is what the plan says, and no number shares a draw
// with another. The same statistics refute 0.9 and 1.1 times the scale, and a draw that is shared.
namespace vernier::release {
namespace {

using testing::Additive;
using testing::Kind;
using testing::Objection;
using testing::RawGroup;

// The draws of one released number: the cell in which each lies, and what the plan's law, or one of another scale, says
// of the cells.
struct Drawn {
  std::string name;
  std::vector<std::size_t> cells;
  std::vector<double> planned, smaller, larger;  // probabilities: at the scale, at 0.9 and at 1.1 times the scale
};

// ---- numbers with additive noise

// About equal parts of the law, and thin ones at the ends.
template <class Law>
std::vector<std::int64_t> cell_ends(const Law& law) {
  std::vector<std::int64_t> ends;
  for (const double p : {0.005, 0.02, 0.05, 0.1, 0.16, 0.23, 0.3, 0.37, 0.44, 0.5, 0.56, 0.63, 0.7, 0.77, 0.84, 0.9,
                         0.95, 0.98, 0.995}) {
    const std::int64_t end = law.quantile(*Probability::of(p)).value();
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  return ends;
}

template <class Law>
std::vector<double> cell_chances(const Law& law, const std::vector<std::int64_t>& ends) {
  std::vector<double> chances;
  double below = 0;
  for (const std::int64_t end : ends) {
    const double up_to = law.cumulative(end).upper;
    chances.push_back(up_to - below);
    below = up_to;
  }
  chances.push_back(1 - below);
  return chances;
}

noise::Geometric rescaled(const noise::Geometric& law, double factor) {
  return *noise::Geometric::of(*LaplaceScale::of(law.scale() * factor));
}
noise::DiscreteGaussian rescaled(const noise::DiscreteGaussian& law, double factor) {
  return *noise::DiscreteGaussian::of(*Sigma::of(law.scale() * factor));
}

Drawn additive_drawn(const std::string& name, const plan::AdditiveLaw& law, const std::vector<std::int64_t>& noise) {
  return std::visit(
      [&](const auto& known) {
        const std::vector<std::int64_t> ends = cell_ends(known);
        Drawn drawn{name,
                    {},
                    cell_chances(known, ends),
                    cell_chances(rescaled(known, 0.9), ends),
                    cell_chances(rescaled(known, 1.1), ends)};
        for (const std::int64_t one : noise) {
          drawn.cells.push_back(
              static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), one) - ends.begin()));
        }
        return drawn;
      },
      law);
}

// ---- chosen points

using testing::Chances;
using testing::Points;

// Points in the order of a key, in so many cells of about equal chance.
template <class Key>
std::map<Points, std::size_t> cells_by(const Chances& chances, std::size_t count, const Key& key) {
  std::vector<Points> order;
  for (const auto& [points, chance] : chances) order.push_back(points);
  std::stable_sort(order.begin(), order.end(), [&](const Points& a, const Points& b) { return key(a) < key(b); });
  std::map<Points, std::size_t> cells;
  double below = 0;
  for (const Points& points : order) {
    cells[points] = std::min(count - 1, static_cast<std::size_t>(below * static_cast<double>(count)));
    below += chances.at(points);
  }
  return cells;
}

std::vector<double> in_cells(const Chances& chances, const std::map<Points, std::size_t>& cells, std::size_t count) {
  std::vector<double> all(count);
  for (const auto& [points, chance] : chances) {
    if (const auto found = cells.find(points); found != cells.end()) all[found->second] += chance;
  }
  return all;
}

// Two looks: by how likely the points are, which knows the scale; and by where the first of them lies that is drawn.
std::vector<Drawn> chosen_drawn(const std::string& name, const std::array<Chances, 3>& chances,
                                const std::vector<Points>& draws) {
  constexpr std::size_t count = 16;
  const std::size_t moving = draws.front().front() == draws.back().front() ? draws.front().size() - 1 : 0;
  std::vector<Drawn> made;
  for (const bool is_by_place : {false, true}) {
    const auto key = [&](const Points& points) {
      return is_by_place ? static_cast<double>(points[moving]) : -chances[0].at(points);
    };
    const auto cells = cells_by(chances[0], count, key);
    Drawn drawn{name + (is_by_place ? " by place" : " by chance"),
                {},
                in_cells(chances[0], cells, count),
                in_cells(chances[1], cells, count),
                in_cells(chances[2], cells, count)};
    for (const Points& points : draws) {
      const auto found = cells.find(points);
      drawn.cells.push_back(found == cells.end() ? 0 : found->second);
      EXPECT_TRUE(found != cells.end()) << name << ": points that cannot be chosen";
    }
    made.push_back(drawn);
  }
  return made;
}

// ---- what a release draws

// The integers of `count` releases of a group, one row for each: of a statistic with keys those of as many groups, of
// one without those of as many releases. It goes the way of every release, but for the numbers that are made of them.
std::vector<std::vector<std::int64_t>> drawn_rows(const Kind& kind, const plan::Plan& plan, int count,
                                                  std::uint64_t seed) {
  testing::ToldSession session({});
  const std::vector<Prepared> prepared = prepare(plan, session).value();
  testing::SeededSource source = testing::seeded_source(seed);
  std::vector<std::vector<std::int64_t>> rows;
  while (rows.size() < static_cast<std::size_t>(count)) {
    const auto exact = ExactNumbers::of(*prepared[0].statistic, engine::RawAggregates(testing::groups_of(kind, count)));
    const auto noisy = detail::with_noise(prepared[0], exact.value(), source).value();
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

Alpha level_of(const plan::Plan& plan, std::size_t place) {
  const plan::BoundStatistic& statistic = plan.study.statistics[0];
  return plan::level_of(statistic, place, plan.study.alpha, plan::planned_groups(statistic)).value();
}

// Noise so narrow that it is 0: what is then released is exact.
std::vector<std::int64_t> exact_row(const Kind& kind) {
  plan::Plan plan = testing::plan_of(kind.statistic, Additive::geometric);
  for (plan::PlannedNoise& one : plan.statistics[0].noise) {
    if (plan::additive(one.law)) one.law = testing::no_noise();
  }
  return drawn_rows(kind, plan, 1, 1).front();
}

struct Numbers {
  std::vector<Drawn> drawn;  // of every number but those of trees
  int public_ones = 0;       // numbers that have no noise
};

Numbers numbers_of(const Kind& once, Additive additive, int count, std::uint64_t seed) {
  const Kind kind = testing::repeated(once, count);
  const plan::Plan plan = testing::plan_of(kind.statistic, additive);
  const auto rows = drawn_rows(kind, plan, count, seed);
  const std::vector<std::int64_t> exact = exact_row(once);
  Numbers found;
  std::size_t first = 0;
  for (std::size_t i = 0; i < kind.statistic.measurements.size(); ++i) {
    const plan::Measurement& one = kind.statistic.measurements[i];
    const std::string name = kind.name + ": " + std::string(plan::name_of(one.kind)) + " " + std::to_string(i);
    const plan::Law& law = plan.statistics[0].noise[i].law;
    if (one.width > 0 && one.kind == plan::MeasurementKind::quantiles) {
      const auto& choice = std::get<noise::Exponential>(law);
      std::array<Chances, 3> chances;
      for (const std::size_t at : {0U, 1U, 2U}) {
        chances[at] = testing::chances_of(kind.statistic, one, choice, level_of(plan, i), kind.group.histograms[0],
                                          std::array{1.0, 0.9, 1.1}[at]);
      }
      std::vector<Points> draws;
      for (const auto& row : rows) {
        draws.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(first),
                           row.begin() + static_cast<std::ptrdiff_t>(first + one.width));
      }
      for (Drawn& drawn : chosen_drawn(name, chances, draws)) found.drawn.push_back(std::move(drawn));
    } else if (one.kind != plan::MeasurementKind::quantile_tree) {
      for (std::size_t at = first; at < first + one.width; ++at) {
        std::vector<std::int64_t> noise;
        for (const auto& row : rows) noise.push_back(row[at] - exact[at]);
        if (at - first < plan::public_integers(one.kind)) {
          EXPECT_TRUE(std::all_of(noise.begin(), noise.end(), [](std::int64_t x) { return x == 0; })) << name;
          ++found.public_ones;
        } else {
          found.drawn.push_back(
              additive_drawn(name + ", number " + std::to_string(at - first), *plan::additive(law), noise));
        }
      }
    }
    first += one.width;
  }
  return found;
}

// Every second draw, with the one behind it.
std::vector<std::size_t> every_second(const std::vector<std::size_t>& all, std::size_t from) {
  std::vector<std::size_t> some;
  for (std::size_t i = from; i < all.size(); i += 2) some.push_back(all[i]);
  return some;
}

// Whether the scale is off is seen by most looks; by where points lie alone it need not be.
bool knows_the_scale(const Drawn& drawn) { return drawn.name.find("by place") == std::string::npos; }

bool is_same_number(const Drawn& a, const Drawn& b) {
  const auto number = [](const Drawn& one) { return one.name.substr(0, one.name.find(" by ")); };
  return number(a) == number(b);
}

void expect_laws(const Kind& kind, Additive additive, int count, std::uint64_t seed) {
  const Numbers numbers = numbers_of(kind, additive, count, seed);
  for (const Drawn& one : numbers.drawn) {
    EXPECT_EQ(testing::chi_square_objection(one.cells, one.planned), "") << one.name;
    if (knows_the_scale(one)) {
      EXPECT_NE(testing::chi_square_objection(one.cells, one.smaller), "") << one.name << ": 0.9 is not refuted";
      EXPECT_NE(testing::chi_square_objection(one.cells, one.larger), "") << one.name << ": 1.1 is not refuted";
    }
    const auto first = every_second(one.cells, 0), second = every_second(one.cells, 1);
    EXPECT_EQ(testing::dependence_objection(first, one.planned, second, one.planned), "") << one.name;
    EXPECT_NE(testing::dependence_objection(first, one.planned, first, one.planned), "") << one.name;
    for (const Drawn& other : numbers.drawn) {
      if (is_same_number(one, other)) continue;
      EXPECT_EQ(testing::dependence_objection(one.cells, one.planned, other.cells, other.planned), "")
          << one.name << " and " << other.name;
    }
  }
}

bool has_choices(const Kind& kind) {
  return std::any_of(kind.statistic.measurements.begin(), kind.statistic.measurements.end(),
                     [](const plan::Measurement& one) { return one.kind == plan::MeasurementKind::quantiles; });
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
  for (int kind = 0; kind <= static_cast<int>(plan::MeasurementKind::quantile_tree); ++kind) {
    EXPECT_GT(seen[static_cast<plan::MeasurementKind>(kind)], 0) << kind;
  }
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
      return std::visit([&](const auto& law) { return rescaled(law, factor).tail(threshold - 30 - 1).upper; },
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

// ---- trees

// All ends of a tree, in the cell of the lower and the upper end of each fraction.
constexpr std::size_t tree_cells = 24;
std::size_t cell_of_point(std::int64_t point) {
  return std::min(tree_cells - 1, static_cast<std::size_t>(point) * tree_cells / 200);
}

// What noise a node of the reference has: its own of this law, or, of a mistake, that of its neighbour.
enum class Nodes : std::uint8_t { independent, shared };

template <class Law>
std::vector<std::vector<std::size_t>> reference_ends(const Kind& kind, const plan::Plan& plan, std::size_t place,
                                                     const Law& law, Nodes nodes, int count, std::uint64_t seed) {
  const plan::BoundStatistic& statistic = kind.statistic;
  plan::Measurement one = statistic.measurements[place];
  const noise::CountTree tree = plan::tree_shape(one).value();
  const noise::IntegerSampler sampler(law);
  testing::SeededSource source = testing::seeded_source(seed);
  const auto fill = [&](std::span<std::int64_t> out) {
    const Result<void> filled = sampler.fill(source, out);
    if (nodes == Nodes::shared) std::fill(out.begin(), out.end(), out.front());
    return filled;
  };
  std::vector<std::pair<noise::RankStatistic, std::int64_t>> wanted;
  for (const query::Fraction& fraction : plan::tree_fractions(statistic, place)) {
    one.fraction = fraction;
    const auto reaches =
        plan::tree_reaches(one, *plan::additive(plan.statistics[0].noise[place].law), level_of(plan, place)).value();
    wanted.emplace_back(plan::rank_statistic(one).value(), reaches.ends);
  }
  std::vector<std::vector<std::size_t>> ends(2 * wanted.size());
  for (int i = 0; i < count; ++i) {
    noise::NoisyTree noisy(tree, kind.group.histograms[0], fill);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const auto found = noise::tree_ends(noisy, wanted[k].first, wanted[k].second).value();
      ends[2 * k].push_back(cell_of_point(found[0]));
      ends[2 * k + 1].push_back(cell_of_point(found[1]));
    }
  }
  return ends;
}

void expect_tree_law(Additive additive, int count) {
  const Kind once = testing::every_kind().back();
  const Kind kind = testing::repeated(once, count);
  const plan::Plan plan = testing::plan_of(kind.statistic, additive);
  constexpr std::size_t place = 1;  // behind the count
  ASSERT_EQ(kind.statistic.measurements[place].kind, plan::MeasurementKind::quantile_tree);
  const auto rows = drawn_rows(kind, plan, count, 7);
  std::vector<std::vector<std::size_t>> drawn(kind.statistic.measurements[place].width);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i].push_back(cell_of_point(row[1 + i]));
  }
  const auto objections = [&](double factor, Nodes nodes) {
    const auto reference = std::visit(
        [&](const auto& law) { return reference_ends(kind, plan, place, rescaled(law, factor), nodes, count, 8); },
        *plan::additive(plan.statistics[0].noise[place].law));
    int objecting = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      objecting += testing::difference_objection(drawn[i], reference[i], tree_cells).empty() ? 0 : 1;
    }
    return objecting;
  };
  EXPECT_EQ(objections(1, Nodes::independent), 0);
  EXPECT_GT(objections(0.9, Nodes::independent), 0);
  EXPECT_GT(objections(1.1, Nodes::independent), 0);
  EXPECT_GT(objections(1, Nodes::shared), 0);
  // No group has the tree of the group before it.
  for (const std::vector<std::size_t>& one : drawn) {
    const auto first = every_second(one, 0), second = every_second(one, 1);
    std::vector<double> shares(tree_cells);
    for (const std::size_t cell : one) shares[cell] += 1 / static_cast<double>(one.size());
    EXPECT_EQ(testing::dependence_objection(first, shares, second, shares), "");
    EXPECT_NE(testing::dependence_objection(first, shares, first, shares), "");
  }
}

TEST(SlowLawOfReleases, IsThatOfTheTreeOfNoisyCounts) {
  expect_tree_law(Additive::geometric, 20'000);
  expect_tree_law(Additive::discrete_gaussian, 20'000);
}

}  // namespace
}  // namespace vernier::release
