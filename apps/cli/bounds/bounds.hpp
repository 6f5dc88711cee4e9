#pragma once

#include <string>

#include "cli/output.hpp"
#include "vernier/study/bounds.hpp"

namespace vernier::cli {

using study::BoundsAnswer;

// The line of the catalog that declares these bounds.
std::string catalog_line(const query::Column& column, const query::Range& range);

void write_bounds_report(Output& output, const BoundsAnswer& answer);
void write_bounds_json(Output& output, const BoundsAnswer& answer);

}  // namespace vernier::cli
