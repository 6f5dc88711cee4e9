#pragma once

#include <utility>

#include "vernier/query/catalog.hpp"

namespace vernier::testing {

inline query::Column column_of(std::string name, query::Type type, std::optional<query::Range> range = {},
                               std::vector<query::Value> keys = {}) {
  query::Column column;
  column.name = std::move(name);
  column.type = type;
  column.range = std::move(range);
  column.keys = std::move(keys);
  return column;
}

// Columns of every type, with and without bounds.
inline query::Table people() {
  using query::Day;
  using query::Range;
  using query::Type;
  const auto whole = [](std::int64_t lower, std::int64_t upper) { return Range{lower, upper}; };
  query::Table table;
  table.name = "people";
  table.neighbours = privacy::Neighbours::add_remove;
  table.row_limit = 1'000'000;
  table.columns = {column_of("id", Type::integer),
                   column_of("age", Type::integer, whole(0, 120)),
                   column_of("educ", Type::integer, whole(-3, 16)),
                   column_of("income", Type::real, Range{0.0, 200000.0}),
                   column_of("weight", Type::real),
                   column_of("rate", Type::real, {}, {0.5, 1.5}),
                   column_of("region", Type::string),
                   column_of("born", Type::date, Range{Day{-10000}, Day{20000}}),
                   column_of("seen", Type::date),
                   column_of("member", Type::boolean),
                   column_of("Odd \"name\"; --", Type::integer)};
  return table;
}

// A public table that can be joined to it.
inline query::Table regions() {
  query::Table table;
  table.name = "regions";
  table.is_public = true;
  table.columns = {column_of("region", query::Type::string), column_of("country", query::Type::string),
                   column_of("area", query::Type::real, query::Range{0.0, 4096.0})};
  return table;
}

inline query::Catalog people_catalog() {
  const auto whole = [](int value) { return numeric::Rational::of(value); };
  return {"catalog.toml",
          {whole(3), whole(0), "catalog.ledger", query::Filter::zcdp},
          {people()},
          {regions()},
          {{"adults", "people", "age >= 18", {}, {}}}};
}

}  // namespace vernier::testing
