#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "vernier/denoise/consistent.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/release/derived/formula.hpp"
#include "vernier/release/release.hpp"

// What is made of released numbers, and of nothing else, so that it costs nothing: denoised values, differences of
// two groups, and what statements make of statistics. derived.md has what holds of them.
namespace vernier::release {

// Where the noisy integers of a measurement stand in those of a row.
struct NoisyColumn {
  std::size_t first;
  std::size_t width;

  std::span<const std::int64_t> of(const Row& row) const { return std::span(row.noisy).subspan(first, width); }
};

inline NoisyColumn noisy_column(const plan::BoundStatistic& statistic, std::size_t measurement) {
  const std::size_t place = plan::measured_place(statistic, measurement);
  std::size_t first = 0;
  for (std::size_t i = 0; i < place; ++i) first += statistic.measurements[i].width;
  return {first, statistic.measurements[place].width};
}

// The difference of two groups, from what a measurement gave with noise for each of them.
using DifferenceMaker = std::function<Result<Number>(std::span<const std::int64_t>, std::span<const std::int64_t>)>;

// Of the column that is published from a measurement of a statistic of the plan.
Result<DifferenceMaker> difference_maker(const plan::Plan& plan, std::size_t statistic, std::size_t measurement);

// Columns of several statistics that are made to add up: the finest table, whose cells are counted, and others, whose
// groups are totals of its cells.
class Family {
 public:
  // All of a plan, in the order of their numbers. Refused where they do not fit together, which is only so in a plan
  // that was not made by `bind`.
  static Result<std::vector<Family>> all_of(const plan::Plan& plan);

  // Denoised values and intervals of all its columns.
  Result<void> add_to(std::vector<Table>& tables) const;

 private:
  using Keys = std::vector<query::Value>;
  struct Member {
    std::size_t statistic;
    std::size_t measurement;
    std::map<Keys, std::size_t> numbers = {};  // of each group: which of the released numbers it is
  };

  static Result<Family> of(const plan::Plan& plan, std::vector<Member> members);
  Family(const plan::Plan& plan, std::vector<Member> members, denoise::Consistency consistency);
  Result<std::vector<std::int64_t>> released(const std::vector<Table>& tables) const;
  void add(const Member& member, const std::vector<double>& estimates, Table& table) const;
  void leave(const Member& member, Table& table) const;
  double reach_of(const Member& member, std::size_t number) const;
  double rounding_of(const Member& member, std::size_t number) const;
  interval::Status status_of(const Member& member) const;
  DenoisedColumn column_of(const Member& member) const;

  const plan::Plan* plan_;
  std::vector<Member> members_;  // the finest first
  denoise::Consistency consistency_;
  std::vector<denoise::Reach> reaches_;
};

// Made without data, so that what can fail has failed before budget is reserved. The plan must outlive it.
class Derivation {
 public:
  static Result<Derivation> of(const plan::Plan& plan);

  // From the noisy integers of the tables, one per statistic of the plan; whatever was derived before is made anew.
  Result<void> add_to(std::vector<Table>& tables) const;

 private:
  explicit Derivation(const plan::Plan& plan) : plan_(&plan) {}
  void denoise(std::size_t place, Table& table) const;
  Result<void> compare(std::size_t place, Table& table) const;
  const plan::Plan* plan_;
  std::vector<Family> families_;
  std::vector<Formulas> formulas_;                    // one per statistic
  std::vector<std::vector<DifferenceMaker>> makers_;  // of each statistic: one per aggregation, where any are asked
};

}  // namespace vernier::release
