#include "vernier/plan/sensitivity.hpp"

#include <algorithm>

namespace vernier::plan {
namespace {

using privacy::Neighbours;

constexpr Int128 greatest_shift = Int128{1} << 53;

// How the groups of a unit lie, for the worst pair of neighbours: `both` were touched before and after, `one` in one of
// the two tables alone (bounding.md, "The groups of a unit").
struct Touched {
  Int128 both;
  Int128 one;
};

// The groups that a unit can be in: at most max_groups, and no more than there are.
Int128 groups_of_unit(Contribution unit, Groups groups) {
  return groups.are_public ? std::min(unit.max_groups, groups.count) : unit.max_groups;
}

// The groups in which neighbours can differ.
Int128 groups_that_differ(Contribution unit, Groups groups, Neighbours neighbours) {
  if (neighbours == Neighbours::add_remove) return groups_of_unit(unit, groups);
  const Int128 two_units = Int128{2} * unit.max_groups;
  return groups.are_public ? std::min(two_units, Int128{groups.count}) : two_units;
}

// Under replace: as many groups as there can be.
Touched widely_spread(Contribution unit, Groups groups) {
  const Int128 touches = 2 * groups_of_unit(unit, groups);
  const Int128 different = groups_that_differ(unit, groups, Neighbours::replace);
  return {touches - different, 2 * different - touches};
}

Result<std::int64_t> checked_shift(Int128 shift) {
  if (shift > greatest_shift) {
    return invalid(
        "is a number that one unit could move by more than 2^53 steps of its grid; lower max_rows or the bounds");
  }
  return static_cast<std::int64_t>(std::max(shift, Int128{1}));
}

// Every number that differs moves by at most `move`.
Result<Sensitivity> of_equal_moves(Int128 numbers, Int128 move) {
  return checked_shift(move).map([&](std::int64_t shift) {
    const auto count = static_cast<std::int64_t>(numbers);
    return Sensitivity{count, static_cast<std::int64_t>(move), numbers * move, numbers * move * move, shift, count};
  });
}

// Sums over bounds of both signs, under replace: by `swing` in a group that was touched before and after, by `move` in
// one that was touched in one of the two tables, move <= swing <= 2 move.
Result<Sensitivity> of_swings(Contribution unit, Groups groups, Int128 move, Int128 swing) {
  const Int128 least = groups_of_unit(unit, groups);  // groups, if all were touched before and after
  const Int128 most = groups_that_differ(unit, groups, Neighbours::replace);
  VERNIER_TRY(const std::int64_t shift, checked_shift(least == most ? swing : 2 * move));
  const Touched wide = widely_spread(unit, groups);
  return Sensitivity{
      .l0 = static_cast<std::int64_t>(most),
      .linf = static_cast<std::int64_t>(swing),
      .l1 = std::max(least * swing, wide.both * swing + wide.one * move),
      .l2_squared = std::max(least * swing * swing, wide.both * swing * swing + wide.one * move * move),
      .shift = shift,
      .coordinates = static_cast<std::int64_t>(least),
  };
}

// Of `nodes` numbers in each group that are never negative and to which a row adds `weight` in all.
Result<Sensitivity> node_sensitivity(std::int64_t weight, Int128 nodes, Contribution unit, Groups groups,
                                     Neighbours neighbours) {
  const Int128 move = Int128{unit.max_rows} * weight;
  const Int128 units = neighbours == Neighbours::replace ? 2 : 1;
  Result<Sensitivity> found = of_equal_moves(units * groups_of_unit(unit, groups), move);
  if (found) found->l0 = static_cast<std::int64_t>(nodes * groups_that_differ(unit, groups, neighbours));
  return found;
}

}  // namespace

Result<Sensitivity> count_sensitivity(Contribution unit, Groups groups, Neighbours neighbours) {
  return of_equal_moves(groups_that_differ(unit, groups, neighbours), unit.max_rows);
}

Result<Sensitivity> sum_sensitivity(Steps steps, Contribution unit, Groups groups, Neighbours neighbours) {
  const Int128 lower = std::min<Int128>(steps.lower, 0), upper = std::max<Int128>(steps.upper, 0);
  const Int128 move = unit.max_rows * std::max(-lower, upper);
  const bool has_one_sign = lower == 0 || upper == 0;
  if (neighbours == Neighbours::replace && !has_one_sign) {
    return of_swings(unit, groups, move, unit.max_rows * (upper - lower));
  }
  return of_equal_moves(groups_that_differ(unit, groups, neighbours), move);
}

Result<Sensitivity> mean_sensitivity(std::int64_t steps, Contribution unit, Groups groups, Neighbours neighbours) {
  return node_sensitivity(steps, 2, unit, groups, neighbours);
}

Result<Sensitivity> moment_sensitivity(std::int64_t weight, Contribution unit, Groups groups, Neighbours neighbours) {
  return node_sensitivity(weight, 3, unit, groups, neighbours);
}

Result<Sensitivity> pair_sensitivity(std::int64_t weight, Contribution unit, Groups groups, Neighbours neighbours) {
  return node_sensitivity(weight, 9, unit, groups, neighbours);
}

Result<Sensitivity> nodes_sensitivity(std::int64_t weight, std::int64_t nodes, Contribution unit, Groups groups,
                                      Neighbours neighbours) {
  return node_sensitivity(weight, nodes, unit, groups, neighbours);
}

// A row is dominated by one coordinate of the weight for 1, for the two numbers of each column, and for each product.
// Under replace each of them swings by twice as much in one group, or moves once in each of two.
Result<Sensitivity> features_sensitivity(std::int64_t weight, std::int64_t columns, Contribution unit, Groups groups,
                                         Neighbours neighbours) {
  const Int128 products = Int128{columns} * (columns - 1) / 2;
  const Int128 times = neighbours == Neighbours::replace ? 2 : 1;
  Result<Sensitivity> found =
      of_equal_moves((1 + columns + products) * groups_of_unit(unit, groups), times * unit.max_rows * weight);
  if (found) {
    found->l0 = static_cast<std::int64_t>((1 + 2 * columns + products) * groups_that_differ(unit, groups, neighbours));
  }
  return found;
}

// In every level the nodes are never negative, and a row adds 1 to them in all.
Result<Sensitivity> level_sensitivity(std::int64_t levels, Contribution unit, Groups groups, Neighbours neighbours) {
  const Int128 touches = (neighbours == Neighbours::replace ? 2 : 1) * groups_of_unit(unit, groups);
  Result<Sensitivity> found = of_equal_moves(levels * touches, unit.max_rows);
  if (found) found->l0 = static_cast<std::int64_t>(levels * touches * unit.max_rows);
  return found;
}

}  // namespace vernier::plan
