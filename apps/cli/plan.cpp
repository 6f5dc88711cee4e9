#include "cli/plan.hpp"

#include "cli/plan_answer.hpp"
#include "cli/publish.hpp"
#include "cli/sweep.hpp"

namespace vernier::cli {
namespace {

constexpr long long most_points = 100;

std::vector<double> accuracies_of(const plan::Plan& plan) {
  std::vector<double> accuracies;
  for (const plan::PlannedStatistic& statistic : plan.statistics) {
    for (const plan::PlannedNoise& noise : statistic.noise) accuracies.push_back(noise.accuracy);
  }
  return accuracies;
}

Result<std::vector<WhatIf>> what_if(const plan::BoundStudy& bound, const Sweep& sweep) {
  std::vector<WhatIf> points;
  for (const Decimal& point : sweep.points) {
    const Result<privacy::Epsilon> epsilon = rounded_down<privacy::Epsilon>(point);
    if (!epsilon) return Failure(epsilon.error());
    const Result<plan::Plan> plan = plan::allocate_at(bound, *epsilon);
    if (!plan) return Failure(plan.error());
    points.push_back({point.nearest, accuracies_of(*plan)});
  }
  return points;
}

Result<std::vector<WhatIf>> asked_what_if(const Arguments& arguments, const plan::BoundStudy& bound) {
  if (!arguments.has("--what-if")) return std::vector<WhatIf>();
  const Result<Sweep> sweep = read_sweep(arguments.one("--what-if"), {"epsilon"}, "--what-if", most_points);
  if (!sweep) return Failure(sweep.error());
  return what_if(bound, *sweep);
}

Result<PlanAnswer> answer_to(const Arguments& arguments) {
  Result<AskedStudy> asked = read_asked_study(arguments.subject);
  if (!asked) return Failure(asked.error());
  Result<std::vector<WhatIf>> points = asked_what_if(arguments, asked->bound);
  if (!points) return Failure(points.error());
  Result<plan::Plan> plan = plan::allocate(asked->bound);
  if (!plan) return Failure(plan.error());
  Result<LedgerState> ledger = ledger_state(asked->bound.catalog, *plan, asker_of(arguments).analyst);
  if (!ledger) return Failure(ledger.error());
  return PlanAnswer{*std::move(asked), *std::move(plan), *std::move(ledger), *std::move(points)};
}

}  // namespace

Usage plan_usage() {
  return {.name = "plan",
          .summary = "what a study will cost and how accurate it will be; reads no data, spends nothing",
          .synopsis = "vernier plan STUDY.toml [--what-if epsilon=FIRST:LAST:POINTS] [--analyst NAME] [--json]",
          .subject = "STUDY.toml",
          .subject_help = "the study, which names its catalog",
          .options = {{"--what-if", Takes::one_value, "epsilon=FIRST:LAST:POINTS",
                       "how the accuracies would move with another total epsilon"},
                      {"--analyst", Takes::one_value, "NAME", "whose share of the budget would pay"}},
          .example =
              "  vernier plan study.toml\n"
              "  vernier plan study.toml --what-if epsilon=0.5:3:6\n"};
}

Result<void> run_plan(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) return invalid("the study is missing; write for example 'vernier plan study.toml'");
  const Result<PlanAnswer> answer = answer_to(arguments);
  if (!answer) return Failure(answer.error());
  arguments.has("--json") ? write_plan_json(output, *answer) : write_plan_report(output, *answer);
  return {};
}

}  // namespace vernier::cli
