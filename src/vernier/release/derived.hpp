#pragma once

#include <vector>

#include "vernier/release/difference_numbers.hpp"
#include "vernier/release/family.hpp"

// What is made of released numbers, and of nothing else, so that it costs nothing: denoised values and differences of
// two groups. derived.md has what holds of them.
namespace vernier::release {

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
  std::vector<std::vector<DifferenceMaker>> makers_;  // of each statistic: one per aggregation, where any are asked
};

}  // namespace vernier::release
