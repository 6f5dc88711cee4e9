#pragma once

#include <string>

#include "twin/draw.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::twin {

// A SELECT over the table, of the accepted grammar as far as words go; whether its types and bounds fit is the front
// door's question.
std::string random_statement(Draw& draw, const query::Table& table);

}  // namespace vernier::twin
