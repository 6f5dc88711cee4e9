#include <cmath>

#include <fmt/format.h>

#include "cli/bounds_answer.hpp"
#include "cli/errors.hpp"
#include "cli/grouped_text.hpp"
#include "cli/release_report.hpp"
#include "cli/rounded_text.hpp"

namespace vernier::cli {
namespace {

std::string shown(const query::Value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return grouped(*whole);
  const auto* const real = std::get_if<double>(&value);
  if (real != nullptr && std::abs(*real) < 1e15 && *real == std::floor(*real)) return grouped(*real, 0);
  return query::text_of(value);
}

std::string percent_up(double share) { return grouped_up(share * 100 * (1 + 1e-15)) + " %"; }

// What is counted: values, or units where these have many.
std::string counted(const BoundsAnswer& answer) {
  const plan::BoundStatistic& statistic = answer.release.plan.study.statistics.front();
  if (!statistic.table.unit) return "of the values that are not NULL";
  const plan::Contribution counts = statistic.contribution;
  if (counts.max_groups == 1 && counts.max_rows == 1) return "of the units, each with one of its values";
  return fmt::format("of the values that count (of a unit at most {} in each of at most {} buckets)",
                     grouped(counts.max_rows), grouped(counts.max_groups));
}

void write_found(Output& output, const BoundsAnswer& answer) {
  const auto& [question, asked, release, kept, found] = answer;
  const query::Range range = plan::range_of(question.grid, *kept);
  const bool has_more = !question.column.keys.empty() || !question.column.labels.empty();
  output.write(fmt::format("{}.{} from {} to {}\n\n  {}\n\n", one_line(question.table.name),
                           one_line(question.column.name), shown(range.lower), shown(range.upper),
                           one_line(catalog_line(question.column, range))));
  output.write(fmt::format(
      "nothing was changed: if this makes sense to you too, write the line into {}, below [tables.{}.columns]{}\n",
      one_line(asked.bound.catalog.path.string()), one_line(question.table.name),
      has_more ? ", with the keys and labels that are there" : ""));
  if (found.share_outside_at_most() < 1) {
    output.write(fmt::format("outside lie at most {} {}: at most {} below and {} above; they will count as the bound\n",
                             percent_up(found.share_outside_at_most()), counted(answer), grouped(found.below_at_most),
                             grouped(found.above_at_most)));
  } else {
    output.write(fmt::format(
        "how much lies outside is not known: up to {} below and {} above; a larger epsilon, or wide bounds in the "
        "catalog to search within, would tell\n",
        grouped(found.below_at_most), grouped(found.above_at_most)));
  }
}

void write_nothing_found(Output& output, const BoundsAnswer& answer) {
  output.write(fmt::format(
      "no bounds found for {}.{}: no range of values stands out of the noise\n"
      "it has at most {} values, or they are spread too thinly; take bounds from the codebook, ask with a larger "
      "epsilon, or declare wide bounds to search within\n",
      one_line(answer.question.table.name), one_line(answer.question.column.name),
      grouped(answer.found.total_at_most)));
}

}  // namespace

void write_bounds_report(Output& output, const BoundsAnswer& answer) {
  answer.kept ? write_found(output, answer) : write_nothing_found(output, answer);
  const plan::Plan& plan = answer.release.plan;
  output.write(
      fmt::format("this holds with probability {}; it was made from {} noisy counts\n"
                  "epsilon {}, delta {}, by {}; entry {} of the ledger\n",
                  confidence_text(nearest(answer.asked.study.alpha)), answer.question.grid.buckets.size(),
                  rounded_up_text(plan.epsilon), rounded_up_text(plan.delta.value()), accounting::name_of(plan.method),
                  answer.release.receipt.index));
  write_took(output, answer.release);
}

}  // namespace vernier::cli
