#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/series/series_plan.hpp"

namespace vernier::plan {
namespace {

// At each step the unit's cell of least number, with the number of the step among those of the unit.
std::string numbered_steps(const std::string& rows) {
  return "SELECT u, k0, min(k1) AS k1, row_number() OVER (PARTITION BY u ORDER BY k0) AS place FROM (" + rows +
         ") AS r GROUP BY u, k0";
}

// Of the steps of a unit, in their order, those that count: each at least `apart` behind the one before, so many at
// most. Lists of [step, cell], the last of which decides about the next.
std::string spaced_steps(const std::string& rows, const SeriesFacts& facts) {
  const std::string most = whole(facts.max_steps), apart = whole(facts.apart);
  return "SELECT taken[1] AS k0, taken[2] AS k1 FROM (SELECT unnest(list_reduce(list_transform(steps, lambda s: [s]), "
         "lambda a, b: CASE WHEN len(a) < " +
         most + " AND b[1][1] >= a[-1][1] + " + apart +
         " THEN list_concat(a, b) ELSE a END)) AS taken FROM (SELECT u, list([k0, k1] ORDER BY k0) AS steps FROM (" +
         numbered_steps(rows) + ") AS s GROUP BY u) AS l) AS t";
}

std::string counted_steps(const BoundSeries& series, const std::string& rows) {
  const SeriesFacts& facts = series.facts;
  if (!series.counted.table.unit) return rows;
  if (facts.apart > 1 && facts.max_steps > 1) return spaced_steps(rows, facts);
  return "SELECT k0, k1 FROM (" + numbered_steps(rows) + ") AS s WHERE place <= " + whole(facts.max_steps);
}

}  // namespace

Sql render_series(const BoundSeries& series, std::int64_t last_step) {
  const Style style{};
  const std::string rows = "SELECT * FROM (" + counted_rows(series.counted, style) +
                           ") AS c WHERE k0 <= " + whole(last_step) + " AND k0 IS NOT NULL AND k1 IS NOT NULL";
  Sql sql{};
  sql.text = "SELECT k0, k1, count(*) AS t0 FROM (" + counted_steps(series, rows) + ") AS n GROUP BY k0, k1";
  sql.key_types = {query::Type::integer, query::Type::integer};
  sql.tallies = 1;
  return sql;
}

}  // namespace vernier::plan
