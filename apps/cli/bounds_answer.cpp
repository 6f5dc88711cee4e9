#include "cli/bounds_answer.hpp"

#include "cli/catalog_skeleton.hpp"
#include "cli/json_values.hpp"
#include "vernier/release/release_json.hpp"

namespace vernier::cli {
namespace {

std::vector<std::int64_t> noisy_counts(const release::Release& release) {
  std::vector<std::int64_t> counts;
  for (const release::Row& row : release.tables.front().rows) counts.push_back(row.noisy.front());
  return counts;
}

void write_range(JsonWriter& json, const BoundsAnswer& answer) {
  const query::Range range = plan::range_of(answer.question.grid, *answer.kept);
  json.key("lower");
  write_value(json, range.lower);
  json.key("upper");
  write_value(json, range.upper);
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
  const std::vector<std::int64_t> counts = noisy_counts(answer.release);
  json.key("buckets");
  json.begin_array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json.begin_object();
    json.key("lower");
    write_value(json, answer.question.grid.buckets[i].lower);
    json.key("upper");
    write_value(json, answer.question.grid.buckets[i].upper);
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

BoundsAnswer bounds_answer(const BoundsQuestion& question, const AskedStudy& asked, const release::Release& release) {
  const std::vector<std::int64_t> counts = noisy_counts(release);
  const plan::AdditiveLaw law = plan::additive(release.plan.statistics.front().noise.front().law).value();  // a count's
  const interval::RangeMargins margins = std::visit(
      [&](const auto& one) { return interval::range_margins(counts.size(), one, release.plan.study.alpha); }, law);
  const std::optional<interval::BinRange> bins = interval::occupied_bins(counts, margins);
  if (!bins) {
    return {question, asked, release, {}, interval::statement_about({0, counts.size() - 1}, counts, margins)};
  }
  const plan::BucketRange kept = plan::rounded_outward(question.grid, {bins->first, bins->last});
  return {question, asked, release, kept, interval::statement_about({kept.first, kept.last}, counts, margins)};
}

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
  json.member("confidence", release::confidence_of(answer.asked.study.alpha));
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

}  // namespace vernier::cli
