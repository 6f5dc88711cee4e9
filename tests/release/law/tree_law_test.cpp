#include <algorithm>

#include <gtest/gtest.h>

#include "chi_square.hpp"
#include "release/law/drawn_numbers.hpp"
#include "release/law/drawn_rows.hpp"
#include "vernier/noise/noisy_tree.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// The ends of quantiles that are read from one tree of noisy counts have no law of their own in closed form: they are
// held against ends from as many trees with noise of the plan's law; of 0.9 and 1.1 times its scale; and with one draw
// for all children of a node.
namespace vernier::release {
namespace {

using testing::Additive;
using testing::Kind;

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
        plan::tree_reaches(one, *plan::additive(plan.statistics[0].noise[place].law), testing::level_of(plan, place))
            .value();
    wanted.emplace_back(plan::rank_statistic(one).value(), reaches.ends);
  }
  std::vector<std::vector<std::size_t>> points(plan::tree_points * wanted.size());
  for (int i = 0; i < count; ++i) {
    noise::NoisyTree noisy(tree, kind.group.histograms[0], fill);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const auto found = noise::tree_ends(noisy, wanted[k].first, wanted[k].second).value();
      const auto reached = noise::tree_ends(noisy, wanted[k].first, 0).value()[0];
      points[3 * k].push_back(cell_of_point(found[0]));
      points[3 * k + 1].push_back(cell_of_point(found[1]));
      points[3 * k + 2].push_back(cell_of_point(std::clamp(reached, found[0], found[1])));
    }
  }
  return points;
}

void expect_tree_law(Additive additive, int count) {
  constexpr std::size_t place = 1;  // behind the count
  const std::vector<Kind> all = testing::every_kind();
  const auto once = std::find_if(all.begin(), all.end(), [](const Kind& one) {
    const auto& measured = one.statistic.measurements;
    return measured.size() > place && measured[place].kind == plan::QuantileTree::kind;
  });
  ASSERT_NE(once, all.end());
  const Kind kind = testing::repeated(*once, count);
  const plan::Plan plan = testing::plan_of(kind.statistic, additive);
  ASSERT_EQ(kind.statistic.measurements[place].kind, plan::QuantileTree::kind);
  const auto rows = testing::drawn_rows(kind, plan, count, 7);
  std::vector<std::vector<std::size_t>> drawn(kind.statistic.measurements[place].width);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i].push_back(cell_of_point(row[1 + i]));
  }
  const auto objections = [&](double factor, Nodes nodes) {
    const auto reference = std::visit(
        [&](const auto& law) {
          return reference_ends(kind, plan, place, testing::rescaled(law, factor), nodes, count, 8);
        },
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
    const auto first = testing::every_second(one, 0), second = testing::every_second(one, 1);
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
