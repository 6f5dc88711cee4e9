#pragma once

#include "cli/json.hpp"
#include "vernier/plan/plan_json.hpp"

namespace vernier::cli {

using plan::write_key_names;
using plan::write_protection;
using plan::write_releases;

}  // namespace vernier::cli
