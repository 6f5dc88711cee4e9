#include <algorithm>

#include "vernier/core/names.hpp"
#include "vernier/plan/bind/bind.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;
using query::Aggregation;
using query::Expression;
using query::Operation;

// What the bounds of its argument change.
bool depends_on_bounds(const Aggregation& one) {
  const auto can_be_moved = [](const std::optional<Expression>& x) { return x && !clampable(*x).empty(); };
  const bool is_changed = facts_of(one.aggregate).needs_bounds && one.aggregate != Aggregate::regression_count;
  return is_changed && (can_be_moved(one.argument) || can_be_moved(one.other) ||
                        std::any_of(one.more.begin(), one.more.end(), can_be_moved));
}

// What is looked at: of a pair both, of a regression all, by way of their sum.
Result<Expression> watched(const Aggregation& one) {
  if (!one.other) return *one.argument;
  Result<Expression> sum = apply(Operation::add, {*one.argument, *one.other});
  for (const Expression& x : one.more) {
    if (sum) sum = apply(Operation::add, {*sum, x});
  }
  return sum;
}

// CASE WHEN IS_CLAMPED(x) THEN 1 ELSE NULL END
Result<Expression> one_where_clamped(const Aggregation& of) {
  const Result<Expression> moved =
      watched(of).and_then([](const Expression& x) { return apply(Operation::is_clamped, {x}); });
  if (!moved) return moved;
  return apply(Operation::case_when, {*moved, query::literal(std::int64_t{1}), query::null_of(query::Type::integer)});
}

bool counts(const Aggregation& one, const Expression& x) {
  return one.aggregate == Aggregate::count && one.argument == x;
}

const Aggregation* find_count(const query::Query& query, const Expression& x) {
  const auto found = std::find_if(query.aggregations.begin(), query.aggregations.end(),
                                  [&](const Aggregation& one) { return counts(one, x); });
  return found == query.aggregations.end() ? nullptr : &*found;
}

bool is_taken(const query::Query& query, const std::string& name) {
  const auto has_name = [&](const auto& one) { return fold_case(one.name) == fold_case(name); };
  return std::any_of(query.keys.begin(), query.keys.end(), has_name) ||
         std::any_of(query.aggregations.begin(), query.aggregations.end(), has_name);
}

Result<void> ask_count(query::Query& query, const Aggregation& of) {
  const Result<Expression> counted = one_where_clamped(of);
  if (!counted) return invalid(after("cannot count what was moved to a bound: ", counted.error()));
  if (find_count(query, *counted) != nullptr) return {};
  const std::string name = of.name + "_clamped";
  if (is_taken(query, name)) {
    return invalid("would publish two columns '" + name + "', one of them for clamped_share; name its own otherwise");
  }
  if (const auto fault = fault_of_name(name)) {
    return invalid("would publish a column '" + name + "' for clamped_share, but " + *fault + "; name the column '" +
                   of.name + "' otherwise");
  }
  query.outputs.push_back({false, query.aggregations.size()});
  query.aggregations.push_back({Aggregate::count, *counted, name});
  return {};
}

}  // namespace

Result<void> ask_clamped_counts(query::Query& query) {
  const std::vector<Aggregation> asked = query.aggregations;
  if (std::none_of(asked.begin(), asked.end(), depends_on_bounds)) {
    return invalid("asks for clamped_share, but nothing in it can be moved to a bound; leave it out");
  }
  for (const Aggregation& one : asked) {
    if (!depends_on_bounds(one)) continue;
    if (const Result<void> done = ask_count(query, one); !done) return done;
  }
  return {};
}

void name_clamped_counts(BoundStatistic& statistic) {
  for (Measurement& one : statistic.measurements) {
    if (!one.aggregation) continue;
    const Aggregation& of = statistic.query.aggregations[*one.aggregation];
    if (!depends_on_bounds(of)) continue;
    const Result<Expression> counted = one_where_clamped(of);
    const Aggregation* const count = counted ? find_count(statistic.query, *counted) : nullptr;
    if (count != nullptr) one.clamped_count = count->name;
  }
}

bool counts_clamped(const BoundStatistic& statistic, const Measurement& measurement) {
  if (!measurement.aggregation) return false;
  const std::string& name = statistic.query.aggregations[*measurement.aggregation].name;
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                     [&](const Measurement& other) { return other.clamped_count == name; });
}

}  // namespace vernier::plan
