#include "vernier/study/limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/core/names.hpp"
#include "vernier/interval/rows/occupied_range.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/study/bounds.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::study {
namespace {

using query::quoted_identifier;

constexpr std::int64_t greatest_edge = 1'000'000;

// Numbers that people write.
std::vector<std::int64_t> edges_up_to(std::int64_t greatest) {
  std::vector<std::int64_t> edges = {1, 2, 3, 5, 7};
  for (std::int64_t power = 10; power <= greatest; power *= 10) {
    for (const std::int64_t halves : {2, 3, 4, 6, 10, 14}) {
      if (power * halves / 2 <= greatest) edges.push_back(power * halves / 2);
    }
  }
  return edges;
}

// Of an inner statement; no other name of it.
std::string name_of_count(const query::Table& table) {
  return fold_case(*table.unit) == "rows_of_unit" ? "rows_of_one" : "rows_of_unit";
}

std::string statement(const LimitsQuestion& question) {
  const std::string unit = quoted_identifier(*question.table.unit), count = name_of_count(question.table);
  std::string sql = "SELECT CASE";
  for (std::size_t i = 0; i < question.edges.size(); ++i) {
    sql.append(" WHEN ").append(count).append(" <= ").append(std::to_string(question.edges[i]));
    sql.append(" THEN ").append(std::to_string(i));
  }
  sql.append(" ELSE ")
      .append(std::to_string(question.edges.size()))
      .append(" END AS bucket, COUNT(*) AS n FROM (SELECT ");
  return sql + unit + ", COUNT(*) AS " + count + " FROM " + quoted_identifier(question.table.name) + " GROUP BY " +
         unit + ") GROUP BY 1";
}

// About how many rows the units of a bucket have, each.
double middle_of(const std::vector<std::int64_t>& edges, std::size_t bucket) {
  const auto least = static_cast<double>(bucket == 0 ? 1 : edges[bucket - 1] + 1);
  return bucket == edges.size() ? 2 * least : (least + static_cast<double>(edges[bucket])) / 2;
}

interval::RangeMargins margins_of(const release::Release& release, std::size_t buckets) {
  const plan::AdditiveLaw law = plan::additive(release.plan.statistics.front().noise.front().law).value();  // a count's
  return std::visit([&](const auto& one) { return interval::range_margins(buckets, one, release.plan.study.alpha); },
                    law);
}

// Of COUNT(*), as a plan of it says.
Result<double> margin_at(const Catalog& catalog, const LimitsQuestion& question, std::int64_t max_rows,
                         const numeric::Rational& epsilon, const numeric::Rational& alpha) {
  Question asked{.query = {}, .sql = "SELECT COUNT(*) AS n FROM " + quoted_identifier(question.table.name)};
  VERNIER_TRY(asked.query, catalog.parse(asked.sql));
  asked.budget = query::StudyBudget{epsilon, numeric::Rational::of(0)};
  asked.alpha = alpha;
  asked.max_rows = max_rows;
  asked.max_groups = 1;
  VERNIER_TRY(const Study study, Study::of("limits", asked, catalog));
  VERNIER_TRY(const Plan plan, study.plan());
  return plan.content().statistics.front().noise.front().accuracy;
}

// Of the buckets in which there are units, as far as the noise lets them be seen.
double rows_beyond(const LimitsQuestion& question, const std::vector<std::int64_t>& counts, std::size_t end,
                   double most) {
  double rows = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const auto units = static_cast<double>(std::max<std::int64_t>(0, counts[i]));
    rows += units * std::max(0.0, middle_of(question.edges, i) - most);
  }
  return rows;
}

}  // namespace

std::optional<LimitsQuestion> LimitsQuestion::of(const Catalog& catalog, const std::string& table) {
  for (const query::Table& one : catalog.content().tables) {
    if (fold_case(one.name) == fold_case(table))
      return LimitsQuestion{one, edges_up_to(std::min(greatest_edge, one.row_limit))};
  }
  return std::nullopt;
}

Result<Study> LimitsQuestion::study(const Catalog& catalog, Question terms) const {
  if (!table.unit) {
    return invalid(
        "every row of the table '" + table.name + "' is a unit of its own, so that nothing limits how many count",
        "name a column, such as " + table.name + "." + table.columns.front().name + ", to find its bounds");
  }
  terms.sql = statement(*this);
  VERNIER_TRY(terms.query, catalog.parse(terms.sql));
  terms.name = "limits";
  return Study::of("limits of " + table.name, terms, catalog);
}

Result<LimitsAnswer> limits_answer(const LimitsQuestion& question, const Catalog& catalog, const Study& study,
                                   const release::Release& release, const numeric::Rational& at) {
  const std::vector<std::int64_t> counts = noisy_counts(release);
  const interval::RangeMargins margins = margins_of(release, counts.size());
  const auto about = [&](std::size_t last) { return interval::statement_about({0, last}, counts, margins); };
  const interval::RangeStatement all = about(counts.size() - 1);
  LimitsAnswer answer{question, 0, all.total_at_least, all.total_at_most, {}, {}};
  const std::optional<interval::BinRange> seen = interval::occupied_bins(counts, margins);
  if (!seen) return answer;
  const std::size_t end = seen->last + 1;
  answer.total_rows = rows_beyond(question, counts, end, 0);
  // No more units have more rows than a greater limit than have more than a smaller one; all statements hold together.
  std::int64_t more = std::numeric_limits<std::int64_t>::max();
  double share = 1;
  for (std::size_t i = 0; i < std::min(end, question.edges.size()); ++i) {
    const interval::RangeStatement found = about(i);
    more = std::min(more, found.above_at_most);
    share = std::min(share, found.share_outside_at_most());
    const std::int64_t edge = question.edges[i];
    VERNIER_TRY(const double margin, margin_at(catalog, question, edge, at, study.question.alpha));
    answer.limits.push_back({edge, more, share, rows_beyond(question, counts, end, static_cast<double>(edge)), margin});
  }
  const auto worth = [](const Limit& one, const Limit& other) {
    return one.cut_off + one.margin < other.cut_off + other.margin;
  };
  const auto best = std::min_element(answer.limits.begin(), answer.limits.end(), worth);
  answer.best = static_cast<std::size_t>(best - answer.limits.begin());
  return answer;
}

}  // namespace vernier::study
