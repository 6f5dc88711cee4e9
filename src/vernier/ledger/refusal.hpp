#pragma once

#include <span>

#include "vernier/ledger/ledger.hpp"

namespace vernier::ledger {

// Nothing where the amounts pass; else the sentence that tells what they cost and what is left, in epsilon too.
Result<void> affordable(const Terms& terms, const accounting::Filter& filter,
                        std::span<const numeric::Rational> amounts);

}  // namespace vernier::ledger
