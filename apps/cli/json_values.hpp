#pragma once

#include "cli/json.hpp"
#include "vernier/query/json_values.hpp"

namespace vernier::cli {

using query::write_texts;
using query::write_value;

}  // namespace vernier::cli
