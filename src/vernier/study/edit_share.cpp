#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/toml/reader.hpp"
#include "vernier/study/edit.hpp"
#include "vernier/study/plan.hpp"
#include "vernier/study/reach.hpp"

// Changes that need plans to be found.
namespace vernier::study {
namespace {

constexpr double share_tolerance = 0.005;
// Shares jump where a weight makes the plan measure a statement in another way, or a margin of error of whole numbers
// becomes another one. The nearest is then taken, if it is as near as this.
constexpr double jump_tolerance = 0.02, greatest_jump = 0.06;  // of shares on one side alone, and on both

constexpr double greatest_log_weight = 18;

// The logarithm of a weight for odds of a share, between those that are known to be too small and too large: by a
// secant, for shares grow with the weight about as odds do, or halfway, where a jump has none.
class WeightSearch {
 public:
  WeightSearch(double begin, double wanted) : at_(begin), wanted_(wanted) {}

  double at() const { return at_; }
  bool has_both_sides() const { return low_ > -greatest_log_weight && high_ < greatest_log_weight; }
  bool is_over() const { return high_ - low_ < 1e-4; }

  void found(double odds) {
    const double slope = has_last_ && at_ != last_ ? (odds - last_odds_) / (at_ - last_) : 2;
    (odds < wanted_ ? low_ : high_) = at_;
    last_ = at_;
    last_odds_ = odds;
    has_last_ = true;
    const double by = slope > 1e-3 ? std::clamp((wanted_ - odds) / slope, -5.0, 5.0) : odds < wanted_ ? 1 : -1;
    const double next = at_ + by;
    at_ = next > low_ && next < high_ && (slope > 1e-3 || !has_both_sides()) ? next : (low_ + high_) / 2;
  }

 private:
  double at_, wanted_, low_ = -greatest_log_weight, high_ = greatest_log_weight;
  double last_ = 0, last_odds_ = 0;
  bool has_last_ = false;
};

// The share that the statistic has in the plan of this text.
Result<double> share_in(const Text& study, const std::string& name, const Catalog& catalog,
                        std::string_view statistic) {
  VERNIER_TRY(const Study asked, Study::of(name, study, catalog));
  VERNIER_TRY(const Plan plan, asked.plan());
  double share = 0;
  for (std::size_t i = 0; i < plan.content().statistics.size(); ++i) {
    if (plan.content().study.statistics[i].name != statistic) continue;
    for (const plan::PlannedNoise& noise : plan.content().statistics[i].noise) share += noise.share;
  }
  for (std::size_t i = 0; i < plan.content().tables.size(); ++i) {
    if (plan.content().study.tables[i].name == statistic) share += plan.content().tables[i].share;
  }
  return share;
}

Failure unreachable(std::string_view statistic, double wanted, double nearest_share) {
  return invalid(fmt::format("{} cannot have {:.0f} % of the budget: the nearest that a weight gives is {:.1f} %",
                             query::in_quotes(statistic), 100 * wanted, 100 * nearest_share),
                 "unlock a column of it or of another statistic, whose accuracy fixes what it takes");
}

// Of a statistic or a table; none where there is no such.
const numeric::Rational* weight_in(const query::Study& study, std::string_view name) {
  for (const query::Statistic& one : study.statistics) {
    if (one.name == name) return &one.weight;
  }
  for (const query::TableSet& one : study.tables) {
    if (one.name == name) return &one.weight;
  }
  return nullptr;
}

Failure no_weight_of(std::string_view name) {
  return invalid(fmt::format("the study has no statistic or table {}", query::in_quotes(name)), "name one of its own");
}

double odds(double share) { return std::log(share / (1 - share)); }

}  // namespace

Result<std::string> with_share(const Text& study, const std::string& name, const Catalog& catalog,
                               std::string_view statistic, double share) {
  if (!(share > 0 && share < 1)) {
    return invalid("the share", fmt::format("must be above 0 and below 100 %, but it is {} %", shortest(100 * share)),
                   "");
  }
  VERNIER_TRY(const Study before, Study::of(name, study, catalog));
  const numeric::Rational* const weight_now = weight_in(before.question, statistic);
  if (weight_now == nullptr) return no_weight_of(statistic);
  WeightSearch search(std::log(nearest(*weight_now)), odds(share));
  double best = 0;
  std::string best_text;
  for (int i = 0; i < most_share_plans && !search.is_over(); ++i) {
    VERNIER_TRY(const std::string text, with_weight(study, statistic, nearest_text(std::exp(search.at()), 5)));
    VERNIER_TRY(const double found, share_in({study.path, text}, name, catalog, statistic));
    if (std::abs(found - share) <= share_tolerance) return text;
    if (i == 0 || std::abs(found - share) < std::abs(best - share)) best = found, best_text = text;
    if (!(found > 0 && found < 1)) break;
    search.found(odds(found));
  }
  if (std::abs(best - share) <= (search.has_both_sides() ? greatest_jump : jump_tolerance)) return best_text;
  return unreachable(statistic, share, best);
}

namespace {

bool is_asked(const query::Statistic& statistic, std::string_view column) {
  return std::ranges::any_of(statistic.accuracy,
                             [&](const query::Target& one) { return fold_case(one.column) == fold_case(column); });
}

// The text with a target for every accuracy of the plan that has none.
Result<std::string> with_all_held(const Text& study, const Study& asked, const plan::Plan& plan) {
  Text held = study;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const plan::BoundStatistic& one = plan.study.statistics[i];
    for (std::size_t j = 0; j < one.measurements.size(); ++j) {
      const std::string column = plan::column_of(one, one.measurements[j]);
      if (!one.measurements[j].aggregation || is_asked(asked.question.statistics[i], column)) continue;
      const std::string accuracy = target_text(plan.statistics[i].noise[j].accuracy);
      VERNIER_TRY(held.text, with_target(held, one.name, column, accuracy));
    }
  }
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    const plan::BoundTables& one = plan.study.tables[i];
    if (!one.targets.empty()) continue;
    const std::string accuracy = target_text(std::ranges::max(plan.tables[i].accuracies));
    VERNIER_TRY(held.text, with_target(held, one.name, all_cells, accuracy));
  }
  return held.text;
}

}  // namespace

Result<std::string> with_least_budget(const Text& study, const std::string& name, const Catalog& catalog) {
  VERNIER_TRY(const Study asked, Study::of(name, study, catalog));
  VERNIER_TRY(const Plan plan, asked.plan());
  VERNIER_TRY(std::string text, with_all_held(study, asked, plan.content()));
  if (!asked.question.budget) return text;
  VERNIER_TRY(const Study held, Study::of(name, Text{study.path, text}, catalog));
  VERNIER_TRY(const Plan least, held.plan());
  return with_budget({study.path, std::move(text)}, rounded_up_text(least.content().epsilon), std::nullopt);
}

}  // namespace vernier::study
