#pragma once

#include <vector>

#include "vernier/plan/noise_item.hpp"

namespace vernier::plan {

using Choice = std::vector<LawKind>;  // one for every item

// A catalog whose ledger adds up rhos, or divergences, which are at most as much.
struct LedgerTerms {
  double epsilon;
  double delta;  // at which the sum is converted
};
std::optional<LedgerTerms> ledger_terms_of(const query::Budget& budget);

// What items cost together, by the exact total.
class Pricing {
 public:
  Pricing(std::vector<NoiseItem> items, privacy::Neighbours neighbours, privacy::Delta delta,
          std::optional<LedgerTerms> ledger = std::nullopt)
      : items_(std::move(items)), neighbours_(neighbours), delta_(delta), ledger_(ledger) {}

  const std::vector<NoiseItem>& items() const { return items_; }
  privacy::Neighbours neighbours() const { return neighbours_; }
  privacy::Delta delta() const { return delta_; }
  const std::optional<LedgerTerms>& ledger() const { return ledger_; }

  Result<std::vector<Law>> laws(const Choice& choice, double factor) const;
  Result<std::vector<accounting::Event>> events(const Choice& choice, double factor) const;
  Result<accounting::Guarantee> guarantee(const Choice& choice, double factor, accounting::Tightness tightness) const;

  // The upper end of epsilon; infinite where none is certified.
  double epsilon(const Choice& choice, double factor, accounting::Tightness tightness) const;

  // Whether a plan that spends this epsilon takes no greater part of the ledger's rho than of its epsilon.
  bool is_fair(const Choice& choice, double factor, double spent) const;

 private:
  std::vector<NoiseItem> items_;
  privacy::Neighbours neighbours_;
  privacy::Delta delta_;
  std::optional<LedgerTerms> ledger_;
};

}  // namespace vernier::plan
