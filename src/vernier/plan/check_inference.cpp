#include "vernier/plan/check_inference.hpp"

#include <algorithm>

#include "vernier/plan/derived_columns.hpp"
#include "vernier/plan/plan_names.hpp"

namespace vernier::plan {
namespace {

constexpr std::int64_t most_ranked_rows = std::int64_t{1} << 34;  // interval/population_quantile.hpp

bool is_spread(Figure figure) { return figure >= Figure::variance_sample && figure <= Figure::deviation_population; }

// Why the column says nothing of a population whose rows are weighted; empty where it does.
std::string fault_for_weighted(const BoundStatistic& statistic, const Measurement& one) {
  const std::string& column = statistic.weighted->column;
  if (has_fixed_margin(one.figure)) {
    return "is a count or a sum, and rows that are weighted by '" + column +
           "' tell means of the population and not its size; ask for AVG, or leave covers out to count the rows as "
           "they are";
  }
  if (one.figure == Figure::quantile) {
    return "is a quantile, which has no interval where rows are weighted by '" + column +
           "'; ask for AVG of a comparison, such as AVG(CASE WHEN x <= 5 THEN 1 ELSE 0 END), or leave covers out";
  }
  if (one.kind != MeasurementKind::moments) {
    return "is measured by rows that are not weighted by '" + column + "'; ask for AVG, VARIANCE or STDDEV";
  }
  return statistic.table.sampled ? "has rows that are weighted and sampled evenly, which exclude each other" : "";
}

// Why the column says nothing of a population; empty where it does.
std::string fault_for_population(const BoundStatistic& statistic, std::size_t place) {
  const Measurement& one = statistic.measurements[place];
  const query::Table& table = statistic.table;
  if (one.kind == MeasurementKind::distinct) return "counts values that differ, of which a sample tells too little";
  if (one.figure == Figure::least || one.figure == Figure::greatest) {
    return "is a least or greatest value, of which a sample tells nothing; ask for a quantile";
  }
  if (!statistic.keys.are_public && one.source.value_or(place) == 0) {
    return "is the number by which private keys are chosen; declare the keys, or ask for it in another statistic";
  }
  if (statistic.weighted) {
    const std::string fault = fault_for_weighted(statistic, one);
    if (!fault.empty()) return fault;
  }
  if (has_fixed_margin(one.figure) && !table.sampled) {
    return "is a count or a sum, for which the table '" + table.name +
           "' of the catalog must say which part of the population it holds, such as sampled = 0.01";
  }
  if (one.figure == Figure::quantile && table.row_limit > most_ranked_rows) {
    return "is a quantile, for which row_limit of the table '" + table.name + "' must be at most " +
           std::to_string(most_ranked_rows);
  }
  if (one.figure == Figure::quantile && one.target) {
    return "is a quantile, which takes no accuracy where it is about a population; give the statistic a weight";
  }
  if (statistic.inference.is_guaranteed && (one.figure == Figure::sum || is_spread(one.figure))) {
    return "has no interval for a population that is proven; leave guaranteed out";
  }
  return "";
}

Result<void> check_population(const BoundStatistic& statistic) {
  if (statistic.table.unit && statistic.contribution.max_rows != 1) {
    return invalid(
        "asks for covers = \"population\" with several rows of a unit, which are no independent draws; write "
        "max_rows = 1, so that one row of each unit counts");
  }
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!statistic.measurements[i].aggregation) continue;
    const std::string fault = fault_for_population(statistic, i);
    if (fault.empty()) continue;
    return invalid("asks for covers = \"population\", but its column '" +
                   column_of(statistic, statistic.measurements[i]) + "' " + fault);
  }
  return {};
}

// How many groups there will be is not known before.
Result<void> check_simultaneous(const BoundStatistic& statistic) {
  if (statistic.keys.are_public) return {};
  for (const Measurement& one : statistic.measurements) {
    const bool has_quantile = has_histogram(one.kind);
    if (!has_quantile && !one.target) continue;
    return invalid(
        "asks for simultaneous intervals of private keys, of which nobody knows how many there will be: its "
        "column '" +
        column_of(statistic, one) + "' " +
        (has_quantile ? "is a quantile, whose ends are chosen for a known number of groups"
                      : "cannot be promised an accuracy") +
        "; declare the keys in the catalog, or leave simultaneous out");
  }
  return {};
}

}  // namespace

Result<void> check_inference(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  if (asked.of_population) {
    if (const Result<void> checked = check_population(statistic); !checked) return checked;
  }
  if (asked.is_simultaneous) {
    if (const Result<void> checked = check_simultaneous(statistic); !checked) return checked;
  }
  return check_derived(statistic);
}

}  // namespace vernier::plan
