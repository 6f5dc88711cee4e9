#include "vernier/plan/render/joined.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/query/expression/render.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;
using query::Dialect;
using query::Type;

constexpr std::int64_t most_whole = std::int64_t{1} << 62;

// Within these ends, which brings no two numbers further apart.
std::string held(const std::string& number, std::int64_t end) {
  return "CASE WHEN " + number + " > " + whole(end) + " THEN " + whole(end) + " WHEN " + number + " < " + whole(-end) +
         " THEN " + whole(-end) + " ELSE " + number + " END";
}

// Steps of the grid, added up as integers, to the nearest double: by the digits of the sum, which all engines read so;
// a wide integer they round differently.
std::string real_sum(const std::string& steps, const Dialect& in) {
  return query::cast_to(in.type(Type::real), query::cast_to(in.type(Type::string), in.sum(steps)));
}

// NULL where there is none.
std::string sum_of(const Argument& argument, const Dialect& in) {
  const std::string steps = rendered_argument(argument, in);
  if (argument.expression.type() != Type::real) return query::cast_to("BIGINT", held(in.sum(steps), most_whole));
  return real_sum(steps, in) + " * " + in.constant(argument.granularity);
}

std::string mean_of(const Argument& argument, const Dialect& in) {
  const std::string steps = rendered_argument(argument, in), count = "count(" + steps + ")";
  return "CASE WHEN " + count + " > 0 THEN " + real_sum(steps, in) + " / " +
         query::cast_to(in.type(Type::real), count) + " * " + in.constant(argument.granularity) + " END";
}

// The least or the greatest value; of truth values as 0 and 1, since not all engines compare them.
std::string end_of(Aggregate aggregate, const query::Expression& argument, const Dialect& in) {
  const std::string function = aggregate == Aggregate::least ? "min(" : "max(";
  const std::string value = query::rendered_output(argument, in);
  if (argument.type() != Type::boolean) return function + value + ")";
  return function + "CASE WHEN " + value + " THEN 1 WHEN NOT " + value + " THEN 0 END) = 1";
}

std::string total_of(Aggregate aggregate, const Argument& argument, const Dialect& in) {
  switch (aggregate) {
    case Aggregate::count_rows:
      return "count(*)";
    case Aggregate::count:
      return "count(" + rendered_argument(argument, in) + ")";
    case Aggregate::count_distinct:
      return "count(DISTINCT " + rendered_argument(argument, in) + ")";
    case Aggregate::sum:
      return sum_of(argument, in);
    case Aggregate::average:
      return mean_of(argument, in);
    default:
      break;
  }
  return end_of(aggregate, argument.expression, in);
}

// The unit is what it is, and other keys are as they count.
std::string key_of(const query::Key& key, bool is_unit, const query::Table& rows, const Dialect& in) {
  return is_unit ? identity(*rows.column(key.expression.column_name()), in)
                 : query::rendered_output(key.expression, in);
}

}  // namespace

std::string per_unit_rows(const std::string& rows, const query::PerUnit& asked, const BoundPerUnit& bound,
                          const Dialect& in) {
  std::vector<std::string> columns, places;
  for (std::size_t i = 0; i < asked.keys.size(); ++i) {
    columns.push_back(key_of(asked.keys[i], i == 0, bound.table, in) + " AS " + in.identifier(asked.keys[i].name));
    places.push_back(std::to_string(i + 1));
  }
  for (std::size_t i = 0; i < asked.totals.size(); ++i) {
    columns.push_back(total_of(asked.totals[i].aggregate, bound.totals[i], in) + " AS " +
                      in.identifier(asked.totals[i].name));
  }
  std::vector<std::string> conditions{in.identifier(*bound.table.unit) + " IS NOT NULL"};
  if (asked.filter) conditions.push_back(query::rendered(*asked.filter, in));
  return "(SELECT " + joined(columns) + " FROM " + rows + " AS " + in.identifier(" added") + " WHERE " +
         joined(conditions, " AND ") + " GROUP BY " + joined(places) + ")";
}

}  // namespace vernier::plan
