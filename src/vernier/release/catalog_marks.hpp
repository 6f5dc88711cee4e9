#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/release/table_marks.hpp"

namespace vernier::release {

// The marks of a catalog's tables: in a folder beside its ledger, which whoever releases can write to; of a ledger in
// PostgreSQL, in the folder of its witness, or beside the catalog where it does without one.
TableMarks marks_of(const query::Catalog& catalog);

}  // namespace vernier::release
