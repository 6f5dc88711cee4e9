#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bytes/shape.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/render/sql.hpp"

// What an analyst may ask of such a table to find out about one record.
namespace vernier::bytes {

// How what two tables answer must compare, beyond what every statement must keep.
enum class Compare : std::uint8_t {
  as_declared,  // no further apart than one unit may move it
  equal,        // the record is left out by a clean column: the same integers
  all_rows,     // counts all rows: the same number whatever else is read
  in_part,      // one of three conditions of which exactly one holds for each row: their counts add up to all rows
};

struct Clause {
  std::string sql;
  Compare compare;
  plan::BoundStatistic bound;
  plan::BoundingForm form;
};

// The first aggregate of each counts its rows.
inline constexpr std::size_t clauses_of_a_shape = 20;
std::vector<Clause> drawn_clauses(Draw& draw, const Shape& shape, const query::Catalog& catalog);

// A statement of random aggregates and condition over public groups, for a whole release.
Clause drawn_study(Draw& draw, const Shape& shape, const query::Catalog& catalog);

}  // namespace vernier::bytes
