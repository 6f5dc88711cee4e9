#include "vernier/release/derived/formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/interval/arithmetic.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/release/derived/derived.hpp"

namespace vernier::release {
namespace {

using interval::Known;
using query::FormulaOperation;
using query::FormulaStep;

constexpr double not_defined = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

// A number of the formula: what it comes out as, and what is known of the exact one. NaN: it is not defined.
struct Made {
  double value;
  Known known;
};

Made of_number(const Number& number) {
  const bool is_whole = number.is_whole && number.covers == interval::Covers::bounded_value;
  return {number.value, {number.interval.low, number.interval.high, is_whole, number.may_be_empty}};
}

double truth(bool holds) { return holds ? 1 : 0; }

// SQL's arithmetic of what was published, with NaN for NULL.
double value_of(FormulaOperation operation, const std::vector<Made>& x) {
  using enum FormulaOperation;
  const auto at = [&](std::size_t place) { return x[place].value; };
  const auto any = [&] {
    return std::any_of(x.begin(), x.end(), [](const Made& one) { return std::isnan(one.value); });
  };
  switch (operation) {
    case coalesce:
      return std::isnan(at(0)) ? at(1) : at(0);
    case least:
      return std::fmin(at(0), at(1));
    case greatest:
      return std::fmax(at(0), at(1));
    case is_null:
      return truth(std::isnan(at(0)));
    case choose:
      return at(0) == 1 ? at(1) : at(2);
    case null_if:
      return at(0) == at(1) ? not_defined : at(0);
    case logical_and:
      if (at(0) == 0 || at(1) == 0) return 0;
      return any() ? not_defined : 1;
    case logical_or:
      if (at(0) == 1 || at(1) == 1) return 1;
      return any() ? not_defined : 0;
    default:
      break;
  }
  if (any()) return not_defined;
  switch (operation) {
    case add:
      return at(0) + at(1);
    case subtract:
      return at(0) - at(1);
    case multiply:
      return at(0) * at(1);
    case divide:
      return at(1) == 0 ? not_defined : at(0) / at(1);
    case divide_truncated:
      return at(1) == 0 ? not_defined : std::trunc(at(0) / at(1));
    case negate:
      return -at(0);
    case absolute:
      return std::abs(at(0));
    case FormulaOperation::floor:
      return std::floor(at(0));
    case FormulaOperation::ceil:
      return std::ceil(at(0));
    case FormulaOperation::round:
      return interval::rounded_at(at(0), static_cast<int>(at(1)));
    case truncate:
      return std::trunc(at(0));
    case square_root:
      return at(0) < 0 ? not_defined : std::sqrt(at(0));
    case exponential:
      return std::exp(at(0));
    case logarithm:
      return at(0) <= 0 ? not_defined : std::log(at(0));
    case logarithm_10:
      return at(0) <= 0 ? not_defined : std::log10(at(0));
    case logarithm_2:
      return at(0) <= 0 ? not_defined : std::log2(at(0));
    case power:
      return std::pow(at(0), at(1));
    case equal:
      return truth(at(0) == at(1));
    case not_equal:
      return truth(at(0) != at(1));
    case less:
      return truth(at(0) < at(1));
    case less_equal:
      return truth(at(0) <= at(1));
    case greater:
      return truth(at(0) > at(1));
    case greater_equal:
      return truth(at(0) >= at(1));
    case logical_not:
      return truth(at(0) == 0);
    default:
      return not_defined;
  }
}

Known known_of(FormulaOperation operation, const std::vector<Made>& x) {
  using enum FormulaOperation;
  const auto at = [&](std::size_t place) -> const Known& { return x[place].known; };
  switch (operation) {
    case add:
      return interval::add(at(0), at(1));
    case subtract:
      return interval::subtract(at(0), at(1));
    case multiply:
      return interval::multiply(at(0), at(1));
    case divide:
      return interval::divide(at(0), at(1));
    case divide_truncated:
      return interval::divide_truncated(at(0), at(1));
    case negate:
      return interval::negate(at(0));
    case absolute:
      return interval::absolute(at(0));
    case FormulaOperation::floor:
      return interval::floor(at(0));
    case FormulaOperation::ceil:
      return interval::ceil(at(0));
    case FormulaOperation::round:
      return interval::round(at(0), static_cast<int>(x[1].value));
    case truncate:
      return interval::truncate(at(0));
    case square_root:
      return interval::square_root(at(0));
    case exponential:
      return interval::exponential(at(0));
    case logarithm:
      return interval::logarithm(at(0));
    case logarithm_10:
      return interval::logarithm(at(0), 10);
    case logarithm_2:
      return interval::logarithm(at(0), 2);
    case power:
      return interval::power(at(0), x[1].value);
    case least:
      return interval::least(at(0), at(1));
    case greatest:
      return interval::greatest(at(0), at(1));
    case coalesce:
      return interval::coalesce(at(0), at(1));
    case null_if:
      return interval::null_if(at(0), at(1));
    case equal:
      return interval::equal(at(0), at(1));
    case not_equal:
      return interval::logical_not(interval::equal(at(0), at(1)));
    case less:
      return interval::less(at(0), at(1));
    case less_equal:
      return interval::less_equal(at(0), at(1));
    case greater:
      return interval::less(at(1), at(0));
    case greater_equal:
      return interval::less_equal(at(1), at(0));
    case logical_and:
      return interval::logical_and(at(0), at(1));
    case logical_or:
      return interval::logical_or(at(0), at(1));
    case logical_not:
      return interval::logical_not(at(0));
    case is_null:
      return interval::is_null(at(0));
    case choose:
      return interval::choose(at(0), at(1), at(2));
    default:
      return interval::nothing_but_undefined();
  }
}

Made made_by(const query::Formula& formula, const std::vector<const Number*>& parts) {
  std::vector<Made> left;
  for (const FormulaStep& step : formula.steps) {
    if (step.operation == FormulaOperation::number) {
      left.push_back({step.number, interval::exactly(step.number)});
    } else if (step.operation == FormulaOperation::column) {
      left.push_back(of_number(*parts[step.column]));
    } else {
      const auto first = left.end() - static_cast<std::ptrdiff_t>(query::facts_of(step.operation).operands);
      const std::vector<Made> operands(first, left.end());
      left.erase(first, left.end());
      const double value = value_of(step.operation, operands);
      left.push_back({std::isinf(value) ? not_defined : value, known_of(step.operation, operands)});
    }
  }
  return left.back();
}

// What has no value is told as the number of its interval that is nearest to 0, and says nothing.
double shown_value(const Made& made) {
  if (!std::isnan(made.value)) return made.value;
  if (made.known.low > made.known.high) return 0;
  return std::clamp(0.0, made.known.low, made.known.high);
}

interval::Status status_of(const query::Formula& formula, const std::vector<const Number*>& parts) {
  const auto columns = formula.columns();
  const bool is_proven = std::all_of(columns.begin(), columns.end(), [&](std::size_t column) {
    return parts[column]->coverage == interval::Status::proven;
  });
  return is_proven ? interval::Status::proven : interval::Status::tested;
}

bool any_informative(const query::Formula& formula, const std::vector<const Number*>& parts) {
  const auto columns = formula.columns();
  return columns.empty() ||
         std::any_of(columns.begin(), columns.end(), [&](std::size_t column) { return parts[column]->informative; });
}

}  // namespace

Number evaluated(const query::Formula& formula, const std::vector<const Number*>& parts) {
  const Made made = made_by(formula, parts);
  const bool is_empty = made.known.low > made.known.high;
  const double value = shown_value(made);
  const interval::Interval interval =
      is_empty ? interval::Interval{-infinite, infinite}
               : interval::Interval{std::min(made.known.low, value), std::max(made.known.high, value)};
  const double accuracy = std::max(value - interval.low, interval.high - value);
  const bool is_bounded = std::isfinite(interval.low) || std::isfinite(interval.high);
  const auto columns = formula.columns();
  const bool is_whole = made.known.is_whole && !is_empty && std::abs(value) < 0x1p53 && std::isfinite(accuracy);
  return {.value = value,
          .accuracy = std::isfinite(accuracy) && !is_whole ? std::nextafter(accuracy, infinite) : accuracy,
          .interval = interval,
          .is_whole = is_whole,
          .coverage = status_of(formula, parts),
          .covers = columns.empty() ? interval::Covers::bounded_value : parts[columns.front()]->covers,
          .informative = is_bounded && !std::isnan(made.value) && any_informative(formula, parts),
          .may_be_empty = made.known.may_be_undefined};
}

Result<Formulas> Formulas::of(const plan::Plan& plan, std::size_t place) {
  Formulas made(plan, place);
  const plan::BoundStatistic& statistic = made.statistic();
  const std::int64_t groups = plan::planned_groups(statistic);
  for (const query::Formula& formula : statistic.query.formulas) {
    std::vector<NumberMaker>& makers = made.makers_.emplace_back(statistic.query.aggregations.size());
    for (const std::size_t column : formula.columns()) {
      const std::size_t measurement = plan::measurement_of(statistic, column);
      VERNIER_TRY(const Alpha published, plan::level_of(statistic, measurement, plan.study.alpha, groups));
      VERNIER_TRY(const Alpha level, plan::level_of_part(statistic, formula, measurement, plan.study.alpha, groups));
      if (level.value() == published.value()) continue;
      VERNIER_TRY(makers[column], figure_maker(statistic, measurement, plan.statistics[place], level));
    }
  }
  return made;
}

Result<void> Formulas::add_number(const query::Formula& formula, const std::vector<NumberMaker>& makers,
                                  Row& row) const {
  std::vector<Number> widened = row.numbers;
  std::vector<const Number*> parts;
  for (std::size_t i = 0; i < row.numbers.size(); ++i) {
    if (makers[i]) {
      const NoisyColumn noisy = noisy_column(statistic(), plan::measurement_of(statistic(), i));
      VERNIER_TRY(widened[i], makers[i](noisy.of(row)));
    }
    parts.push_back(&widened[i]);
  }
  row.derived.push_back(evaluated(formula, parts));
  return {};
}

Result<void> Formulas::add_to(Table& table) const {
  const query::Query& query = statistic().query;
  for (Row& row : table.rows) {
    row.derived.clear();
    for (std::size_t i = 0; i < query.formulas.size(); ++i) {
      VERNIER_TRY(add_number(query.formulas[i], makers_[i], row));
    }
  }
  select_rows(query, table);
  return {};
}

namespace {

bool is_kept(const query::Query& query, const Row& row) {
  if (!query.having) return true;
  std::vector<const Number*> parts;
  for (const Number& one : row.numbers) parts.push_back(&one);
  return made_by(*query.having, parts).value == 1;
}

// Numbers that are not defined come last, in either order. No two rows are alike, so that whoever checks finds the same
// order.
bool comes_first(const query::Query& query, const Row& a, const Row& b) {
  for (const query::KeyOrder& by : query.order) {
    if (!by.number) {
      const query::Value &left = a.keys[by.key], &right = b.keys[by.key];
      if (left != right) return by.descending ? right < left : left < right;
      continue;
    }
    const Number &left = a.number(*by.number), &right = b.number(*by.number);
    if (left.informative != right.informative) return left.informative;
    if (left.value != right.value) return by.descending ? right.value < left.value : left.value < right.value;
  }
  return a.keys < b.keys;
}

}  // namespace

void select_rows(const query::Query& query, Table& table) {
  table.omitted = 0;
  const bool is_by_numbers =
      std::any_of(query.order.begin(), query.order.end(), [](const query::KeyOrder& by) { return by.number; });
  if (!query.has_selection() && !is_by_numbers) return;
  auto& rows = table.rows;
  if (!query.order.empty() || query.offset > 0) {
    std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return comes_first(query, a, b); });
  }
  auto end = std::stable_partition(rows.begin(), rows.end(), [&](const Row& row) { return is_kept(query, row); });
  const auto skipped = std::min<std::int64_t>(query.offset, end - rows.begin());
  std::rotate(rows.begin(), rows.begin() + skipped, end);
  end -= skipped;
  if (query.limit && *query.limit < end - rows.begin()) end = rows.begin() + *query.limit;
  table.omitted = static_cast<std::size_t>(rows.end() - end);
}

}  // namespace vernier::release
