#pragma once

#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/plan/bound_study.hpp"

namespace vernier::cli {

// Which data is asked, from what is declared alone: the catalog's text, and of each table its name, its format and the
// file behind all links. No byte of a file of data is in it: whether data has changed is nobody's to learn from a hash.
Result<plan::Origin> origin_of(std::string_view catalog_text, const query::Catalog& catalog,
                               const std::vector<query::Table>& tables);

}  // namespace vernier::cli
