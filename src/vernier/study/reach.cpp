#include "vernier/study/reach.hpp"

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

constexpr int most_doublings = 60, most_halvings = 10, most_steps = 8;
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

  // Whether the targets alone are within the budget.
  Result<bool> fits(double accuracy) const {
    VERNIER_TRY(const Study asked, with(target_text(accuracy)));
    VERNIER_TRY(const auto beyond, beyond_budget(asked));
    return !beyond;
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

// Targets cost less the wider they are: doubled until they fit, then halved on the logarithm.
Result<std::optional<std::string>> best_target(const Text& study, const std::string& name, const Catalog& catalog,
                                               std::string_view statistic, std::string_view column) {
  VERNIER_TRY(const Study first, Study::of(name, study, catalog));
  const std::optional<double> wanted = asked_accuracy(first, statistic, column);
  if (!wanted) return std::nullopt;
  const Asked asked(study, name, catalog, statistic, column);
  double low = *wanted, high = *wanted;
  for (int i = 0;; ++i) {
    VERNIER_TRY(const bool fits, asked.fits(high));
    if (fits) break;
    if (i == most_doublings) return std::nullopt;
    low = high;
    high *= 2;
  }
  for (int i = 0; i < most_halvings && high / low > fine; ++i) {
    const double middle = std::sqrt(low * high);
    VERNIER_TRY(const bool fits, asked.fits(middle));
    (fits ? high : low) = middle;
  }
  for (int i = 0; i < most_steps; ++i) {
    const std::string text = target_text(high * std::pow(1.02, i));
    if (asked.can_be_planned(text)) return text;
  }
  return std::nullopt;
}

}  // namespace vernier::study
