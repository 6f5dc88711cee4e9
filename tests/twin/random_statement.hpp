#pragma once

#include <string>

#include "twin/draw.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::twin {

// A SELECT over the table, of the accepted grammar as far as words go; whether its types and bounds fit is the front
// door's question.
std::string random_statement(Draw& draw, const query::Table& table);

// The same over the table with a public one joined to it by its first columns that both have.
std::string random_join(Draw& draw, const query::Table& table, const query::Table& other);

}  // namespace vernier::twin
