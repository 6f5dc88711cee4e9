#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vernier/accounting/one_order.hpp"
#include "vernier/core/result.hpp"
#include "vernier/ledger/quanta.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::ledger {

enum class Accountant : std::uint8_t { pure, approximate, zcdp, rdp };
std::string_view name_of(Accountant accountant);  // as catalogs and ledgers write it: "zcdp"

// What the catalog allows, for ever. Releases under different relations do not add up, so a ledger has one.
struct Terms {
  Accountant accountant;
  numeric::Rational epsilon;
  numeric::Rational delta;
  privacy::Neighbours neighbours = privacy::Neighbours::add_remove;

  friend bool operator==(const Terms&, const Terms&) = default;
};

// As a sentence tells them: "epsilon 3, delta 1e-06, accountant zcdp and neighbours add-remove".
std::string told(const Terms& terms);

// One text for the first entry of a ledger, and back; `id` tells ledgers with the same terms apart.
std::string canonical(const Terms& terms, std::string_view id);
Result<Terms> terms_in(std::string_view canonical);

// How zcdp and rdp charge.
Result<accounting::OneOrder> one_order_of(const Terms& terms);

// All that follows from the terms, computed once.
struct Rules {
  Terms terms;
  Quanta quanta;
  Cost opening;         // of the first charge by divergence; nothing where the accountant has none
  std::string theorem;  // that lets the ledger add up what was chosen on the way
};
Result<Rules> rules_of(const Terms& terms);

bool charges_by_divergence(Accountant accountant);

}  // namespace vernier::ledger
