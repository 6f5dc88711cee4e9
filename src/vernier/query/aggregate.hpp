#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// The statistics that SQL can ask for. A new one: a name, and a line in the list of what is known of them; who measures
// it stands in plan/statistic/.
namespace vernier::query {

enum class Aggregate : std::uint8_t {
  count_rows,
  count,
  count_units,  // COUNT(DISTINCT x) where x names the unit
  count_distinct,
  sum,
  average,
  variance_sample,
  variance_population,
  deviation_sample,
  deviation_population,
  quantile,
  least,
  greatest,
  regression_slope,
  regression_intercept,
  regression_count,
  regression_mean_x,
  regression_mean_y,
  regression_squares_x,
  regression_squares_y,
  regression_products,
  regression_determination,
  correlation,
  covariance_sample,
  covariance_population,
  regression_deviation,  // of the residuals
};

struct AggregateFacts {
  Aggregate aggregate;
  std::string_view sql;                       // the function in a canonical statement
  std::array<std::string_view, 8> spellings;  // by which a statement may ask for it, in small letters
  std::string_view forms;                     // as sentences list it; empty where another one is listed for it
  bool needs_bounds = true;                   // of a number between bounds; else of anything
  bool takes_pair = false;                    // of y and x, in this order
  bool takes_several = false;                 // of a pair: of y and 1 to 8 x; a slope is that of the first of them

  constexpr bool is_spelled(std::string_view name) const {
    return !name.empty() && std::find(spellings.begin(), spellings.end(), name) != spellings.end();
  }
};

inline constexpr auto aggregates = std::to_array<AggregateFacts>({
    {Aggregate::count_rows, "COUNT", {"count_star"}, "COUNT(*)", false},
    {Aggregate::count, "COUNT", {"count", "count_if", "countif", "anon_count"}, "COUNT(x)", false},
    {Aggregate::count_units, "COUNT", {}, "", false},
    {Aggregate::count_distinct,
     "COUNT",
     {"approx_count_distinct", "approx_distinct", "ndv"},
     "COUNT(DISTINCT x)",
     false},
    {Aggregate::sum, "SUM", {"sum", "anon_sum"}, "SUM(x)"},
    {Aggregate::average, "AVG", {"avg", "mean", "average", "anon_avg"}, "AVG(x)"},
    {Aggregate::variance_sample, "VAR_SAMP", {"variance", "var_samp", "var"}, "VARIANCE(x)"},
    {Aggregate::variance_population, "VAR_POP", {"var_pop", "varp", "variance_pop", "anon_var_pop"}, ""},
    {Aggregate::deviation_sample, "STDDEV_SAMP", {"stddev", "stddev_samp", "std", "stdev"}, "STDDEV(x)"},
    {Aggregate::deviation_population, "STDDEV_POP", {"stddev_pop", "stdevp", "anon_stddev_pop"}, ""},
    {Aggregate::quantile,
     "QUANTILE",
     {"median", "quantile", "quantile_cont", "quantile_disc", "percentile_cont", "percentile_disc", "approx_quantile"},
     "MEDIAN(x), QUANTILE(x, 0.9)"},
    {Aggregate::least, "MIN", {"min"}, "MIN(x)"},
    {Aggregate::greatest, "MAX", {"max"}, "MAX(x)"},
    {Aggregate::regression_slope, "REGR_SLOPE", {"regr_slope"}, "REGR_SLOPE(y, x)", true, true, true},
    {Aggregate::regression_intercept, "REGR_INTERCEPT", {"regr_intercept"}, "", true, true, true},
    {Aggregate::regression_count, "REGR_COUNT", {"regr_count"}, "", true, true},
    {Aggregate::regression_mean_x, "REGR_AVGX", {"regr_avgx"}, "", true, true},
    {Aggregate::regression_mean_y, "REGR_AVGY", {"regr_avgy"}, "", true, true},
    {Aggregate::regression_squares_x, "REGR_SXX", {"regr_sxx"}, "", true, true},
    {Aggregate::regression_squares_y, "REGR_SYY", {"regr_syy"}, "", true, true},
    {Aggregate::regression_products, "REGR_SXY", {"regr_sxy"}, "", true, true},
    {Aggregate::regression_determination, "REGR_R2", {"regr_r2"}, "", true, true, true},
    {Aggregate::correlation, "CORR", {"corr"}, "CORR(y, x)", true, true},
    {Aggregate::covariance_sample, "COVAR_SAMP", {"covar_samp"}, "COVAR_SAMP(y, x)", true, true},
    {Aggregate::covariance_population, "COVAR_POP", {"covar_pop"}, "", true, true},
    {Aggregate::regression_deviation, "REGR_DEVIATION", {"regr_deviation"}, "", true, true, true},
});

constexpr const AggregateFacts& facts_of(Aggregate aggregate) {
  return aggregates[static_cast<std::size_t>(aggregate)];
}
static_assert(std::all_of(aggregates.begin(), aggregates.end(),
                          [](const AggregateFacts& one) { return &facts_of(one.aggregate) == &one; }),
              "the list has the order of the names");

// As SQL names it: "AVG".
constexpr std::string_view name_of(Aggregate aggregate) { return facts_of(aggregate).sql; }

// The one that a statement asks for by this name, in small letters.
constexpr std::optional<Aggregate> aggregate_spelled(std::string_view name) {
  for (const AggregateFacts& one : aggregates) {
    if (one.is_spelled(name)) return one.aggregate;
  }
  return std::nullopt;
}

}  // namespace vernier::query
