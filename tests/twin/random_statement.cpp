#include "twin/random_statement.hpp"

#include "vernier/query/query.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::twin {
namespace {

using query::Column;
using query::Type;

class Statement {
 public:
  Statement(Draw& draw, const query::Table& table, std::string join = "", bool of_relations = false)
      : draw_(draw), table_(table), join_(std::move(join)), of_relations_(of_relations) {}

  std::string text() {
    std::string select, places;
    const std::size_t keys = draw_.below(10) < 7 ? 1 + draw_.below(2) : 0;
    for (std::size_t i = 0; i < keys; ++i) {
      select += key() + " AS k" + std::to_string(i) + ", ";
      places += (i == 0 ? " GROUP BY " : ", ") + std::to_string(i + 1);
    }
    for (std::size_t i = 0; i <= draw_.below(3); ++i)
      select += (i == 0 ? "" : ", ") + aggregate() + " AS s" + std::to_string(i);
    return "SELECT " + select + " FROM " + table_.name + join_ + (draw_.one_in(3) ? " WHERE " + condition(2) : "") +
           places;
  }

  // A part of one.
  std::string one_key() { return key(); }
  std::string one_condition() { return condition(1); }

 private:
  std::string column(bool (*fits)(const Column&)) {
    for (;;) {
      const Column& column = table_.columns[draw_.below(table_.columns.size())];
      if (fits(column)) return query::quoted_identifier(column.name);
    }
  }
  std::string number_column() {
    return column([](const Column& c) { return c.range && (c.type == Type::integer || c.type == Type::real); });
  }
  std::string integer_column() {
    return column([](const Column& c) { return c.type == Type::integer; });
  }
  std::string any_column() {
    return column([](const Column&) { return true; });
  }

  std::string literal() {
    return draw_.one_of<std::string>({"0", "1", "-1", "2", "3", "10", "0.5", "-2.5", "1e3", "0.1"});
  }
  std::string width() { return draw_.one_of<std::string>({"1", "2", "5", "10", "0.5", "1000", "1e12"}); }

  std::string number(int depth) {
    if (depth == 0) return draw_.one_in(5) ? literal() : number_column();
    const auto x = [&] { return number(depth - 1); };
    switch (draw_.below(14)) {
      case 0:
        return "(" + x() + " + " + x() + ")";
      case 1:
        return "(" + x() + " - " + x() + ")";
      case 2:
        return "(" + x() + " * " + x() + ")";
      case 3:
        return "CLAMP(" + x() + " / " + x() + ", " + clamp_bounds() + ")";
      case 4:
        return "(" + integer_column() + " % " + draw_.one_of<std::string>({"2", "7", "-3"}) + ")";
      case 5:
        return "CASE WHEN " + condition(depth - 1) + " THEN " + x() + (draw_.one_in(2) ? " ELSE " + x() : "") + " END";
      case 6:
        return "CLAMP(" + (draw_.one_in(2) ? integer_column() : x()) + ", " + clamp_bounds() + ")";
      case 7:
        return "ABS(" + x() + ")";
      case 8:
        return draw_.one_of<std::string>({"FLOOR(", "CEIL(", "ROUND("}) + x() + ")";
      case 9:
        return "COALESCE(" + x() + ", " + x() + ")";
      case 10:
        return "NULLIF(" + x() + ", " + literal() + ")";
      case 11:
        return "BUCKET(" + x() + ", " + width() + ")";
      case 12:
        return "(-" + x() + ")";
      default:
        return number_column();
    }
  }

  std::string clamp_bounds() {
    return draw_.one_of<std::string>({"0, 1", "-5, 5", "0, 100", "-1.5, 0.25", "3, 8", "-10, -1", "0, 1e6"});
  }

  std::string condition(int depth) {
    const auto x = [&] { return number(depth == 0 ? 0 : depth - 1); };
    switch (draw_.below(depth == 0 ? 4 : 8)) {
      case 0:
        return x() + draw_.one_of<std::string>({" = ", " < ", " >= ", " <> "}) + x();
      case 1:
        return any_column() + " IS" + (draw_.one_in(2) ? " NOT" : "") + " NULL";
      case 2:
        return integer_column() + " IN (1, 2, 7, -3)";
      case 3:
        return x() + " BETWEEN " + literal() + " AND 100";
      case 4:
        return "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
      case 5:
        return "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
      case 6:
        return "NOT (" + condition(depth - 1) + ")";
      default:
        return "\"select\" IN ('north', 'south', 's\u00fcd')";
    }
  }

  std::string key() {
    switch (draw_.below(8)) {
      case 0:
        return "\"select\"";
      case 1:
        return "BUCKET(" + number(1) + ", " + width() + ")";
      case 2:
        return "CASE WHEN " + condition(1) + " THEN 'a' WHEN " + condition(0) + " THEN 'b' ELSE \"select\" END";
      case 3:
        return "(" + condition(1) + ")";
      case 4:
        return "EXTRACT(" + draw_.one_of<std::string>({"month", "year", "dow"}) + " FROM " + date() + ")";
      case 5:
        return "COALESCE(" + any_column() + ", " + draw_.one_of<std::string>({"0", "'none'", "TRUE"}) + ")";
      default:
        return any_column();
    }
  }

  std::string date() {
    for (const Column& c : table_.columns) {
      if (c.type == Type::date) return query::quoted_identifier(c.name);
    }
    return "DATE '2020-01-01'";
  }

  // Often what stood in the aggregate before, so that both may share what is measured.
  std::string argument() {
    if (last_.empty() || !draw_.one_in(3)) last_ = number(static_cast<int>(draw_.below(3)));
    return last_;
  }

  // The x of a pair: the same one for the same y, mostly, so that both may share what is measured.
  std::string pair_of(const std::string& y) {
    if (last_y_ != y || draw_.one_in(3)) last_y_ = y, last_x_ = number(static_cast<int>(draw_.below(2)));
    return last_x_;
  }

  // Any of those that take a number.
  std::string bounded_aggregate() {
    for (;;) {
      const query::AggregateFacts& one = query::aggregates[draw_.below(query::aggregates.size())];
      if (!one.needs_bounds || one.takes_pair) continue;
      const bool has_fraction = one.aggregate == query::Aggregate::quantile;
      const std::string fraction =
          has_fraction ? draw_.one_of<std::string>({", 0.5", ", 0.1", ", 0.9", ", 0.999"}) : "";
      return std::string(one.sql) + "(" + argument() + fraction + ")";
    }
  }

  // Of y and x, the same two often.
  std::string related_aggregate() {
    const std::string y = argument();
    const std::string name = draw_.one_of<std::string>({"CORR", "REGR_SLOPE", "COVAR_POP", "REGR_COUNT", "REGR_SXX"});
    return name + "(" + y + ", " + pair_of(y) + ")";
  }

  // Of y and one to five x, so that both layouts of sums are met.
  std::string regression_aggregate() {
    std::string call =
        draw_.one_of<std::string>({"REGR_SLOPE", "REGR_INTERCEPT", "REGR_DEVIATION", "REGR_R2"}) + "(" + argument();
    for (std::size_t i = 0; i <= draw_.below(5); ++i) call += ", " + number(static_cast<int>(draw_.below(2)));
    return call + ")";
  }

  std::string aggregate() {
    if (of_relations_ && draw_.one_in(4)) return regression_aggregate();
    if (of_relations_ && !draw_.one_in(3)) return related_aggregate();
    switch (draw_.below(16)) {
      case 0:
        return "COUNT(*)";
      case 1:
        return "COUNT(" + (draw_.one_in(2) ? any_column() : argument()) + ")";
      case 2:
      case 8:
        return "COUNT(DISTINCT " + (draw_.one_in(3) ? number(1) : any_column()) + ")";
      case 3:
        return "COUNT(DISTINCT " + (table_.unit ? query::quoted_identifier(*table_.unit) : any_column()) + ")";
      case 4:
      case 5:
      case 6:
        return "SUM(" + argument() + ")";
      case 7:
        return "AVG(" + argument() + ")";
      default:
        return bounded_aggregate();
    }
  }

  Draw& draw_;
  const query::Table& table_;
  std::string join_;
  bool of_relations_;
  std::string last_, last_y_, last_x_;
};

}  // namespace

std::string random_statement(Draw& draw, const query::Table& table) { return Statement(draw, table).text(); }

query::TableSet random_tables(Draw& draw, const query::Table& table) {
  query::TableSet set{.name = "s", .from = table.name, .weight = numeric::Rational::of(1)};
  Statement words(draw, table);
  for (std::size_t i = 0; i <= draw.below(3); ++i)
    set.columns.push_back(words.one_key().append(" AS c").append(std::to_string(i)));
  if (draw.one_in(3)) set.where = words.one_condition();
  set.up_to = static_cast<std::int64_t>(draw.below(4));
  if (draw.one_in(3)) set.rest = std::nullopt;
  if (draw.one_in(3)) set.max_rows = static_cast<std::int64_t>(2 + draw.below(3));
  return set;
}

std::string random_relations(Draw& draw, const query::Table& table) { return Statement(draw, table, "", true).text(); }

std::string random_statement_of(Draw& draw, const query::Table& columns, const std::string& joins) {
  return Statement(draw, columns, joins).text();
}

std::string random_join(Draw& draw, const query::Table& table, const query::Table& other) {
  std::vector<std::string> keys;
  std::string names;
  for (const Column& column : other.columns) {
    if (table.column(column.name) == nullptr) continue;
    keys.push_back(column.name);
    names.append(names.empty() ? "" : ", ").append(query::quoted_identifier(column.name));
  }
  const query::Table both = query::joined(table, other, query::Join{.table = other.name, .columns = keys});
  const std::string kind = draw.one_in(2) ? " LEFT JOIN " : " JOIN ";
  return Statement(draw, both, kind + other.name + " USING (" + names + ")").text();
}

}  // namespace vernier::twin
