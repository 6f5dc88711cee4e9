#pragma once

#include <vector>

#include "vernier/query/study.hpp"
#include "vernier/query/toml/document.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {

// Those keys of a [[statistic]] that say what its intervals are about.
Inference read_inference(TableReader& reader);

// One [[statistic]] of a study.
Statistic read_statistic(const TomlNode& node, std::vector<Problem>& problems);

}  // namespace vernier::query
