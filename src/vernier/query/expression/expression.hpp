#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/span.hpp"

// The algebra that SQL is translated into: a small set of total functions. Whatever stands in a row, each of them has a
// value of its type within its span, or NULL; none of them can fail (sql.md).
namespace vernier::query {

enum class Operation : std::uint8_t {
  column,
  literal,
  null,
  add,
  subtract,
  multiply,
  divide,            // of reals; by zero: NULL
  divide_truncated,  // of integers, toward zero; by zero: NULL
  remainder,         // of integers, with the sign of the first
  negate,
  absolute,
  floor,
  ceil,
  round,  // to the nearest whole number, halves up
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  between,      // x, lower, upper
  in,           // x, then the values
  is_null,      // never NULL itself
  is_clamped,   // whether x has a value, and anything in it was moved to a bound; never NULL itself
  logical_and,  // the three-valued logic of SQL
  logical_or,
  logical_not,
  case_when,  // condition, value, condition, value, ..., value
  coalesce,
  null_if,
  cast,       // to type(); what cannot be cast: NULL
  clamp,      // x, lower, upper: literals
  bucket,     // x, width, a literal: the greatest multiple of the width, as it is rounded, that is not above x
  date_part,  // of a date; part() says which
  // Of texts, by their characters. Letters of ASCII alone have another case, and blanks alone are trimmed.
  lower_case,
  upper_case,
  trim,  // of blanks at both ends
  trim_left,
  trim_right,
  length,
  text_part,     // x, the place of the first character from 1 on, how many: literals
  concatenate,   // of two texts; NULL where one is, or where both are longer than longest_text
  like,          // x, pattern, a literal without an escape: % stands for any text, _ for one character
  days_between,  // the second date less the first
  add_days,      // a date and a whole number of days behind it; beyond 0001-01-01 to 9999-12-31: NULL
  // Of reals; NULL where there is none within 1e150.
  square_root,
  logarithm,
  logarithm_ten,
  exponential,
  sine,
  cosine,
  // Of texts.
  place_in_text,  // x, part, a literal: the first character at which it begins, from 1 on; 0 where it is nowhere
  replaced,       // x, part, what stands for it: literals, of which the second has no more bytes
  // Times are whole numbers of microseconds, and these say so of one (moment.hpp).
  read_instant,  // of a text: from 1970-01-01 00:00:00 on; NULL where it is no time of the years 1 to 9999
  instant,       // a time, as so many microseconds from 1970-01-01 00:00:00 on
  elapsed,       // a time that went by
};

enum class DatePart : std::uint8_t { year, quarter, month, week, day, day_of_week, iso_day_of_week, day_of_year };

// As SQL names it: "dow".
std::string_view name_of(DatePart part);

// An expression over the columns of one table: typed, immutable, cheap to copy. The functions below are the only way to
// one, so that whoever holds one need not check it.
class Expression {
 public:
  struct Node;
  explicit Expression(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  Operation operation() const;
  Type type() const;
  const Span& span() const;
  bool nullable() const;  // whether it may be NULL

  // Whether the span follows from declared bounds, literals or CLAMP, and not from the type alone.
  bool bounded() const;

  // Of reals: whether a result that is not finite can come up, and is made NULL.
  bool guarded() const;

  const std::vector<Expression>& operands() const;
  const std::string& column_name() const;  // of a column
  const Value& value() const;              // of a literal
  DatePart part() const;                   // of a date part

  std::size_t weight() const;  // an upper bound on the places that its SQL has, copies of operands included
  std::size_t depth() const;

  friend bool operator==(const Expression& a, const Expression& b);  // the same tree

 private:
  std::shared_ptr<const Node> node_;
};

// Guards repeat their operand, so that nested ones grow quickly; beyond these an expression is refused.
inline constexpr std::size_t greatest_weight = 20000;
inline constexpr std::size_t greatest_depth = 100;

// A column: within its declared bounds, what lies outside moved to the nearer of them; NaN is NULL. Without bounds,
// infinite reals and days outside 0001-01-01 to 9999-12-31 are NULL.
Expression column(const Column& column);

Expression literal(Value value);  // reals are finite
Expression null_of(Type type);

// Any other operation over its operands, of which the sentence says what is wrong with them. Integers among reals are
// cast to real, text literals among dates to dates, and NULLs to what they stand among.
Result<Expression> apply(Operation operation, std::vector<Expression> operands);

// What stands in x and can be moved to a bound, each once: columns with declared bounds, and CLAMP.
std::vector<Expression> clampable(const Expression& x);

// Patterns of LIKE may have so many bytes.
inline constexpr std::size_t longest_pattern = 1000;

Result<Expression> cast(const Expression& x, Type type);
Result<Expression> date_part(DatePart part, const Expression& x);

}  // namespace vernier::query
