#include "vernier/plan/render/fine_sums.hpp"

#include "vernier/query/expression/render.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::plan {
namespace {

std::string parts_of_step(int halvings) { return whole(std::int64_t{1} << halvings); }

std::string wide(const std::string& integer, const Style& style) {
  return query::cast_to(style.in.wide_type(), integer);
}

}  // namespace

std::vector<std::size_t> fine_arguments(const BoundStatistic& statistic) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
    if (halvings_of(statistic, i) > 0) places.push_back(i);
  }
  return places;
}

int halvings_of(const BoundStatistic& statistic, const Tally& tally) {
  return tally.kind == TallyKind::sum ? halvings_of(statistic, tally.argument) : 0;
}

std::string residual_column(std::size_t i) { return numbered("y", i); }

std::string residual(const Argument& argument, int halvings, const Style& style) {
  return query::bracketed(called_argument(finer(argument, halvings), style) + " - " + parts_of_step(halvings) + " * " +
                          called_argument(argument, style));
}

std::string fine_sum_of_rows(const Tally& tally, int halvings, const Style& style) {
  const std::string steps = wide(style.in.sum(numbered("a", tally.argument)), style);
  const std::string beyond = style.in.sum(residual_column(tally.argument));
  return "COALESCE(" + steps + " * " + parts_of_step(halvings) + " + " + beyond + ", " + whole(0) + ")";
}

// Below 2^63 steps of 2^28 parts, times less than 2^30 rows: 121 bits.
std::string fine_sum_of_units(const Tally& tally, int halvings, std::int64_t rows, const Style& style) {
  const std::string n = numbered("n", tally.argument);
  const std::string sum = query::bracketed(wide(numbered("s", tally.argument), style) + " * " +
                                           parts_of_step(halvings) + " + " + residual_column(tally.argument));
  const std::string part = style.in.wide_quotient(query::bracketed(sum + " * " + whole(rows)), n);
  const std::string counted = "CASE WHEN " + n + " <= " + whole(rows) + " THEN " + sum + " ELSE " + part + " END";
  return "COALESCE(" + style.in.sum(counted) + ", " + whole(0) + ")";
}

// floor((t + half) / parts), of division toward zero.
std::string held_fine(const std::string& t, int halvings, const query::Dialect& in) {
  const std::string parts = parts_of_step(halvings), half = parts_of_step(halvings - 1);
  const std::string end = whole(std::int64_t{1} << 62), other = whole(-(std::int64_t{1} << 62));
  const std::string most = query::bracketed(query::cast_to(in.wide_type(), end) + " * " + parts);
  const std::string above = in.wide_quotient(query::bracketed(t + " + " + half), parts);
  const std::string below = in.wide_quotient(query::bracketed(half + " - " + whole(1) + " - " + t), parts);
  return "CAST(CASE WHEN " + t + " > " + most + " THEN " + end + " WHEN " + t + " < -" + most + " THEN " + other +
         " WHEN " + t + " + " + half + " >= 0 THEN " + above + " ELSE -" + below + " END AS BIGINT) AS " + t;
}

}  // namespace vernier::plan
