#include "cli/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/sweep.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

constexpr long long most_points = 100;

// Rounded down, and named as they were written.
Result<std::vector<WhatIf>> at_each(const study::Plan& plan, const std::vector<Decimal>& points,
                                    const Progress& progress = nobody_watches) {
  std::vector<privacy::Epsilon> epsilons;
  for (const Decimal& point : points) {
    VERNIER_TRY(const privacy::Epsilon epsilon, rounded_down<privacy::Epsilon>(point));
    epsilons.push_back(epsilon);
  }
  VERNIER_TRY(std::vector<WhatIf> answers, plan.at(epsilons, progress));
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i].epsilon = points[i].nearest;
  return answers;
}

Result<std::vector<Decimal>> asked_what_if(const Arguments& arguments) {
  if (!arguments.has("--what-if")) return std::vector<Decimal>();
  return read_sweep(arguments.one("--what-if"), {"epsilon"}, "--what-if", most_points).map([](Sweep sweep) {
    return std::move(sweep.points);
  });
}

std::vector<WhatIf> ascending(std::vector<WhatIf> points) {
  std::sort(points.begin(), points.end(), [](const WhatIf& a, const WhatIf& b) { return a.epsilon < b.epsilon; });
  return points;
}

// Those of --what-if, or else a factor of five to either side of what the study costs.
Result<std::vector<WhatIf>> drawn_points(const PlanAnswer& answer, const Progress& progress) {
  if (answer.what_if.size() > 1) return ascending(answer.what_if);
  constexpr int steps = 10;
  constexpr double aside = 5;
  std::vector<Decimal> epsilons;
  for (int i = 0; i <= steps; ++i)
    epsilons.push_back(Decimal::exactly(answer.plan.content().epsilon * std::pow(aside, 2.0 * i / steps - 1)));
  return at_each(answer.plan, epsilons, progress);
}

Result<void> draw(const std::optional<std::string>& file, const PlanAnswer& answer) {
  if (!file) return {};
  ProgressBar bar(stderr, "drawing");
  return drawn_plan(answer, bar.shown()).and_then([&](const plot::Chart& chart) {
    return study::write_file(*file, plot::render(chart));
  });
}

Result<PlanAnswer> answer_to(const Arguments& arguments) {
  VERNIER_TRY(const study::Study study, study::Study::read(arguments.subject, catalog_rule(arguments)));
  VERNIER_TRY(const std::vector<Decimal> what_if, asked_what_if(arguments));
  return plan_of(study, arguments.has("--analyst") ? arguments.one("--analyst") : "", what_if);
}

}  // namespace

Result<PlanAnswer> plan_of(const study::Study& study, const std::string& analyst, const std::vector<Decimal>& what_if) {
  VERNIER_TRY(study::Plan plan, study.plan());
  VERNIER_TRY(std::vector<WhatIf> points, at_each(plan, what_if));
  VERNIER_TRY(study::LedgerState ledger, plan.ledger(analyst));
  return PlanAnswer{std::move(plan), std::move(ledger), std::move(points)};
}

Result<plot::Chart> drawn_plan(const PlanAnswer& answer, const Progress& progress) {
  return drawn_points(answer, progress).map([&](const std::vector<WhatIf>& points) {
    return plan_chart(answer, points);
  });
}

Usage plan_usage() {
  return {.name = "plan",
          .summary = "what a study will cost and how accurate it will be; reads no data, spends nothing",
          .synopsis =
              "vernier plan STUDY.toml [--catalog FILE] [--catalogs DIR] [--what-if epsilon=FIRST:LAST:POINTS]\n"
              "               [--plot FILE.svg] [--analyst NAME] [--json]",
          .subject = "STUDY.toml",
          .subject_help = "the study, which names its catalog unless --catalog does",
          .options = with_study_catalog(
              {{"--what-if", Takes::one_value, "epsilon=FIRST:LAST:POINTS",
                "how the accuracies would move with another total epsilon"},
               {"--plot", Takes::one_value, "FILE.svg", "draw accuracy against epsilon, column by column"},
               {"--analyst", Takes::one_value, "NAME", "whose share of the budget would pay"}}),
          .example =
              "  vernier plan study.toml\n"
              "  vernier plan study.toml --what-if epsilon=0.5:3:6\n"
              "  vernier plan study.toml --plot accuracy.svg\n"
              "  vernier plan study.toml --catalog /srv/census/catalog.toml\n"};
}

Result<void> run_plan(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) return invalid("the study is missing; write for example 'vernier plan study.toml'");
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  VERNIER_TRY(const PlanAnswer answer, answer_to(arguments));
  if (Result<void> drawn = draw(plot, answer); !drawn) return drawn;
  arguments.has("--json") ? write_plan_json(output, answer) : write_plan_report(output, answer);
  return {};
}

}  // namespace vernier::cli
