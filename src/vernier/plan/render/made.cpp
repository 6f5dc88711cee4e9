#include "vernier/query/made.hpp"

#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/render/joined.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/query/expression/moment.hpp"
#include "vernier/query/expression/render.hpp"

namespace vernier::plan {
namespace {

using query::Dialect;

// A column is as it is stored: bounds are those of whoever uses it. Times are numbers.
std::string made_value(const query::Expression& x, const query::Table& rows, const Dialect& in) {
  if (query::is_instant(x)) return query::rendered_output(query::ticks_of(x), in);
  const query::Column* const own = x.operation() == query::Operation::column ? rows.column(x.column_name()) : nullptr;
  return own != nullptr ? query::cast_to(in.type(own->type), identity(*own, in)) : query::rendered_output(x, in);
}

std::string part_rows(const query::MadePart& part, const Dialect& in) {
  const JoinedTables bound = *rows_of_part(part);  // it was bound before
  std::string rows = owned_rows(part.table, in);
  for (const BoundJoin& join : bound.joins) rows = with_join(rows, join, in);
  if (part.per_unit) rows = per_unit_rows(rows, *part.per_unit, *bound.per_unit, in);
  const query::Table seen = query::rows_of(part);
  std::vector<std::string> columns;
  for (const query::Key& key : part.columns) {
    columns.push_back(made_value(key.expression, seen, in) + " AS " + in.identifier(key.name));
  }
  const std::string filter = part.filter ? " WHERE " + query::rendered(*part.filter, in) : "";
  return "SELECT " + joined(columns) + " FROM " + rows + " AS " + in.identifier(" part") + filter;
}

}  // namespace

std::string made_rows(const query::Table& table, const Dialect& in) {
  std::vector<std::string> parts;
  for (const query::MadePart& part : table.made->parts) parts.push_back(part_rows(part, in));
  return "(" + joined(parts, " UNION ALL ") + ")";
}

}  // namespace vernier::plan
