#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier::cli {

// Names of files for these names, each another, whatever letters they have: "Income by region" becomes
// income-by-region. Small Latin letters, digits and single dashes alone, at most 60 of them; never one that begins or
// ends with a dash.
std::vector<std::string> slugs_of(const std::vector<std::string>& names);

}  // namespace vernier::cli
