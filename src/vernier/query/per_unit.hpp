#pragma once

#include "vernier/query/query.hpp"

namespace vernier::query {

// Whether a total of a unit can be this statistic, and which of them can, for sentences.
bool can_be_total(Aggregate aggregate);
inline constexpr std::string_view totals_in_words = "COUNT, SUM, AVG, MIN and MAX";

// What comes out of adding up the rows for each unit, as statements see it: the unit and the other keys, then the
// totals. Sums and counts have no bounds, since a unit may have any number of rows.
Table per_unit_table(const PerUnit& asked, const Table& rows);

// The column that an expression over these rows is: with what is declared of it, where it is one of theirs, or with the
// bounds that it has.
Column made_column(const Key& key, const Table& rows);

}  // namespace vernier::query
