#pragma once

#include <vector>

#include "vernier/plan/noise_item.hpp"

namespace vernier::plan {

using Choice = std::vector<LawKind>;  // one for every item

// What items cost together, by the exact total.
class Pricing {
 public:
  Pricing(std::vector<NoiseItem> items, privacy::Neighbours neighbours, privacy::Delta delta)
      : items_(std::move(items)), neighbours_(neighbours), delta_(delta) {}

  const std::vector<NoiseItem>& items() const { return items_; }
  privacy::Neighbours neighbours() const { return neighbours_; }
  privacy::Delta delta() const { return delta_; }

  Result<std::vector<Law>> laws(const Choice& choice, double factor) const;
  Result<std::vector<accounting::Event>> events(const Choice& choice, double factor) const;
  Result<accounting::Guarantee> guarantee(const Choice& choice, double factor, accounting::Tightness tightness) const;

  // The upper end of epsilon; infinite where none is certified.
  double epsilon(const Choice& choice, double factor, accounting::Tightness tightness) const;

 private:
  std::vector<NoiseItem> items_;
  privacy::Neighbours neighbours_;
  privacy::Delta delta_;
};

}  // namespace vernier::plan
