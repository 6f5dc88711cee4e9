#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"

namespace vernier::report {

using plan::Measurement;

std::string accuracy_text(const Measurement& measurement, double accuracy) {
  if (!measurement.aggregation) return "-";
  const bool is_count = measurement.figure == plan::Figure::count;
  const std::string margin = is_count ? text::grouped(accuracy, 0) : text::grouped_up(accuracy);
  if (plan::is_in_ranks(measurement.figure)) {
    return (measurement.absorbs_sample ? "about ± " : "± ") + margin + " ranks";
  }
  return (has_fixed_margin(measurement.figure) ? "± " : "about ± ") + margin;
}

std::string accuracy_text(const plan::BoundStatistic& statistic, const Measurement& measurement, double accuracy) {
  const bool is_of_population = statistic.inference.of_population && has_fixed_margin(measurement.figure);
  if (!measurement.aggregation || !is_of_population) return accuracy_text(measurement, accuracy);
  return "about " + accuracy_text(measurement, std::ceil(accuracy));
}

namespace {

std::string_view in_words(plan::Figure figure) {
  using enum plan::Figure;
  switch (figure) {
    case sum:
      return "sum";
    case mean:
      return "mean";
    case variance_sample:
    case variance_population:
      return "variance";
    case deviation_sample:
    case deviation_population:
      return "standard deviation";
    case quantile:
      return "quantile";
    case least:
      return "minimum";
    case greatest:
      return "maximum";
    case count:
      break;
  }
  return "count";
}

std::size_t place_of(const query::Query& query, const std::string& name) {
  const auto found = std::find_if(query.aggregations.begin(), query.aggregations.end(),
                                  [&](const query::Aggregation& one) { return one.name == name; });
  return static_cast<std::size_t>(found - query.aggregations.begin());
}

// Of one row its interval; of many the column that has them.
std::string moved_rows(const query::Query& query, const release::Table& table, const std::string& name) {
  if (table.rows.size() != 1) return fmt::format("{} says how many rows of each group were moved to a bound", name);
  const auto& found = table.rows.front().numbers[place_of(query, name)].interval;
  return fmt::format("between {} and {} rows were moved to a bound", text::grouped(found.low, 0),
                     text::grouped(found.high, 0));
}

}  // namespace

std::vector<std::string> clamped_sentences(const plan::BoundStatistic& statistic, const release::Table& table) {
  std::vector<std::string> sentences;
  for (const plan::Measurement& one : statistic.measurements) {
    if (!one.clamped_count || !one.aggregation || table.rows.empty()) continue;
    sentences.push_back(fmt::format("{} covers the bounded {}: {}", statistic.query.aggregations[*one.aggregation].name,
                                    in_words(one.figure), moved_rows(statistic.query, table, *one.clamped_count)));
  }
  return sentences;
}

namespace {

using plan::BoundStatistic;

std::string population_sentence(const BoundStatistic& statistic) {
  const std::string drawn = statistic.table.sampled ? ", each member of which is in the data with probability " +
                                                          nearest_text(nearest(*statistic.table.sampled), 6)
                                                    : "";
  const std::string weighted = statistic.weighted ? ", weighted by '" + statistic.weighted->column + "'" : "";
  return "Intervals are for the population of which the rows are a random sample" + drawn + weighted +
         ": sampling error and noise together.";
}

std::string simultaneous_sentence(const BoundStatistic& statistic) {
  if (statistic.keys.are_public) return "All intervals of this statistic hold at once, not only each by itself.";
  return "All intervals of this statistic hold at once, for as many groups as are published; the accuracy of the plan "
         "is for one group by itself.";
}

template <class IsAsked>
bool any(const plan::BoundStudy& study, IsAsked is_asked) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [&](const BoundStatistic& statistic) { return is_asked(statistic.inference); });
}

}  // namespace

std::vector<std::string> inference_sentences(const BoundStatistic& statistic) {
  std::vector<std::string> sentences;
  if (statistic.inference.of_population) sentences.push_back(population_sentence(statistic));
  if (statistic.inference.is_simultaneous) sentences.push_back(simultaneous_sentence(statistic));
  if (plan::rests_on_public_count(statistic)) {
    sentences.emplace_back("Means rest on the number of rows, which is public: no noise is spent on counting them.");
  }
  return sentences;
}

bool any_of_population(const plan::BoundStudy& study) {
  return any(study, [](const query::Inference& asked) { return asked.of_population; });
}

bool any_simultaneous(const plan::BoundStudy& study) {
  return any(study, [](const query::Inference& asked) { return asked.is_simultaneous; });
}

namespace {

using ledger::Cost;
using ledger::Quanta;

std::string amount(const numeric::Rational& value) { return rounded_up_text(nearest(value)); }

std::string studies_text(std::int64_t studies) {
  return studies == std::numeric_limits<std::int64_t>::max() ? "any number of" : std::to_string(studies);
}

std::string opened_text(const ledger::Offer& taken, const Quanta& quanta) {
  return fmt::format("{} of it once, to open the conversion, which gives {}, and {} for this one",
                     cost_text(quanta, taken.opening), room_text(taken.room),
                     cost_text(quanta, taken.cost - taken.opening));
}

}  // namespace

std::string cost_text(const Quanta& quanta, const Cost& cost) {
  return fmt::format("epsilon {} and delta {}", amount(quanta.epsilon(cost.epsilon)), amount(quanta.delta(cost.delta)));
}

std::string protected_text(const ledger::Units& units) {
  std::string unit;
  std::vector<std::string> tables;
  for (const ledger::TableUnit& one : units) {
    if (!one.unit) continue;
    unit = *one.unit;
    tables.push_back(one.table);
  }
  return fmt::format("{} of {}", unit, fmt::join(tables, " and "));
}

std::string room_text(const ledger::Room& room) {
  return fmt::format("room for {} such studies in place of {}", studies_text(room.with_conversion),
                     studies_text(room.by_totals));
}

std::vector<std::string> took_sentences(const release::Release& release, const ledger::Rules& rules) {
  const ledger::Offer& taken = release.taken;
  const bool opens = taken.opening != Cost{};
  const char* const manner = taken.manner == ledger::Manner::divergence ? ", by divergence" : "";
  std::vector<std::string> sentences = {fmt::format("the ledger took {} for each {}{}{}",
                                                    cost_text(rules.quanta, taken.cost),
                                                    protected_text(release::units_of(release.plan.study)), manner,
                                                    opens ? ": " + opened_text(taken, rules.quanta) : "")};
  if (release.plan.study.catalog.budget.without_witness) {
    sentences.emplace_back(
        "no witness is kept of the ledger, as the catalog asks: an older copy of it would go unnoticed");
  }
  return sentences;
}

}  // namespace vernier::report
