#pragma once

#include <string>

#include "cli/output.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::cli {

// What the catalog declares, or its problems, as one object.
void write_json(Output& output, const std::string& path, const query::Reading<query::Catalog>& reading);

}  // namespace vernier::cli
