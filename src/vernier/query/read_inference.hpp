#pragma once

#include "vernier/query/inference.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {

// Those keys of a [[statistic]] that say what its intervals are about.
Inference read_inference(TableReader& reader);

}  // namespace vernier::query
