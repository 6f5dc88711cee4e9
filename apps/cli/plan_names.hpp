#pragma once

#include "vernier/plan/plan_names.hpp"

namespace vernier::cli {

using plan::column_of;
using plan::published_scale;
using plan::unit_of;

}  // namespace vernier::cli
