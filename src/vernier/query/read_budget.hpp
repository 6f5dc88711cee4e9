#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {

// epsilon (needed) and delta (0 where it is missing) of a budget, within what a budget can be.
struct PrivacyBudget {
  numeric::Rational epsilon;
  numeric::Rational delta;
};
PrivacyBudget read_privacy_budget(TableReader& reader);

// The table [budget] of a catalog.
Budget read_budget(TableReader& reader);

}  // namespace vernier::query
