#include "bytes/clauses.hpp"

#include <stdexcept>

#include "vernier/plan/render/sql.hpp"
#include "vernier/query/duckdb/sql.hpp"

namespace vernier::bytes {
namespace {

using numeric::Rational;
using query::Type;

std::optional<plan::BoundStatistic> bound(const std::string& sql, const query::Catalog& catalog) {
  const Result<query::Query> query = query::read_query(sql, catalog);
  if (!query) return std::nullopt;
  const query::Statistic statistic{.name = "s",
                                   .sql = sql,
                                   .accuracy = {},
                                   .weight = Rational::of(1),
                                   .max_groups = 70,
                                   .max_rows = 50,
                                   .place = {},
                                   .sql_place = {}};
  const query::Study study{"study.toml", "catalog.toml", Rational::of_decimal("0.05").value(), {}, {statistic}};
  Result<plan::BoundStudy> made = plan::bind(study, catalog, {*query});
  if (!made) return std::nullopt;
  return std::move(made->statistics.front());
}

std::string constant(Draw& draw, Type type) {
  switch (type) {
    case Type::boolean:
      return draw.one_in(2) ? "TRUE" : "FALSE";
    case Type::integer:
      return draw.one_of<std::string>({"0", "1", "7", "-3", "300", "-1", "2147483647", "9223372036854775807"});
    case Type::real:
      return draw.one_of<std::string>({"0.5", "0", "-2.25", "1e300", "3.75", "-1"});
    case Type::string:
      return draw.one_of<std::string>({"'a'", "'north'", "''", "'12'", "'s\u00fcd'", "'{}'", "'\u00ff'"});
    case Type::date:
      break;
  }
  return draw.one_of<std::string>({"DATE '1999-01-01'", "DATE '1997-06-01'", "DATE '0001-01-01'", "DATE '9999-12-31'"});
}

// A pattern that can be tried in very many ways, or a few.
std::string pattern(Draw& draw) {
  return draw.one_of<std::string>({"'%a%a%a%a%a%a%a%a%a%a%a%a%b'", "'%x_x%x_x%x__x%y'", "'%1%'", "'a%'", "'_%'",
                                   "'%\u00fc_'", "'% % % % % % % %a'", "'no_th'", "'%'"});
}

// By functions of texts, and by what a text is as a value of another type.
std::string text_condition(Draw& draw, const std::string& name) {
  switch (draw.below(9)) {
    case 0:
      return name + draw.one_of<std::string>({" LIKE ", " ILIKE ", " NOT LIKE "}) + pattern(draw);
    case 1:
      return "LENGTH(" + name + ") > " + draw.one_of<std::string>({"0", "3", "1000", "60000"});
    case 2:
      return draw.one_of<std::string>({"UPPER", "LOWER", "TRIM", "LTRIM", "RTRIM"}) + "(" + name + ") = 'north'";
    case 3:
      return "LENGTH(CONCAT(" + name + ", '-', " + name + ", " + name + " || " + name + ")) > 4";
    case 4:
      return "SUBSTRING(" + name + ", " + draw.one_of<std::string>({"1", "2", "40000"}) + ", 3) <> 'a'";
    case 5:
      return "CAST(" + name + " AS INTEGER) > 3";
    case 6:
      return "CAST(" + name + " AS DOUBLE) < 0.5";
    case 7:
      return "CAST(" + name + " AS DATE) > DATE '1999-01-01'";
    default:
      return "CAST(" + name + " AS BOOLEAN)";
  }
}

// What is long in SQL, and takes an engine long to plan: times that texts mean, roots and logarithms of what has none,
// arithmetic of days.
std::string long_condition(Draw& draw, const query::Column& column) {
  const std::string& name = column.name;
  const std::string time = "CAST(" + name + " AS TIMESTAMP)", x = "CLAMP(" + name + ", -1e150, 1e150)";
  switch (column.type) {
    case Type::string:
      return draw.one_of<std::string>({time + " >= '1999-01-01 12:00:00.5'", "EXTRACT(hour FROM " + time + ") < 12",
                                       time + " + INTERVAL '90 minutes' > '2005-01-01'",
                                       "CAST(" + name + " || '0' AS INTEGER) > 3",
                                       "REPLACE(" + name + ", 'a', '') = ''", "STRPOS(" + name + ", 'a') > 1"});
    case Type::real:
      return draw.one_of<std::string>({"SQRT(" + x + ") > 1", "LN(" + x + ") < 1", "EXP(" + x + ") > 1",
                                       "SIN(" + x + ") > 0", "ROUND(" + x + ", 2) = 0.5", x + " / n > 0.5"});
    case Type::date:
      return draw.one_of<std::string>({name + " + n * 10000000 > DATE '2010-01-01'", "LAST_DAY(" + name + ") = " + name,
                                       "STRFTIME(" + name + ", '%Y-%m') > '1998-01'",
                                       "DATEADD('month', 119000, " + name + ") > DATE '1998-01-01'"});
    case Type::integer:
      return draw.one_of<std::string>({"DATE '1998-01-01' + " + name + " > DATE '1999-01-01'", name + " % n = 0"});
    case Type::boolean:
      break;
  }
  return name + " = (n > 3)";
}

// By a value in another type, or by what lies between two days.
std::string made_condition(Draw& draw, const query::Column& column) {
  if (draw.one_in(16)) return long_condition(draw, column);
  if (column.type == Type::string) return text_condition(draw, column.name);
  if (column.type == Type::date && draw.one_in(2)) {
    return "DATE_DIFF('day', DATE '1998-01-01', " + column.name + ") > 365";
  }
  if (column.type == Type::real)
    return "(CAST(" + column.name + " AS INTEGER) = 1 OR BUCKET(" + column.name + ", 0.1) > 1)";
  return "CAST(" + column.name + " AS VARCHAR) LIKE " + pattern(draw);
}

// Over one of the columns, of any type.
std::string simple_condition(Draw& draw, const query::Column& column) {
  if (draw.one_in(3)) return made_condition(draw, column);
  const auto value = [&] { return constant(draw, column.type); };
  switch (draw.below(8)) {
    case 0:
      return column.name + draw.one_of<std::string>({" < ", " >= ", " > "}) + value();
    case 1:
      return column.name + " BETWEEN " + value() + " AND " + value();
    case 2:
      return column.name + " IN (" + value() + ", " + value() + ")";
    case 3:
      return column.name + " IS" + draw.one_of<std::string>({"", " NOT"}) + " NULL";
    case 4:
      return "COALESCE(" + column.name + ", " + value() + ") = " + value();
    case 5:
      return "CASE WHEN " + column.name + " = " + value() + " THEN TRUE ELSE n > 4 END";
    case 6:
      return column.name + " <> " + value();
    default:
      return column.name + " = " + value();
  }
}

const query::Column& odd_column(Draw& draw, const Shape& shape) {
  return shape.table.columns[draw.one_in(4) ? 1 + draw.below(4) : 3 + draw.below(2)];
}

std::string condition(Draw& draw, const Shape& shape) {
  const std::string one = simple_condition(draw, odd_column(draw, shape));
  switch (draw.below(6)) {
    case 0:
      return "(" + one + " AND n BETWEEN " + std::to_string(draw.below(6)) + " AND " + std::to_string(draw.below(11)) +
             ")";
    case 1:
      return "(" + one + " OR " + simple_condition(draw, odd_column(draw, shape)) + ")";
    case 2:
      return "NOT (" + one + ")";
    default:
      return one;
  }
}

std::string aggregate(Draw& draw, const Shape& shape) {
  const query::Column& column = shape.table.columns[1 + draw.below(4)];
  const bool is_number = column.range && (column.type == Type::integer || column.type == Type::real);
  switch (draw.below(is_number ? 7 : 3)) {
    case 0:
      return "COUNT(DISTINCT " + column.name + ")";
    case 3:
      return "SUM(" + column.name + ")";
    case 4:
      return "AVG(" + column.name + ")";
    case 5:
      return "MEDIAN(" + column.name + ")";
    case 6:
      return draw.one_of<std::string>({"REGR_SLOPE", "CORR", "COVAR_POP"}) + "(" + column.name + ", n)";
    default:
      return "COUNT(" + column.name + ")";
  }
}

std::string aggregates(Draw& draw, const Shape& shape) {
  std::string list;
  for (std::size_t left = draw.one_in(6) ? 2 : draw.below(2); left > 0; --left)
    list.append(", ").append(aggregate(draw, shape)).append(" AS a").append(std::to_string(left));
  return list;
}

// Each is drawn anew until the front door takes it. A third of them are in the form that servers get.
template <class Text>
Clause drawn(Compare compare, const query::Catalog& catalog, std::size_t form, const Text& text) {
  for (int i = 0; i < 200; ++i) {
    const std::string sql = text();
    auto statistic = bound(sql, catalog);
    if (!statistic) continue;
    const bool is_portable = plan::check_portable(*statistic).has_value() && form % 3 == 0;
    const plan::BoundingForm drawn = is_portable ? plan::BoundingForm::portable : plan::fastest_form(*statistic);
    return {sql, compare, *std::move(statistic), drawn};
  }
  throw std::runtime_error("no statement was taken, the last being " + text());
}

std::string list_of(const std::vector<std::string>& units) {
  std::string list;
  for (const std::string& unit : units) list.append(list.empty() ? "" : ", ").append(unit);
  return list;
}

}  // namespace

std::vector<Clause> drawn_clauses(Draw& draw, const Shape& shape, const query::Catalog& catalog) {
  std::vector<Clause> clauses;
  const std::string count = "SELECT COUNT(*) AS c", from = " FROM t", clean = "id IN (" + list_of(shape.units) + ")";
  const auto add = [&](Compare compare, const auto& text) {
    clauses.push_back(drawn(compare, catalog, draw.below(3), text));
  };
  const auto grouped = [&](const std::string& where) {
    const bool by_region = draw.one_in(3);
    // Without declared keys what stands in the cells are the groups.
    const std::string key = !by_region ? "" : draw.one_in(2) ? "k" : draw.one_of<std::string>({"x", "y"});
    return "SELECT " + (by_region ? key + ", " : "") + "COUNT(*) AS c" + aggregates(draw, shape) + from + " WHERE " +
           where + (by_region ? " GROUP BY " + key : "");
  };
  add(Compare::all_rows, [&] { return count + from; });
  add(Compare::all_rows, [&] { return count + ", COUNT(id) AS a, COUNT(x) AS b, COUNT(y) AS d, SUM(n) AS e" + from; });
  add(Compare::all_rows, [&] { return count + ", " + aggregate(draw, shape) + " AS a" + from; });
  add(Compare::as_declared, [&] { return count + aggregates(draw, shape) + from + " WHERE id = " + shape.odd_unit; });
  add(Compare::equal,
      [&] { return count + aggregates(draw, shape) + from + " WHERE id = " + draw.one_of(shape.units); });
  add(Compare::equal, [&] { return grouped(clean); });
  for (int i = 0; i < 3; ++i) add(Compare::equal, [&] { return grouped(clean + " AND " + condition(draw, shape)); });
  std::string part;
  add(Compare::in_part, [&] { return count + from + " WHERE " + (part = condition(draw, shape)); });
  add(Compare::in_part, [&] { return count + from + " WHERE NOT (" + part + ")"; });
  add(Compare::in_part, [&] { return count + from + " WHERE (" + part + ") IS NULL"; });
  const std::size_t half = draw.below(11);  // a value is found by halves
  for (const std::string& range : {"0 AND " + std::to_string(half), std::to_string(half) + " AND 10"})
    add(Compare::as_declared, [&] { return count + aggregates(draw, shape) + from + " WHERE n BETWEEN " + range; });
  while (clauses.size() < clauses_of_a_shape)
    add(Compare::as_declared, [&] { return grouped(condition(draw, shape)); });
  return clauses;
}

Clause drawn_study(Draw& draw, const Shape& shape, const query::Catalog& catalog) {
  return drawn(Compare::as_declared, catalog, draw.below(3), [&] {
    return "SELECT k, COUNT(*) AS c" + aggregates(draw, shape) + " FROM t WHERE " + condition(draw, shape) +
           " GROUP BY k";
  });
}

}  // namespace vernier::bytes
