#pragma once

#include "vernier/plan/plan.hpp"
#include "vernier/release/number/number_maker.hpp"
#include "vernier/release/release.hpp"

// What statements make of statistics, and which rows they choose by it. formula.md has why the intervals hold.
namespace vernier::release {

// The value and the interval of a formula from numbers whose intervals hold at once, one per aggregation; those that
// the formula does not name may be anything.
Number evaluated(const query::Formula& formula, const std::vector<const Number*>& parts);

// The formulas of one statistic, made without data.
class Formulas {
 public:
  static Result<Formulas> of(const plan::Plan& plan, std::size_t statistic);

  // Numbers of all rows, and their order and choice by the statement. Where the level depends on how many rows there
  // are, it is that of these.
  Result<void> add_to(Table& table) const;

 private:
  Formulas(const plan::Plan& plan, std::size_t statistic) : plan_(&plan), place_(statistic) {}
  const plan::BoundStatistic& statistic() const { return plan_->study.statistics[place_]; }
  Result<void> add_number(const query::Formula& formula, const std::vector<NumberMaker>& makers, Row& row) const;

  const plan::Plan* plan_;
  std::size_t place_;
  // Of each formula, one per aggregation: none where it is taken as it was published.
  std::vector<std::vector<NumberMaker>> makers_;
};

// Orders the rows as the statement does, those that it leaves out behind.
void select_rows(const query::Query& query, Table& table);

}  // namespace vernier::release
