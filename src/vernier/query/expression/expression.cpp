#include "vernier/query/expression/expression.hpp"

#include <algorithm>

#include "vernier/query/dialect/like.hpp"
#include "vernier/query/expression/moment.hpp"
#include "vernier/query/expression/node.hpp"
#include "vernier/query/value.hpp"
#include "vernier/query/written_value.hpp"

namespace vernier::query {
namespace {

// Text that stands among dates: a literal is read as a date, once and for all rows.
Result<Expression> as_date(const Expression& x) {
  if (x.operation() != Operation::literal) {
    return invalid("a date and a string do not go together", "write CAST(... AS DATE) around the string");
  }
  const std::optional<Day> day = written_day(std::get<std::string>(x.value()));
  if (!day) return invalid("text beside a date must be a day such as '2020-02-29'");
  return literal(*day);
}

Result<Expression> as_type(const Expression& x, Type type) {
  if (is_null_literal(x)) return null_of(type);
  if (x.type() == type) return x;
  const bool is_truth = x.type() == Type::boolean;
  if (is_truth && is_number(type) && x.operation() == Operation::literal) {
    return as_type(literal(std::int64_t{std::get<bool>(x.value())}), type);
  }
  if ((is_number(x.type()) || is_truth) && is_number(type)) return cast(x, type);
  if (x.type() == Type::string && type == Type::date) return as_date(x);
  return invalid(a(type) + " and " + a(x.type()) + " do not go together", "CAST one of them");
}

// Integers give way to reals, truths to numbers (as 1 and 0), and text to dates.
Type common_type(const std::vector<Expression>& operands) {
  std::optional<Type> type;
  for (const Expression& x : operands) {
    if (is_null_literal(x)) continue;
    const bool gives_way =
        type && ((*type == Type::integer && x.type() == Type::real) ||
                 (*type == Type::boolean && is_number(x.type())) || (*type == Type::string && x.type() == Type::date));
    if (!type || gives_way) type = x.type();
  }
  return type.value_or(Type::integer);
}

}  // namespace

namespace {

std::size_t copies_in_cast(Type from, Type to) {
  if (from == Type::real && to == Type::integer) return 8;
  if (to == Type::string) return 1;
  if (from != Type::string) return 3;
  return to == Type::date ? 11 : 8;
}

// Where a chain of searches stands for it, each names the text.
std::size_t copies_in_like(const Expression& pattern) {
  const LikePattern like = like_pattern(std::get<std::string>(pattern.value()));
  return like.has_any() && like.has_one() ? like.pieces.size() + 5 : 1;
}

}  // namespace

namespace {

// By a whole number that is written out, and not 0, 64 bits are divided as they are.
bool is_by_number(const Expression::Node& node) {
  const Expression& divisor = node.operands.back();
  const auto* const number =
      divisor.operation() == Operation::literal ? std::get_if<std::int64_t>(&divisor.value()) : nullptr;
  const auto* const first = std::get_if<IntegerSpan>(&node.operands.front().span());
  return number != nullptr && *number > 0 && first != nullptr && is_narrow(*first) && first->lower > INT64_MIN;
}

}  // namespace

std::size_t copies(const Expression::Node& node, std::size_t operand) {
  using enum Operation;
  const std::size_t guards = node.guarded ? 2 : 1;
  const bool is_real = node.type == Type::real;
  switch (node.operation) {
    case clamp:
      return 3;
    case Operation::cast:
      return copies_in_cast(node.operands.front().type(), node.type);
    case floor:
    case ceil:
      return 3;
    case round:
      return 6;
    case like:
      return copies_in_like(node.operands.back());
    case concatenate:  // what is put together of more is put together at once, with the parts of each once
      return node.operands[operand].operation() == concatenate ? 1 : 2;
    case multiply:
      return is_real ? 2 * guards : 1;
    case bucket:
      return is_real ? 32 * guards : 2;
    case add_days:
      return node.guarded ? 3 : 1;
    case sine:
    case cosine:
    case replaced:
      return 2;
    case square_root:
    case logarithm:
    case logarithm_ten:
      return 4;
    case exponential:
      return 6;
    case read_instant:
      return 24;
    case divide:
    case divide_truncated:
      if (is_by_number(node)) return 1;
      return (operand == 0 ? 2 : 4) * guards;
    case Operation::remainder:
      return is_by_number(node) ? 1 : 2;
    case null_if:
    case absolute:
      return 2;
    default:
      return guards;
  }
}

Result<Expression> finished(Expression::Node node) {
  std::size_t weight = 0;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    weight += copies(node, i) * node.operands[i].weight();
    node.depth = std::max(node.depth, node.operands[i].depth() + 1);
  }
  node.weight += weight;
  if (node.weight > greatest_weight || node.depth > greatest_depth) {
    return invalid("the expression is nested too deeply", "write a shorter one, with CLAMP around its inner parts");
  }
  return Expression(std::make_shared<Expression::Node>(std::move(node)));
}

bool any_nullable(const std::vector<Expression>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Expression& x) { return x.nullable(); });
}

bool all_bounded(const std::vector<Expression>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Expression& x) { return x.bounded(); });
}

std::string a(Type type) { return (type == Type::integer ? "an " : "a ") + std::string(name_of(type)); }

Result<std::vector<Expression>> unified(std::vector<Expression> operands) {
  const Type type = common_type(operands);
  for (Expression& x : operands) {
    VERNIER_TRY(const Expression same, as_type(x, type));
    x = same;
  }
  return operands;
}

namespace {

template <class T>
const T& detail_of(const Expression::Node& node) {
  return std::get<T>(node.detail);
}

Span span_of(const Range& range) {
  if (const auto* const lower = std::get_if<std::int64_t>(&range.lower)) {
    return IntegerSpan{*lower, std::get<std::int64_t>(range.upper)};
  }
  if (const auto* const lower = std::get_if<double>(&range.lower)) {
    return RealSpan{*lower, std::get<double>(range.upper)};
  }
  return DaySpan{std::get<Day>(range.lower), std::get<Day>(range.upper)};
}

// The span that holds this value alone.
Span point(const Value& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return IntegerSpan{*number, *number};
  if (const auto* const number = std::get_if<double>(&value)) return RealSpan{*number, *number};
  if (const auto* const day = std::get_if<Day>(&value)) return DaySpan{*day, *day};
  return std::monostate{};
}

constexpr std::size_t leaf_weight = 5;  // a bounded real column is named five times

bool has_operands(Operation operation, std::size_t count) {
  using enum Operation;
  switch (operation) {
    case negate:
    case absolute:
    case floor:
    case ceil:
    case round:
    case is_null:
    case is_clamped:
    case logical_not:
    case lower_case:
    case upper_case:
    case trim:
    case trim_left:
    case trim_right:
    case length:
    case square_root:
    case logarithm:
    case logarithm_ten:
    case exponential:
    case sine:
    case cosine:
    case read_instant:
    case instant:
    case elapsed:
      return count == 1;
    case between:
    case clamp:
    case text_part:
    case replaced:
      return count == 3;
    case in:
    case logical_and:
    case logical_or:
      return count >= 2;
    case case_when:
      return count >= 3 && count % 2 == 1;
    case coalesce:
      return count >= 1;
    default:
      return count == 2;
  }
}

}  // namespace

Operation Expression::operation() const { return node_->operation; }
Type Expression::type() const { return node_->type; }
const Span& Expression::span() const { return node_->span; }
bool Expression::nullable() const { return node_->nullable; }
bool Expression::bounded() const { return node_->bounded; }
bool Expression::guarded() const { return node_->guarded; }
const std::vector<Expression>& Expression::operands() const { return node_->operands; }
const std::string& Expression::column_name() const { return detail_of<std::string>(*node_); }
const Value& Expression::value() const { return detail_of<Value>(*node_); }
DatePart Expression::part() const { return detail_of<DatePart>(*node_); }
std::size_t Expression::weight() const { return node_->weight; }
std::size_t Expression::depth() const { return node_->depth; }

bool operator==(const Expression& a, const Expression& b) {
  if (a.node_ == b.node_) return true;
  const Expression::Node& x = *a.node_;
  const Expression::Node& y = *b.node_;
  return x.operation == y.operation && x.type == y.type && x.detail == y.detail && x.span == y.span &&
         x.operands == y.operands;
}

std::string_view name_of(DatePart part) {
  switch (part) {
    case DatePart::year:
      return "year";
    case DatePart::quarter:
      return "quarter";
    case DatePart::month:
      return "month";
    case DatePart::week:
      return "week";
    case DatePart::day:
      return "day";
    case DatePart::day_of_week:
      return "dow";
    case DatePart::iso_day_of_week:
      return "isodow";
    case DatePart::day_of_year:
      return "doy";
  }
  return "";
}

Expression column(const Column& column) {
  return Expression(std::make_shared<Expression::Node>(Expression::Node{
      .operation = Operation::column,
      .type = column.type,
      .span = column.range ? span_of(*column.range) : widest(column.type),
      .bounded = column.range.has_value() || column.type == Type::boolean,
      .detail = column.name,
      .weight = leaf_weight,
  }));
}

Expression literal(Value value) {
  const Type type = type_of(value);
  Span span = point(value);
  return Expression(std::make_shared<Expression::Node>(Expression::Node{
      .operation = Operation::literal, .type = type, .span = span, .nullable = false, .detail = std::move(value)}));
}

Expression null_of(Type type) {
  return Expression(std::make_shared<Expression::Node>(
      Expression::Node{.operation = Operation::null, .type = type, .span = widest(type)}));
}

Result<Expression> apply(Operation operation, std::vector<Expression> operands) {
  using enum Operation;
  if (!has_operands(operation, operands.size())) return invalid("this operation takes another number of operands");
  if (std::any_of(operands.begin(), operands.end(), is_moment)) return of_moments(operation, std::move(operands));
  switch (operation) {
    case add:
    case subtract:
    case multiply:
    case divide:
    case divide_truncated:
    case Operation::remainder:
    case negate:
    case absolute:
      return arithmetic(operation, std::move(operands));
    case floor:
    case ceil:
    case round:
      return rounding(operation, std::move(operands));
    case equal:
    case not_equal:
    case less:
    case less_equal:
    case greater:
    case greater_equal:
    case between:
    case in:
      return comparison(operation, std::move(operands));
    case is_null:
    case logical_and:
    case logical_or:
    case logical_not:
      return logic(operation, std::move(operands));
    case is_clamped:
      return was_clamped(std::move(operands));
    case case_when:
    case coalesce:
    case null_if:
      return choice(operation, std::move(operands));
    case clamp:
      return clamped(std::move(operands));
    case bucket:
      return bucketed(std::move(operands));
    case lower_case:
    case upper_case:
    case trim:
    case trim_left:
    case trim_right:
    case length:
    case text_part:
    case concatenate:
    case like:
      return of_text(operation, std::move(operands));
    case days_between:
      return days_apart(std::move(operands));
    case add_days:
      return days_later(std::move(operands));
    case square_root:
    case logarithm:
    case logarithm_ten:
    case exponential:
    case sine:
    case cosine:
      return of_real(operation, operands.front());
    case place_in_text:
      return place_of_part(std::move(operands));
    case replaced:
      return with_part_replaced(std::move(operands));
    case read_instant:
    case instant:
    case elapsed:
      return as_moment(operation, operands.front());
    case Operation::column:
    case Operation::literal:
    case Operation::null:
    case Operation::cast:
    case Operation::date_part:
      break;
  }
  return invalid("this operation has a function of its own");
}

}  // namespace vernier::query
