#include "cli/release/report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/bounds/bounds.hpp"
#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/value.hpp"
#include "vernier/release/record/release_json.hpp"

namespace vernier::cli {
namespace {

void write_range(JsonWriter& json, const BoundsAnswer& answer) {
  const query::Range range = plan::range_of(answer.question.grid, *answer.kept);
  json.key("lower");
  query::write_value(json, range.lower);
  json.key("upper");
  query::write_value(json, range.upper);
  json.member("below_at_most", answer.found.below_at_most);
  json.member("above_at_most", answer.found.above_at_most);
  json.member("share_outside_at_most", answer.found.share_outside_at_most());
  json.member("line", std::string_view(catalog_line(answer.question.column, range)));
}

void write_no_range(JsonWriter& json) {
  for (const char* const name : {"lower", "upper", "below_at_most", "above_at_most", "share_outside_at_most", "line"}) {
    json.key(name);
    json.null();
  }
}

void write_buckets(JsonWriter& json, const BoundsAnswer& answer) {
  const std::vector<std::int64_t> counts = study::noisy_counts(answer.release);
  json.key("buckets");
  json.begin_array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json.begin_object();
    json.key("lower");
    query::write_value(json, answer.question.grid.buckets[i].lower);
    json.key("upper");
    query::write_value(json, answer.question.grid.buckets[i].upper);
    json.member("noisy", counts[i]);
    json.end_object();
  }
  json.end_array();
}

// What the ledger took, and what of it was paid once for the conversion.
void write_taken(JsonWriter& json, const release::Release& release) {
  const Result<ledger::Rules> rules = ledger::rules_of(release.terms);
  if (!rules) return;  // they were made when it was reserved
  const ledger::Offer& taken = release.taken;
  json.member("epsilon", rules->quanta.epsilon(taken.cost.epsilon).round_up());
  json.member("delta", rules->quanta.delta(taken.cost.delta).round_up());
  json.member("once_epsilon", rules->quanta.epsilon(taken.opening.epsilon).round_up());
  json.member("once_delta", rules->quanta.delta(taken.opening.delta).round_up());
}

}  // namespace

std::string catalog_line(const query::Column& column, const query::Range& range) {
  return toml_key(column.name) + " = " + plan::declaration(column, range);
}

void write_bounds_json(Output& output, const BoundsAnswer& answer) {
  const plan::Plan& plan = answer.release.plan;
  JsonWriter json(output);
  json.begin_object();
  json.member("table", std::string_view(answer.question.table.name));
  json.member("column", std::string_view(answer.question.column.name));
  json.key("found");
  json.boolean(answer.kept.has_value());
  answer.kept ? write_range(json, answer) : write_no_range(json);
  json.member("values_at_least", answer.found.total_at_least);
  json.member("values_at_most", answer.found.total_at_most);
  json.member("confidence", release::confidence_of(answer.study.question.alpha));
  json.member("epsilon", plan.epsilon);
  json.member("delta", plan.delta.value());
  json.member("release", std::string_view(answer.release.id));
  json.key("ledger");
  json.begin_object();
  json.member("index", answer.release.receipt.index);
  json.member("head", std::string_view(answer.release.receipt.head));
  write_taken(json, answer.release);
  json.end_object();
  write_buckets(json, answer);
  json.end_object();
  output.write("\n");
}

namespace {

std::string shown(const query::Value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return text::grouped(*whole);
  const auto* const real = std::get_if<double>(&value);
  if (real != nullptr && std::abs(*real) < 1e15 && *real == std::floor(*real)) return text::grouped(*real, 0);
  return query::text_of(value);
}

std::string percent_up(double share) { return text::grouped_up(share * 100 * (1 + 1e-15)) + " %"; }

// What is counted: values, or units where these have many.
std::string counted(const BoundsAnswer& answer) {
  const plan::BoundStatistic& statistic = answer.release.plan.study.statistics.front();
  if (!statistic.table.unit) return "of the values that are not NULL";
  const plan::Contribution counts = statistic.contribution;
  if (counts.max_groups == 1 && counts.max_rows == 1) return "of the units, each with one of its values";
  return fmt::format("of the values that count (of a unit at most {} in each of at most {} buckets)",
                     text::grouped(counts.max_rows), text::grouped(counts.max_groups));
}

void write_found(Output& output, const BoundsAnswer& answer) {
  const auto& [question, study, release, kept, found] = answer;
  const query::Range range = plan::range_of(question.grid, *kept);
  const bool has_more = !question.column.keys.empty() || !question.column.labels.empty();
  output.write(fmt::format("{}.{} from {} to {}\n\n  {}\n\n", one_line(question.table.name),
                           one_line(question.column.name), shown(range.lower), shown(range.upper),
                           one_line(catalog_line(question.column, range))));
  output.write(fmt::format(
      "nothing was changed: if this makes sense to you too, write the line into {}, below [tables.{}.columns]{}\n",
      one_line(study.bound.catalog.path.string()), one_line(question.table.name),
      has_more ? ", with the keys and labels that are there" : ""));
  if (found.share_outside_at_most() < 1) {
    output.write(fmt::format("outside lie at most {} {}: at most {} below and {} above; they will count as the bound\n",
                             percent_up(found.share_outside_at_most()), counted(answer),
                             text::grouped(found.below_at_most), text::grouped(found.above_at_most)));
  } else {
    output.write(fmt::format(
        "how much lies outside is not known: up to {} below and {} above; a larger epsilon, or wide bounds in the "
        "catalog to search within, would tell\n",
        text::grouped(found.below_at_most), text::grouped(found.above_at_most)));
  }
}

void write_nothing_found(Output& output, const BoundsAnswer& answer) {
  output.write(fmt::format(
      "no bounds found for {}.{}: no range of values stands out of the noise\n"
      "it has at most {} values, or they are spread too thinly; take bounds from the codebook, ask with a larger "
      "epsilon, or declare wide bounds to search within\n",
      one_line(answer.question.table.name), one_line(answer.question.column.name),
      text::grouped(answer.found.total_at_most)));
}

}  // namespace

void write_bounds_report(Output& output, const BoundsAnswer& answer) {
  answer.kept ? write_found(output, answer) : write_nothing_found(output, answer);
  const plan::Plan& plan = answer.release.plan;
  output.write(
      fmt::format("this holds with probability {}; it was made from {} noisy counts\n"
                  "epsilon {}, delta {}, by {}; entry {} of the ledger\n",
                  text::confidence_text(nearest(answer.study.question.alpha)), answer.question.grid.buckets.size(),
                  rounded_up_text(plan.epsilon), rounded_up_text(plan.delta.value()), accounting::name_of(plan.method),
                  answer.release.receipt.index));
  write_took(output, answer.release);
}

}  // namespace vernier::cli
