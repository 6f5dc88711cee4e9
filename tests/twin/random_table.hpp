#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twin/draw.hpp"
#include "vernier/query/catalog.hpp"

// Tables of random columns and rows, and their neighbours.
namespace vernier::twin {

// A table without its source: columns of every type, with and without bounds and keys, units in a column or rows, both
// relations.
query::Table random_declaration(Draw& draw);

// The same with a column of weights.
query::Table random_weighted(Draw& draw);

// A public table, which can be joined to the first by one or two of its columns; it brings columns of its own.
query::Table random_public(Draw& draw, const query::Table& table);

// What stands in a file: text that may or may not be a value of the column's type, or nothing at all.
using Cell = std::optional<std::string>;
using Row = std::vector<Cell>;

// Two tables that are neighbours by the declared relation. Rows that name no unit differ as they please, since they
// belong to nobody.
struct Neighbours {
  std::vector<Row> first;
  std::vector<Row> second;
};
Neighbours random_neighbours(Draw& draw, const query::Table& table);

// The same, where the unit of this number, from 1 on, is the one that differs; a type has so many of them.
Neighbours random_neighbours_of(Draw& draw, const query::Table& table, std::size_t unit);
std::size_t units_of(query::Type type);
Cell name_of_unit(query::Type type, std::size_t unit);

// A row whose first cell is this.
Row random_row(Draw& draw, const query::Table& table, const Cell& first);

// Rows of a public table, many of them with the same keys, which the engine would refuse: nothing may rest on that.
std::vector<Row> random_public_rows(Draw& draw, const query::Table& table);

}  // namespace vernier::twin
