#include "vernier/query/read/regression.hpp"

#include <algorithm>
#include <array>

#include "vernier/core/names.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/read/parts.hpp"
#include "vernier/query/read/statistic.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

constexpr std::size_t most_x = 8;
constexpr std::string_view intercept = "intercept", residual_deviation = "residual_deviation", r_squared = "r_squared";

// What a [[regression]] says of the rows and columns.
struct Asked {
  std::string from, y;
  std::optional<std::string> where;
  std::vector<Part> x, groups;
};

// Every published column has a name of its own.
void refuse_names(TableReader& reader, const Asked& asked) {
  std::vector<std::string> taken = {std::string(intercept), std::string(residual_deviation), std::string(r_squared)};
  for (const Part& one : asked.groups) taken.push_back(fold_case(one.name));
  for (const Part& one : asked.x) {
    const std::string name = fold_case(one.name);
    if (const auto fault = fault_of_name(one.name)) {
      reader.refuse(reader.find("x")->place, reader.subject("x"),
                    "has a coefficient of " + in_quotes(one.name) + ", which cannot be a name, since " + *fault,
                    "write a name behind it, as in \"age * 2 AS twice\"");
    } else if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      reader.refuse(reader.find("x")->place, reader.subject("x"), "would publish two columns " + in_quotes(one.name),
                    "write another name behind one of them, as in \"age AS years\"");
    }
    taken.push_back(name);
  }
}

std::string call(std::string_view function, const Asked& asked, std::size_t first) {
  std::string sql = std::string(function) + "(" + asked.y + ", " + asked.x[first].sql;
  for (std::size_t i = 0; i < asked.x.size(); ++i) {
    if (i != first) sql += ", " + asked.x[i].sql;
  }
  return sql + ")";
}

// Of a population the slope alone has an interval; with several x the statement says why there is none.
std::string statement_of(const Asked& asked, bool of_population) {
  std::string sql;
  const auto add = [&](std::string_view function, std::size_t first, std::string_view name, bool is_last = false) {
    sql += call(function, asked, first) + " AS " + quoted_identifier(std::string(name)) + (is_last ? "" : ", ");
  };
  const bool is_slope_alone = of_population && asked.x.size() == 1;
  if (!is_slope_alone) add("REGR_INTERCEPT", 0, intercept);
  for (std::size_t i = 0; i < asked.x.size(); ++i) add("REGR_SLOPE", i, asked.x[i].name, is_slope_alone);
  if (!is_slope_alone) {
    add("REGR_DEVIATION", 0, residual_deviation);
    add("REGR_R2", 0, r_squared, true);
  }
  return select_of(asked.groups, sql, asked.from, asked.where);
}

}  // namespace

Statistic read_regression(const TomlNode& node, std::vector<Problem>& problems) {
  Statistic statistic{.name = {},
                      .sql = {},
                      .accuracy = {},
                      .weight = Rational::of(1),
                      .place = node.place,
                      .sql_place = node.place,
                      .by_coefficient = true};
  const auto* const table = std::get_if<TomlTable>(&node.content);
  if (table == nullptr) {
    problems.push_back(
        {node.place, "a regression must be a table that begins with [[regression]], but it is " + described(node)});
    return statistic;
  }
  TableReader reader(*table, node.place, subject_of(*table, "regression"), problems);
  statistic.name = read_name(reader, "regression", "income by schooling");
  Asked asked{.from = needed_part(reader, "from", "people"),
              .y = needed_part(reader, "y", "income"),
              .where = read_part(reader, "where", "age >= 15"),
              .x = needed_parts(reader, "x", {1, most_x}),
              .groups = read_groups(reader)};
  refuse_names(reader, asked);
  read_terms(reader, statistic);
  reader.finish();
  if (!asked.x.empty()) statistic.sql = statement_of(asked, statistic.inference.of_population);
  return statistic;
}

}  // namespace vernier::query
