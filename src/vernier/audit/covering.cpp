#include "vernier/audit/covering.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "vernier/audit/finding.hpp"
#include "vernier/noise/level_sampler.hpp"

namespace vernier::audit {
namespace {

// The truths are computed in doubles.
constexpr double slack = 1e-9;

bool holds(const Published& interval, double truth) {
  return interval.low - slack <= truth && truth <= interval.high + slack;
}

double mean_of(const std::vector<std::int64_t>& values) {
  return static_cast<double>(std::accumulate(values.begin(), values.end(), std::int64_t{0})) /
         static_cast<double>(values.size());
}

double variance_of(const std::vector<std::int64_t>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const std::int64_t value : values) {
    const double far = static_cast<double>(value) - mean;
    squares += far * far;
  }
  return squares / static_cast<double>(values.size() - 1);
}

// The greatest coverage below the claim that so many intervals surely refute.
std::string caught_by(std::int64_t trials) {
  for (const double less : {0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2}) {
    const double truth = 1 - tried_alpha - less;
    if (is_surely_found(trials, 1 - tried_alpha, truth, each_level, missed)) {
      return "a coverage of " + percent_words(truth) + " in place of " + percent_words(1 - tried_alpha);
    }
  }
  return "nothing: too few intervals";
}

}  // namespace

// Ends of means and medians take longer to find.
std::vector<CoverageCase> coverage_cases() {
  return {{{"COUNT(*)", "SUM(x)"}, "COUNT(*) AS a, SUM(x) AS b", 10'000},
          {{"AVG(x)", "VARIANCE(x)"}, "AVG(x) AS a, VARIANCE(x) AS b", 2'000},
          {{"MEDIAN(x)"}, "MEDIAN(x) AS a", 4'000}};
}

Result<Sample> sample_of(std::size_t groups, random::Source& source) {
  Sample sample{{}, "id,g,x\n"};
  std::int64_t id = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<std::int64_t>& values = sample.groups.emplace_back();
    for (int row = 0; row < rows_of_group; ++row, ++id) {
      VERNIER_TRY(const auto value, noise::uniform_below(11, source.draws));
      values.push_back(static_cast<std::int64_t>(value));
      sample.csv += std::to_string(id) + "," + std::to_string(group) + "," + std::to_string(value) + "\n";
    }
  }
  return sample;
}

double truth_of(const std::string& claim, const std::vector<std::int64_t>& values) {
  if (claim == "COUNT(*)") return static_cast<double>(values.size());
  if (claim == "AVG(x)") return mean_of(values);
  if (claim == "VARIANCE(x)") return variance_of(values);
  if (claim == "SUM(x)") return mean_of(values) * static_cast<double>(values.size());
  std::vector<std::int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<double>(sorted[sorted.size() / 2]);
}

std::string coverage_catalog(std::size_t groups) {
  return "[budget]\nepsilon = 100\nledger = \"audit.ledger\"\n[tables.t]\nsource = \"t.csv\"\nunit = \"id\"\n"
         "[tables.t.columns]\nid = { type = \"integer\" }\ng = { type = \"integer\", lower = 0, upper = " +
         std::to_string(groups - 1) + " }\nx = { type = \"integer\", lower = 0, upper = 10 }\n";
}

std::vector<std::string> coverage_query(const CoverageCase& one) {
  return {"query",
          "--catalog",
          "catalog.toml",
          "SELECT BUCKET(g, 1) AS k, " + one.columns + " FROM t GROUP BY BUCKET(g, 1)",
          "--json",
          "--epsilon",
          "2",
          "--alpha",
          words_of(tried_alpha)};
}

Finding finding_on_coverage(std::string claim, Hits held) {
  const double level = chance_of_at_most(held, 1 - tried_alpha);
  const std::string caught = caught_by(held.trials);
  const Verdict unrefuted = caught.starts_with("nothing") ? Verdict::powerless : Verdict::stands;
  const double most = greatest_chance(held, each_level);
  return {.claim = "interval of " + std::move(claim),
          .trials = held.trials,
          .of = "intervals",
          .outcome = percent_words(static_cast<double>(held.hits) / static_cast<double>(held.trials)) +
                     " hold the exact number, " + percent_words(1 - tried_alpha) + " are claimed",
          .caught = caught,
          .verdict = level <= each_level ? Verdict::refuted : unrefuted,
          .claimed = 1 - tried_alpha,
          .found = most,
          .level = level};
}

Result<std::vector<Finding>> covered(const CoverageCase& one, const ReleaseSample& release, random::Source& source,
                                     const Timekeeper& time, Timekeeper::Clock::time_point end) {
  std::vector<Hits> held(one.claims.size(), Hits{0, 0});
  VERNIER_TRY(repeat_until(end, time, [&]() -> Result<void> {
    VERNIER_TRY(const Sample sample, sample_of(one.groups, source));
    VERNIER_TRY(const Released released, release(one, sample));
    if (released.groups.size() != one.groups) return fail(ErrorKind::system, "a release of the audit lacks groups");
    for (std::size_t i = 0; i < held.size(); ++i) {
      for (std::size_t group = 0; group < one.groups; ++group) {
        ++held[i].trials;
        const double truth = truth_of(one.claims[i], sample.groups[group]);
        held[i].hits += holds(released.groups[group].intervals[i], truth) ? 1 : 0;
      }
    }
    return {};
  }));
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < held.size(); ++i) findings.push_back(finding_on_coverage(one.claims[i], held[i]));
  return findings;
}

Result<Section> audited_coverage(const ReleaseSample& release, const Timekeeper& time, double part) {
  VERNIER_TRY(random::Source source, random::Source::open());
  Section section{.name = "coverage",
                  .title = "Intervals hold the exact number as often as they say",
                  .question =
                      "Tables whose exact numbers are known are released by the program, and the intervals that "
                      "hold them are counted."};
  const std::vector<CoverageCase> cases = coverage_cases();
  for (const CoverageCase& one : cases) {
    VERNIER_TRY(std::vector<Finding> findings,
                covered(one, release, source, time, time.end_of(part / static_cast<double>(cases.size()))));
    for (Finding& finding : findings) section.findings.push_back(std::move(finding));
  }
  return section;
}

}  // namespace vernier::audit
