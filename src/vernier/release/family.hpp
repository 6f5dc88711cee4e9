#pragma once

#include <map>
#include <vector>

#include "vernier/denoise/consistent.hpp"
#include "vernier/release/release.hpp"

namespace vernier::release {

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
  double reach_of(const Member& member, std::size_t number) const;
  DenoisedColumn column_of(const Member& member) const;

  const plan::Plan* plan_;
  std::vector<Member> members_;  // the finest first
  denoise::Consistency consistency_;
  std::vector<denoise::Reach> reaches_;
};

}  // namespace vernier::release
