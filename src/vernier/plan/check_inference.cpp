#include "vernier/plan/check_inference.hpp"

#include <algorithm>

#include "vernier/plan/derived_columns.hpp"
#include "vernier/plan/plan_names.hpp"

namespace vernier::plan {
namespace {

bool is_spread(Figure figure) { return figure >= Figure::variance_sample && figure <= Figure::deviation_population; }

// Whether what was measured has the weights in it.
bool has_weights(const Measurement& one) {
  if (one.figure == Figure::quantile) return one.kind == MeasurementKind::quantiles;
  return one.kind == (one.figure == Figure::count ? MeasurementKind::count : MeasurementKind::moments);
}

// Why the column says nothing of a population whose rows are weighted; empty where it does.
std::string fault_for_weighted(const BoundStatistic& statistic, const Measurement& one) {
  const std::string& column = statistic.weighted->column;
  if (one.kind == MeasurementKind::units) {
    return "counts units, which are not weighted by '" + column +
           "'; ask for COUNT(*), which says how many members the rows stand for";
  }
  if (has_fixed_margin(one.figure) && !(statistic.weighted->most_members() >= 1)) {
    return "is a count or a sum, for which a weight must say for how many members a row stands, but '" + column +
           "' stays below 1; declare weights in members, or ask for AVG, to which only their ratios matter";
  }
  if (!has_weights(one)) {
    return "is measured by rows that are not weighted by '" + column + "'; ask for COUNT, SUM, AVG, VARIANCE or STDDEV";
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
  if (has_fixed_margin(one.figure) && !table.sampled && !statistic.weighted) {
    return "is a count or a sum, for which the table '" + table.name +
           "' of the catalog must say which part of the population it holds, such as sampled = 0.01";
  }
  const bool is_tested =
      one.figure == Figure::sum || is_spread(one.figure) || (one.figure == Figure::count && statistic.weighted);
  if (statistic.inference.is_guaranteed && is_tested) {
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
