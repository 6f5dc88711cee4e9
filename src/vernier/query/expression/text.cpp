#include <algorithm>

#include "vernier/query/expression/node.hpp"
#include "vernier/query/expression/text_sql.hpp"
#include "vernier/query/value.hpp"

// Functions of texts. None of them can fail, and each gives the same on every engine: characters are code points, the
// case of letters is that of ASCII, and a pattern has no escape.
namespace vernier::query {
namespace {

constexpr std::int64_t greatest_place = 1'000'000'000;  // of a character

// Of what makes a text: with greatest_weight it bounds how many of them a row has at once.
constexpr std::size_t weight_of_text = 50;

Result<void> check_texts(const std::vector<Expression>& operands, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (operands[i].type() == Type::string || is_null_literal(operands[i])) continue;
    return invalid("a text is needed here, and this is " + a(operands[i].type()),
                   "write CAST(... AS VARCHAR) around it");
  }
  return {};
}

const std::int64_t* whole(const Expression& x) {
  if (x.operation() != Operation::literal) return nullptr;
  return std::get_if<std::int64_t>(&x.value());
}

Result<void> check_part(const std::vector<Expression>& operands) {
  const std::int64_t *const first = whole(operands[1]), *const count = whole(operands[2]);
  const bool is_good = first != nullptr && count != nullptr && *first >= 1 && *first <= greatest_place && *count >= 0 &&
                       *count <= greatest_place;
  if (is_good) return {};
  return invalid("SUBSTRING takes the place of its first character, from 1 on, and how many there are, as numbers",
                 "write SUBSTRING(x, 1, 3)");
}

Result<void> check_pattern(const Expression& pattern) {
  const auto* const text =
      pattern.operation() == Operation::literal ? std::get_if<std::string>(&pattern.value()) : nullptr;
  if (text == nullptr) return invalid("the pattern of LIKE is a text in quotes", "write x LIKE 'a%'");
  if (text->size() > longest_pattern) return invalid("the pattern of LIKE has more than 1000 bytes");
  return {};
}

Type type_of_result(Operation operation) {
  if (operation == Operation::length) return Type::integer;
  return operation == Operation::like ? Type::boolean : Type::string;
}

}  // namespace

Result<Expression> of_text(Operation operation, std::vector<Expression> operands) {
  const bool has_numbers = operation == Operation::text_part;
  VERNIER_TRY(check_texts(operands, has_numbers ? 1 : operands.size()));
  if (has_numbers) {
    VERNIER_TRY(check_part(operands));
  }
  if (operation == Operation::like) {
    VERNIER_TRY(check_pattern(operands[1]));
  }
  const Type type = type_of_result(operation);
  const bool is_nullable = any_nullable(operands) || operation == Operation::concatenate;
  Span span = type == Type::integer ? Span(IntegerSpan{0, longest_text}) : widest(type);
  return finished({.operation = operation,
                   .type = type,
                   .span = span,
                   .nullable = is_nullable,
                   .bounded = type == Type::boolean,
                   .operands = std::move(operands),
                   .weight = type == Type::string ? weight_of_text : 3});
}

namespace {

const std::string* text_literal(const Expression& x) {
  return x.operation() == Operation::literal ? std::get_if<std::string>(&x.value()) : nullptr;
}

}  // namespace

Result<Expression> place_of_part(std::vector<Expression> operands) {
  VERNIER_TRY(check_texts(operands, operands.size()));
  const std::string* const part = text_literal(operands[1]);
  if (part == nullptr || part->empty())
    return invalid("the part that is looked for is a text in quotes", "write STRPOS(x, 'a')");
  const bool is_nullable = operands.front().nullable();
  return finished({.operation = Operation::place_in_text,
                   .type = Type::integer,
                   .span = IntegerSpan{0, longest_text},
                   .nullable = is_nullable,
                   .bounded = false,
                   .operands = std::move(operands),
                   .weight = 3});
}

// A text gets no longer, so that what a row can make of its texts stays bounded.
Result<Expression> with_part_replaced(std::vector<Expression> operands) {
  VERNIER_TRY(check_texts(operands, operands.size()));
  const std::string *const part = text_literal(operands[1]), *const by = text_literal(operands[2]);
  if (part == nullptr || by == nullptr || part->empty() || by->size() > part->size()) {
    return invalid("REPLACE takes two texts in quotes, of which the second is no longer than the first",
                   "write REPLACE(x, 'a', '')");
  }
  const bool is_nullable = operands.front().nullable();
  return finished({.operation = Operation::replaced,
                   .type = Type::string,
                   .span = widest(Type::string),
                   .nullable = is_nullable,
                   .bounded = false,
                   .operands = std::move(operands),
                   .weight = weight_of_text});
}

// Both days lie in 0001 to 9999, so that their difference has few digits.
Result<Expression> days_apart(std::vector<Expression> operands) {
  VERNIER_TRY(std::vector<Expression> dates, unified(std::move(operands)));
  for (const Expression& x : dates) {
    if (x.type() != Type::date) return invalid("a difference of days is of two dates, and this is " + a(x.type()));
  }
  const DaySpan first = std::get<DaySpan>(dates[0].span()), second = std::get<DaySpan>(dates[1].span());
  const IntegerSpan span{Int128{second.lower.number} - first.upper.number,
                         Int128{second.upper.number} - first.lower.number};
  const bool is_nullable = any_nullable(dates), is_bounded = all_bounded(dates);
  return finished({.operation = Operation::days_between,
                   .type = Type::integer,
                   .span = span,
                   .nullable = is_nullable,
                   .bounded = is_bounded,
                   .operands = std::move(dates),
                   .weight = 3});
}

Result<Expression> days_later(std::vector<Expression> operands) {
  const Expression date = operands.front(), days = operands.back();
  if (date.type() != Type::date || days.type() != Type::integer || is_null_literal(date) || is_null_literal(days)) {
    return invalid("a date moves by a whole number of days, and this has " +
                   a(date.type() == Type::date ? days.type() : date.type()));
  }
  const DaySpan from = std::get<DaySpan>(date.span());
  const IntegerSpan by = integers(days);
  const Int128 lower = from.lower.number + by.lower, upper = from.upper.number + by.upper;
  const auto day = [](Int128 number) {
    return Day{static_cast<std::int32_t>(std::clamp<Int128>(number, first_day.number, last_day.number))};
  };
  const bool fits = lower >= first_day.number && upper <= last_day.number;
  return finished({.operation = Operation::add_days,
                   .type = Type::date,
                   .span = DaySpan{day(lower), day(upper)},
                   .nullable = !fits || any_nullable(operands),
                   .bounded = fits && all_bounded(operands),
                   .guarded = !fits,
                   .operands = std::move(operands),
                   .weight = 6});
}

}  // namespace vernier::query
