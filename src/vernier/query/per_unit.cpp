#include "vernier/query/per_unit.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::query {
namespace {

constexpr double most_bound = 0x1p53;  // of a column, in steps from 0
constexpr int fineness = 20;           // bounds of a real total lie on a grid that has 2^20 steps to the larger of them

Column key_column(const Key& key, const Table& rows) {
  Column made;
  const bool is_column = key.expression.operation() == Operation::column;
  if (const Column* const own = is_column ? rows.column(key.expression.column_name()) : nullptr) made = *own;
  made.name = key.name;
  made.type = key.expression.type();
  return made;
}

void bound_real(Column& column, RealSpan span) {
  const double size = std::max(std::abs(span.lower), std::abs(span.upper));
  column.granularity = size > 0 ? std::ldexp(1.0, std::max(std::ilogb(size) - fineness, -200)) : 1;
  const double lower = std::floor(span.lower / column.granularity) * column.granularity;
  const double upper = std::ceil(span.upper / column.granularity) * column.granularity;
  if (lower < upper) column.range = Range{lower, upper};
}

// Of AVG, MIN and MAX, which lie where the values do.
void bound(Column& column, const Expression& x) {
  if (!x.bounded()) return;
  if (const auto* const reals = std::get_if<RealSpan>(&x.span())) return bound_real(column, *reals);
  if (const auto* const days = std::get_if<DaySpan>(&x.span())) {
    if (days->lower < days->upper) column.range = Range{days->lower, days->upper};
    return;
  }
  const auto* const whole = std::get_if<IntegerSpan>(&x.span());
  if (whole == nullptr || !(whole->lower < whole->upper)) return;
  if (!is_narrow(*whole) || static_cast<double>(whole->lower) < -most_bound ||
      static_cast<double>(whole->upper) > most_bound)
    return;
  const auto lower = static_cast<std::int64_t>(whole->lower), upper = static_cast<std::int64_t>(whole->upper);
  if (column.type == Type::real) return bound_real(column, {static_cast<double>(lower), static_cast<double>(upper)});
  column.range = Range{lower, upper};
}

// Of what the rows of a unit can count and add up to, where the steward has said how many count.
void bound_total(Column& column, const Aggregation& total, std::int64_t rows) {
  if (total.aggregate != Aggregate::sum) {
    column.range = Range{std::int64_t{0}, rows};
    return;
  }
  if (!total.argument->bounded()) return;
  const auto times = static_cast<double>(rows);
  if (const auto* const reals = std::get_if<RealSpan>(&total.argument->span())) {
    const RealSpan span{times * std::min(reals->lower, 0.0), times * std::max(reals->upper, 0.0)};
    if (is_within_reals(span)) bound_real(column, span);
    return;
  }
  const auto& whole = std::get<IntegerSpan>(total.argument->span());
  const double lower = times * std::min(static_cast<double>(whole.lower), 0.0);
  const double upper = times * std::max(static_cast<double>(whole.upper), 0.0);
  if (lower < upper && lower >= -most_bound && upper <= most_bound) {
    column.range = Range{static_cast<std::int64_t>(lower), static_cast<std::int64_t>(upper)};
  }
}

Column total_column(const Aggregation& total, const std::optional<std::int64_t>& rows) {
  Column made;
  made.name = total.name;
  const bool is_count = total.aggregate != Aggregate::sum && total.aggregate != Aggregate::average &&
                        total.aggregate != Aggregate::least && total.aggregate != Aggregate::greatest;
  made.type = is_count ? Type::integer : total.argument->type();
  if (is_count || total.aggregate == Aggregate::sum) {
    if (rows) bound_total(made, total, *rows);
    return made;
  }
  if (total.aggregate == Aggregate::average) made.type = Type::real;
  bound(made, *total.argument);
  return made;
}

}  // namespace

bool can_be_total(Aggregate aggregate) {
  constexpr auto all = std::to_array({Aggregate::count_rows, Aggregate::count, Aggregate::count_distinct,
                                      Aggregate::sum, Aggregate::average, Aggregate::least, Aggregate::greatest});
  return std::find(all.begin(), all.end(), aggregate) != all.end();
}

Column made_column(const Key& key, const Table& rows) {
  Column made = key_column(key, rows);
  made.format = {};
  if (key.expression.operation() != Operation::column) bound(made, key.expression);
  return made;
}

Table per_unit_table(const PerUnit& asked, const Table& rows) {
  Table made = rows;
  made.columns.clear();
  made.expressions.clear();
  made.via.reset();
  made.weight.reset();
  made.sampled.reset();
  made.unit = asked.keys.front().name;
  for (const Key& key : asked.keys) made.columns.push_back(key_column(key, rows));
  for (const Aggregation& total : asked.totals) made.columns.push_back(total_column(total, rows.max_rows));
  return made;
}

}  // namespace vernier::query
