#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/render/chosen_rows.hpp"
#include "vernier/plan/statistic/moments.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/rounding.hpp"
#include "vernier/plan/statistic/statistic.hpp"
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

namespace {

// As many rows as there can be; none where they are weighted.
std::optional<double> rows_of(const plan::BoundStatistic& statistic) {
  if (statistic.weighted) return std::nullopt;
  return static_cast<double>(statistic.table.row_limit);
}

// Of values on the grid of a mean.
std::optional<double> widest_sum(const plan::BoundStatistic& statistic, const Measurement& one) {
  const std::int64_t least = std::min<std::int64_t>(one.origin, 0);
  const std::int64_t greatest = std::max<std::int64_t>(one.origin + one.steps, 0);
  const std::optional<double> rows = rows_of(statistic);
  if (!rows) return std::nullopt;
  return *rows * (static_cast<double>(greatest) - static_cast<double>(least)) * one.granularity;
}

// From the least to the greatest that the figure can be, as its bounds and the row limit allow; none where it is not
// told here.
std::optional<double> widest(const plan::BoundStatistic& statistic, const Measurement& one) {
  const double bounds = static_cast<double>(one.steps) * one.granularity;
  if (one.figure == plan::Figure::mean) return bounds;
  if (plan::is_deviation(one.figure)) return bounds;
  if (plan::is_variance(one.figure)) return bounds * bounds / 2;  // of two rows, with the divisor 1
  if (plan::is_in_ranks(one.figure)) return rows_of(statistic);
  const bool is_of_sums = plan::has_nodes(one.kind) || one.kind == plan::Boxed::kind;
  if (is_of_sums && one.figure == plan::Figure::count) return rows_of(statistic);
  if (is_of_sums && one.figure == plan::Figure::sum) return widest_sum(statistic, one);
  if (is_of_sums || !plan::has_fixed_margin(one.figure)) return std::nullopt;
  return (static_cast<double>(one.greatest) - static_cast<double>(one.least)) * one.granularity;
}

}  // namespace

std::string accuracy_text(const plan::BoundStatistic& statistic, const Measurement& measurement, double accuracy) {
  const std::optional<double> most = widest(statistic, measurement);
  if (measurement.aggregation && most && *most > 0 && accuracy >= *most) {
    return "no information (" + accuracy_text(measurement, accuracy) + ")";
  }
  const bool is_of_population = statistic.inference.of_population && has_fixed_margin(measurement.figure);
  if (!measurement.aggregation || !is_of_population) return accuracy_text(measurement, accuracy);
  return "about " + accuracy_text(measurement, std::ceil(accuracy));
}

namespace {

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
                                    one.figure.words, moved_rows(statistic.query, table, *one.clamped_count)));
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
  const std::string together = drawn + weighted + ": sampling error and noise together.";
  if (!statistic.table.unit) return "Intervals are for the population of which the rows are a random sample" + together;
  const std::int64_t groups = statistic.contribution.max_groups;
  return "Intervals are for what counts of the population of which the units are a random sample" + together +
         " A member counts in at most " + std::to_string(groups) + (groups == 1 ? " group" : " groups") +
         ", as one row: with the mean of its rows there, or, in quantiles, with one of them, drawn by lot.";
}

std::string simultaneous_sentence(const BoundStatistic& statistic) {
  if (statistic.query.selects_by_numbers()) {
    return "Rows are chosen by their numbers, so that intervals hold for those that were chosen: at once for all "
           "groups "
           "among which the choice was.";
  }
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

std::string confidence_of(const BoundStatistic& statistic, const numeric::Rational& of_study) {
  return text::confidence_text(nearest(statistic.alpha.value_or(of_study)));
}

std::string confidences_of(const plan::BoundStudy& study, const numeric::Rational& alpha) {
  std::set<numeric::Rational, std::greater<>> all;
  for (const BoundStatistic& statistic : study.statistics) all.insert(statistic.alpha.value_or(alpha));
  if (all.empty() || !study.tables.empty()) all.insert(alpha);
  std::string together;
  for (const numeric::Rational& one : all) {
    together += (together.empty() ? "" : " or ") + text::confidence_text(nearest(one));
  }
  return together;
}

bool has_several_confidences(const plan::BoundStudy& study) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [](const BoundStatistic& statistic) { return statistic.alpha.has_value(); });
}

std::vector<std::string> inference_sentences(const BoundStatistic& statistic) {
  std::vector<std::string> sentences;
  if (statistic.alpha) {
    sentences.push_back("Intervals of this statistic hold with probability " +
                        text::confidence_text(nearest(*statistic.alpha)) + ", by an alpha of its own.");
  }
  if (statistic.inference.of_population) sentences.push_back(population_sentence(statistic));
  if (statistic.inference.is_simultaneous) sentences.push_back(simultaneous_sentence(statistic));
  if (plan::rests_on_public_count(statistic)) {
    sentences.emplace_back("Means rest on the number of rows, which is public: no noise is spent on counting them.");
  }
  for (std::string& sentence : plan::grid_sentences(statistic)) sentences.push_back(std::move(sentence));
  if (std::string warning = plan::denoise_warning(statistic); !warning.empty()) sentences.push_back(std::move(warning));
  return sentences;
}

namespace {

std::string formula_sentence(const query::Query& query, const query::Formula& formula) {
  return formula.name +
         " is made of published numbers, and costs nothing: " + query::text_of(formula.steps, query.statistic_names());
}

}  // namespace

std::vector<std::string> formula_sentences(const BoundStatistic& statistic, std::size_t omitted) {
  const query::Query& query = statistic.query;
  std::vector<std::string> sentences;
  for (const query::Output& output : query.outputs) {
    if (!output.is_formula) continue;
    const query::Formula& formula = query.formulas[output.place];
    if (!formula.columns().empty()) sentences.push_back(formula_sentence(query, formula) + ".");
  }
  if (omitted > 0) {
    sentences.push_back(fmt::format("{} {} that the statement leaves out {} in the record.",
                                    text::grouped(static_cast<std::int64_t>(omitted)),
                                    omitted == 1 ? "group" : "groups", omitted == 1 ? "is" : "are"));
  }
  return sentences;
}

std::string selection_sentence(const plan::Plan& plan, std::size_t statistic) {
  const BoundStatistic& asked = plan.study.statistics[statistic];
  if (!asked.query.selects_by_numbers() || !asked.keys.are_public) return "";
  for (std::size_t i = 0; i < asked.measurements.size(); ++i) {
    if (!asked.measurements[i].aggregation || plan::is_in_ranks(asked.measurements[i].figure)) continue;
    const plan::PlannedNoise& noise = plan.statistics[statistic].noise[i];
    const Result<plan::Told> alone =
        plan::accuracy_with(plan::measured_at(asked, i), noise.law, plan::alpha_of(asked, plan.study.alpha));
    if (!alone || !(alone->accuracy > 0)) return "";
    return fmt::format(
        "Since rows are chosen by their numbers, ± is {} times as wide as it would be for groups that "
        "are named beforehand.",
        nearest_text(noise.accuracy / alone->accuracy, 3));
  }
  return "";
}

std::string limits_sentence(const BoundStatistic& statistic) {
  if (!statistic.table.unit) return {};
  const plan::Contribution& unit = statistic.contribution;
  const auto several = [](std::int64_t count, const char* what) {
    return fmt::format("{} {}{}", text::grouped(count), what, count == 1 ? "" : "s");
  };
  if (plan::chooses_rows(statistic)) {
    return fmt::format("of each {} at most {} count, the same in all tables", *statistic.table.unit,
                       several(unit.max_rows, "row"));
  }
  std::string where;
  if (!statistic.query.keys.empty())
    where = unit.max_groups == 1 ? " in 1 group" : fmt::format(" in each of {}", several(unit.max_groups, "group"));
  const bool is_one = unit.max_rows == 1 && (unit.max_groups == 1 || where.empty());
  return fmt::format("of each {} at most {}{} {}", *statistic.table.unit, several(unit.max_rows, "row"), where,
                     is_one ? "counts" : "count");
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
  if (release.witnessed == ledger::Witnessed::none) {
    sentences.emplace_back(
        "no witness is kept of the ledger, as the catalog asks: an older copy of it would go unnoticed");
  }
  if (release.witnessed == ledger::Witnessed::is_new) {
    sentences.emplace_back(
        "the witness of the ledger begins with this release: had the ledger been an older copy, it would have gone "
        "unnoticed; let all who release share one, by witness = \"FILE\" in [budget]");
  }
  return sentences;
}

}  // namespace vernier::report
