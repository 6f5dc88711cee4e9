#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/ledger/price.hpp"

namespace vernier::ledger {

// The parts of one budget that analysts may spend. What is in no share is the reserve, which nobody spends until the
// steward gives it to somebody. Without any shares everybody spends from the whole.
struct Share {
  std::string analyst;
  numeric::Rational part;  // of the budget, above 0; all together at most 1

  friend bool operator==(const Share&, const Share&) = default;
};
using Shares = std::vector<Share>;  // by name

// In order of the names. An error for a part that is not above 0, two of one name, or more than the whole.
Result<Shares> shares_of(Shares shares);

const Share* share_of(const Shares& shares, std::string_view analyst);
Cost most_of(const Share& share, const Cost& budget);  // rounded down

// What an analyst who spent so much may still spend: the less of what is left of the share and of the whole. An error
// for somebody who has no share, while others have.
Result<Balance> balance_of(const Shares& shares, const Balance& whole, const Cost& spent, const std::string& analyst);

std::string canonical(const Shares& shares);
Result<Shares> shares_in(std::string_view canonical);

}  // namespace vernier::ledger
