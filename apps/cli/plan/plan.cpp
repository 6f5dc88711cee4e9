#include "cli/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/plan/series.hpp"
#include "cli/progress.hpp"
#include "cli/sweep.hpp"
#include "vernier/core/text.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

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

std::vector<numeric::Rational> exactly(const std::vector<Decimal>& points) {
  std::vector<numeric::Rational> values;
  for (const Decimal& point : points) {
    const auto value = numeric::Rational::of_decimal(shortest(point.nearest));
    if (value) values.push_back(*value);
  }
  return values;
}

Result<std::vector<WhatIf>> at_each(const study::Plan& plan, const Sweep& sweep) {
  return sweep.key == "epsilon" ? at_each(plan, sweep.points) : plan.at_other(sweep.key, exactly(sweep.points));
}

std::vector<WhatIf> ascending(std::vector<WhatIf> points) {
  std::sort(points.begin(), points.end(), [](const WhatIf& a, const WhatIf& b) { return a.epsilon < b.epsilon; });
  return points;
}

// Those of --what-if, or else a factor of five to either side of what the study costs.
Result<std::vector<WhatIf>> drawn_points(const PlanAnswer& answer, const Progress& progress) {
  if (answer.what_if.size() > 1 && answer.what_if.front().changed == "epsilon") return ascending(answer.what_if);
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
  VERNIER_TRY(const study::Study study, is_statement(arguments.subject)
                                            ? asked_statement(arguments, "plan")
                                            : study::Study::read(arguments.subject, catalog_rule(arguments)));
  const auto text_of = [&](const char* option) {
    return arguments.has(option) ? arguments.one(option) : std::string();
  };
  if (!arguments.has("--limits")) return plan_at(study, text_of("--analyst"), text_of("--what-if"), "--what-if");
  if (arguments.has("--what-if"))
    return invalid("--limits asks what another max_rows would mean, and --what-if something else; leave one out");
  VERNIER_TRY(PlanAnswer answer, plan_of(study, text_of("--analyst")));
  VERNIER_TRY(answer.cut_off, read_limits(arguments.one("--limits"), study));
  std::vector<numeric::Rational> limits;
  for (const CutOff& one : answer.cut_off) limits.push_back(numeric::Rational::of(one.max_rows));
  VERNIER_TRY(answer.what_if, answer.plan.at_other("max_rows", limits));
  return answer;
}

}  // namespace

Result<PlanAnswer> plan_of(const study::Study& study, const std::string& analyst, const std::vector<Decimal>& what_if) {
  VERNIER_TRY(study::Plan plan, study.plan());
  VERNIER_TRY(std::vector<WhatIf> points, at_each(plan, what_if));
  VERNIER_TRY(study::LedgerState ledger, plan.ledger(analyst));
  return PlanAnswer{std::move(plan), std::move(ledger), std::move(points), {}};
}

Result<PlanAnswer> plan_at(const study::Study& study, const std::string& analyst, const std::string& what_if,
                           const std::string& option) {
  VERNIER_TRY(PlanAnswer answer, plan_of(study, analyst));
  if (what_if.empty()) return answer;
  VERNIER_TRY(Sweep sweep, read_sweep(what_if, answer.plan.what_if_keys(), option, most_what_if_points));
  if (sweep.key == "max_rows") round_to_whole(sweep);
  VERNIER_TRY(answer.what_if, at_each(answer.plan, sweep));
  return answer;
}

Result<plot::Chart> drawn_plan(const PlanAnswer& answer, const Progress& progress) {
  return drawn_points(answer, progress).map([&](const std::vector<WhatIf>& points) {
    return plan_chart(answer, points);
  });
}

Usage plan_usage() {
  return {
      .name = "plan",
      .summary = "what a study will cost and how accurate it will be; reads no data, spends nothing",
      .synopsis =
          "vernier plan STUDY.toml [--catalog FILE] [--catalogs DIR] [--what-if KEY=FIRST:LAST:POINTS]\n"
          "               [--plot FILE.svg] [--analyst NAME] [--json]\n"
          "  vernier plan --catalog FILE \"SELECT ...\" [--epsilon E [--delta D]] [--accuracy A] [options of query]",
      .subject = "STUDY.toml",
      .subject_help = "the study, which names its catalog unless --catalog does; or one statement, in quotes",
      .options = with_study_catalog(
          with_statement({{"--what-if", Takes::one_value, "KEY=FIRST:LAST:POINTS",
                           "how the accuracies would move with another epsilon, delta or max_rows, or with another "
                           "accuracy of the column that KEY names"},
                          {"--limits", Takes::one_value, "limits.json",
                           "what each max_rows would cut off, as vernier bounds CATALOG TABLE --out DIR has found"},
                          {"--plot", Takes::one_value, "FILE.svg",
                           "draw accuracy against epsilon, column by column; of series at every step"},
                          {"--analyst", Takes::one_value, "NAME", "whose share of the budget would pay"}})),
      .example =
          "  vernier plan study.toml\n"
          "  vernier plan study.toml --what-if epsilon=0.5:3:6\n"
          "  vernier plan study.toml --what-if people=10:100:4\n"
          "  vernier plan study.toml --what-if max_rows=1:100:7\n"
          "  vernier plan study.toml --limits limits/limits.json\n"
          "  vernier plan study.toml --plot accuracy.svg\n"
          "  vernier plan study.toml --catalog /srv/census/catalog.toml\n"
          "  vernier plan --catalog catalog.toml \"SELECT COUNT(*) AS people FROM people\" --epsilon 0.1\n"};
}

Result<void> run_plan(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) return invalid("the study is missing; write for example 'vernier plan study.toml'");
  if (names_series(arguments.subject)) return run_series_plan(arguments, output);
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  VERNIER_TRY(const PlanAnswer answer, answer_to(arguments));
  if (Result<void> drawn = draw(plot, answer); !drawn) return drawn;
  arguments.has("--json") ? write_plan_json(output, answer) : write_plan_report(output, answer);
  return {};
}

}  // namespace vernier::cli
