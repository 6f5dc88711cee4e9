#pragma once

#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {

// The table that a statement sees: the columns of the public tables stand behind those of the protected one.
struct JoinedTables {
  query::Table table;
  std::vector<BoundJoin> joins;
};

// The sentence of an error says which join the catalog does not allow; the SQL front door has told it before.
Result<JoinedTables> join_tables(const query::Table& table, const std::vector<query::Join>& joins,
                                 const query::Catalog& catalog);

}  // namespace vernier::plan
