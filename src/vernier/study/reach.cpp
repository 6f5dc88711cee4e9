#include "vernier/study/reach.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/needed.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/study/edit.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::study {
namespace {

constexpr int most_doublings = 60, most_cuts = 10, most_steps = 8;
constexpr double fine = 1.002;  // within so much three digits say no more

// The study with this target, and what may be asked of it.
class Asked {
 public:
  Asked(const Text& study, const std::string& name, const Catalog& catalog, std::string_view statistic,
        std::string_view column)
      : study_(study), name_(name), catalog_(catalog), statistic_(statistic), column_(column) {}

  Result<Study> with(const std::string& accuracy) const {
    VERNIER_TRY(std::string text, with_target(study_, statistic_, column_, accuracy));
    return Study::of(name_, Text{study_.path, std::move(text)}, catalog_);
  }

  // What the targets alone need over what there is: they fit where it is at most 1.
  Result<double> need(double accuracy) const {
    VERNIER_TRY(const Study asked, with(target_text(accuracy)));
    VERNIER_TRY(const std::optional<plan::Needed> needed, plan::needed(asked.bound));
    return needed ? needed->epsilon / plan::ceiling_of(asked.bound) : 0.0;
  }

  bool can_be_planned(const std::string& accuracy) const {
    return with(accuracy).and_then([](const Study& asked) { return asked.plan(); }).has_value();
  }

 private:
  const Text& study_;
  const std::string& name_;
  const Catalog& catalog_;
  std::string_view statistic_, column_;
};

std::optional<double> asked_accuracy(const Study& study, std::string_view statistic, std::string_view column) {
  for (const query::Statistic& one : study.question.statistics) {
    if (one.name != statistic) continue;
    for (const query::Target& target : one.accuracy) {
      if (fold_case(target.column) == fold_case(column)) return nearest(target.accuracy);
    }
  }
  return std::nullopt;
}

// An accuracy, and what it needs over what there is.
struct Tried {
  double accuracy, need;
};

// Where the line through both on logarithms meets 1, and a little beyond it on the side that was not met last, so that
// two good guesses close the bracket.
double between(const Tried& low, const Tried& high, bool has_fitted) {
  const double over = std::log(low.need), under = high.need > 0 ? -std::log(high.need) : over;
  const double part = std::clamp(over / (over + under), 0.02, 0.98);
  const double guess = low.accuracy * std::pow(high.accuracy / low.accuracy, part);
  const double nudged = has_fitted ? guess / std::sqrt(fine) : guess * std::sqrt(fine);
  return nudged > low.accuracy && nudged < high.accuracy ? nudged : std::sqrt(low.accuracy * high.accuracy);
}

// The least accuracy whose targets fit, nearly: wider until they do, then from both sides.
Result<std::optional<double>> least_that_fits(const Asked& asked, double wanted) {
  VERNIER_TRY(const double first, asked.need(wanted));
  Tried low{wanted, first}, high = low;
  for (int i = 0; high.need > 1; ++i) {
    if (i == most_doublings) return std::nullopt;
    low = high;
    high.accuracy *= std::clamp(low.need, 2.0, 1000.0);
    VERNIER_TRY(high.need, asked.need(high.accuracy));
  }
  bool has_fitted = false;
  for (int i = 0; i < most_cuts && high.accuracy / low.accuracy > fine; ++i) {
    const double accuracy = between(low, high, has_fitted);
    VERNIER_TRY(const double need, asked.need(accuracy));
    has_fitted = need <= 1;
    (has_fitted ? high : low) = {accuracy, need};
  }
  return high.accuracy;
}

}  // namespace

std::string target_text(double accuracy) {
  if (accuracy >= 1000) return fmt::format("{:.0f}", std::ceil(accuracy));
  return rounded_up_text(accuracy, 3);
}

Result<std::optional<BeyondBudget>> beyond_budget(const Study& study) {
  VERNIER_TRY(const std::optional<plan::Needed> needed, plan::needed(study.bound));
  if (!needed || needed->epsilon <= plan::ceiling_of(study.bound)) return std::nullopt;
  VERNIER_TRY(const privacy::Delta delta, plan::delta_of(study.bound));
  const plan::BoundStatistic& statistic = study.bound.statistics[needed->statistic];
  return BeyondBudget{needed->epsilon, delta.value(), statistic.name,
                      plan::column_of(statistic, statistic.measurements[needed->measurement])};
}

double sufficient_epsilon(const Text& study, const std::string& name, const Catalog& catalog,
                          const BeyondBudget& beyond) {
  for (const double more : {1.0, 1.001, 1.003, 1.006}) {
    const double epsilon = beyond.epsilon * more;
    const auto planned = with_budget(study, rounded_up_text(epsilon, 12), std::nullopt)
                             .and_then([&](const std::string& text) {
                               return Study::of(name, Text{study.path, text}, catalog);
                             })
                             .and_then([](const Study& asked) { return asked.plan(); });
    if (planned) return epsilon;
  }
  return beyond.epsilon;
}

Result<std::optional<std::string>> best_target(const Text& study, const std::string& name, const Catalog& catalog,
                                               std::string_view statistic, std::string_view column) {
  VERNIER_TRY(const Study first, Study::of(name, study, catalog));
  const std::optional<double> wanted = asked_accuracy(first, statistic, column);
  if (!wanted) return std::nullopt;
  const Asked asked(study, name, catalog, statistic, column);
  VERNIER_TRY(const std::optional<double> least, least_that_fits(asked, *wanted));
  if (!least) return std::nullopt;
  for (int i = 0; i < most_steps; ++i) {
    const std::string text = target_text(*least * std::pow(1.02, i));
    if (asked.can_be_planned(text)) return text;
  }
  return std::nullopt;
}

}  // namespace vernier::study
