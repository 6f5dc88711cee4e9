#pragma once

#include <string>

#include "twin/draw.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/study.hpp"

namespace vernier::twin {

// A SELECT over the table, of the accepted grammar as far as words go; whether its types and bounds fit is the front
// door's question.
std::string random_statement(Draw& draw, const query::Table& table);

// One with relations of columns: CORR, COVAR_*, REGR_*.
std::string random_relations(Draw& draw, const query::Table& table);

// The same over the table with a public one joined to it by its first columns that both have.
std::string random_join(Draw& draw, const query::Table& table, const query::Table& other);

// A [[table]] over the columns of a table and expressions of them; whether these have public keys is the binder's
// question.
query::TableSet random_tables(Draw& draw, const query::Table& table);

// One over these columns, of rows that this text behind the name of the table says.
std::string random_statement_of(Draw& draw, const query::Table& columns, const std::string& joins);

}  // namespace vernier::twin
