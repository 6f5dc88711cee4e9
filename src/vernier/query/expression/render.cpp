#include "vernier/query/expression/render.hpp"

#include <algorithm>
#include <limits>

#include "vernier/query/expression/node.hpp"
#include "vernier/query/expression/possible_values.hpp"
#include "vernier/query/expression/real_function.hpp"
#include "vernier/query/expression/rounding.hpp"
#include "vernier/query/expression/signs.hpp"
#include "vernier/query/expression/text_sql.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::query {

std::string cast_to(std::string_view type, const std::string& x) {
  return "CAST(" + x + " AS " + std::string(type) + ")";
}

std::string when(const std::string& condition, const std::string& value) {
  return "CASE WHEN " + condition + " THEN " + value + " END";
}

namespace {

using Operands = std::vector<Expression>;

// x, or an end where x lies beyond it; NULL stays NULL.
std::string held_between(const std::string& x, const std::string& lower, const std::string& upper) {
  return "CASE WHEN " + x + " < " + lower + " THEN " + lower + " WHEN " + x + " > " + upper + " THEN " + upper +
         " ELSE " + x + " END";
}

// Expressions in one dialect.
class Renderer {
 public:
  explicit Renderer(const Dialect& dialect) : in_(dialect) {}

  std::string rendered(const Expression& x) const {
    using enum Operation;
    switch (x.operation()) {
      case Operation::column:
        return column_sql(x);
      case Operation::literal:
        return in_.constant(x.value());
      case Operation::null:
        return cast_to(in_.type(x.type()), "NULL");
      case add:
      case subtract:
        return binary(x);
      case multiply:
        return x.type() == Type::real ? product(x) : binary(x);
      case divide:
      case divide_truncated:
      case Operation::remainder:
        return division(x);
      case negate:
        return function(x, "(-", ")");
      case absolute:
        return function(x, "abs(", ")");
      case floor:
        return in_.floor(rendered(x.operands().front()));
      case ceil:
        return "(-" + in_.floor("(-" + rendered(x.operands().front()) + ")") + ")";
      case round:
        return nearest(rendered(x.operands().front()), in_);
      case logical_and:
      case logical_or:
        return logical_sql(x);
      case logical_not:
        return function(x, "(NOT ", ")");
      case is_null:
        return function(x, "(", " IS NULL)");
      case is_clamped:
        return clamped_sql(x);
      case case_when:
        return case_sql(x);
      case coalesce:
        return "COALESCE(" + joined(x.operands(), ", ", is_wide(x)) + ")";
      case null_if:
        return null_if_sql(x);
      case clamp:
        return clamp_sql(x);
      case bucket:
        return bucket_sql(x);
      case Operation::cast:
        return cast_sql(x);
      case Operation::date_part:
        return in_.date_part(x.part(), rendered(x.operands().front()));
      case lower_case:
        return recased(x, capitals, small);
      case upper_case:
        return recased(x, small, capitals);
      case trim:
        return trimmed(x, "BOTH");
      case trim_left:
        return trimmed(x, "LEADING");
      case trim_right:
        return trimmed(x, "TRAILING");
      case length:
        return cast_to("BIGINT", "length(" + rendered(x.operands().front()) + ")");
      case text_part:
        return in_.bytewise("substr(" + rendered(x.operands()[0]) + ", " + number_in(x.operands()[1]) + ", " +
                            number_in(x.operands()[2]) + ")");
      case concatenate:
        return concatenated(x);
      case like:
        return like_sql(x);
      case days_between:
        return cast_to("BIGINT", bracketed(in_.day_number(rendered(x.operands()[1])) + " - " +
                                           in_.day_number(rendered(x.operands()[0]))));
      case add_days:
        return later_day(x, rendered(x.operands()[0]), rendered(x.operands()[1]), in_);
      case square_root:
      case logarithm:
      case logarithm_ten:
      case exponential:
      case sine:
      case cosine:
        return real_function(x.operation(), factor(x.operands().front()), in_);
      case place_in_text:
        return cast_to("BIGINT", "position(" + in_.text(std::get<std::string>(x.operands()[1].value())) + " IN " +
                                     rendered(x.operands()[0]) + ")");
      case replaced:
        return in_.bytewise("replace(" + rendered(x.operands()[0]) + ", " + rendered(x.operands()[1]) + ", " +
                            rendered(x.operands()[2]) + ")");
      case read_instant:
        return instant_of_text(rendered(x.operands().front()), in_);
      case instant:
      case elapsed:
        return rendered(x.operands().front());
      default:
        return comparison_sql(x);
    }
  }

  // 0 where it is nearer to 0 than what counts.
  std::string factor(const Expression& x) const {
    const std::string value = rendered(x);
    if (!may_be_tiny(x)) return value;
    return "(CASE WHEN " + value + " BETWEEN " + constant(-least_real) + " AND " + constant(least_real) + " THEN " +
           constant(0.0) + " ELSE " + value + " END)";
  }

 private:
  std::string constant(Value value) const { return in_.constant(value); }
  std::string guarded_cast(std::string_view type, const std::string& x) const {
    return std::string(in_.guarded_cast()) + "(" + x + " AS " + std::string(type) + ")";
  }

  // ---- texts

  static constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", small = "abcdefghijklmnopqrstuvwxyz";

  std::string recased(const Expression& x, std::string_view from, std::string_view to) const {
    return in_.bytewise("translate(" + rendered(x.operands().front()) + ", '" + std::string(from) + "', '" +
                        std::string(to) + "')");
  }

  // Of blanks alone: what else is white space engines do not agree on.
  std::string trimmed(const Expression& x, std::string_view side) const {
    return in_.bytewise("trim(" + std::string(side) + " ' ' FROM " + rendered(x.operands().front()) + ")");
  }

  static std::string number_in(const Expression& x) { return std::to_string(std::get<std::int64_t>(x.value())); }

  static void add_parts(const Expression& x, Operands& parts) {
    if (x.operation() != Operation::concatenate) return parts.push_back(x);
    for (const Expression& operand : x.operands()) add_parts(operand, parts);
  }

  std::string concatenated(const Expression& x) const {
    Operands parts;
    add_parts(x, parts);
    std::vector<std::string> texts;
    for (const Expression& part : parts) texts.push_back(rendered(part));
    return put_together(texts, in_);
  }

  // A pattern without % or _ is a text, and one between two % a part; of all others the engine's dialect knows a way
  // whose time is bounded.
  std::string like_sql(const Expression& x) const {
    const std::string value = rendered(x.operands()[0]);
    const LikePattern pattern = like_pattern(std::get<std::string>(x.operands()[1].value()));
    const bool has_open_ends = pattern.first().empty() && pattern.last().empty();
    if (!pattern.has_one() && !pattern.has_any()) return bracketed(value + " = " + in_.text(pattern.first()));
    if (!pattern.has_one() && pattern.pieces.size() == 3 && has_open_ends) {
      return bracketed("position(" + in_.text(pattern.pieces[1]) + " IN " + value + ") > 0");
    }
    return in_.like(value, pattern);
  }

  // ---- casts: NULL where the value has no place in the type

  // Where it has 64 bits; 9223372036854774784 is the greatest double below 2^63.
  std::string whole_part(const Expression& x) const {
    const std::string value = rendered(x);
    const std::string whole = guarded_cast("BIGINT", nearest(value, in_));
    const RealSpan span = std::get<RealSpan>(x.span());
    if (span.lower >= -9223372036854774784.0 && span.upper <= 9223372036854774784.0) return whole;
    return when(value + " BETWEEN " + constant(-9223372036854774784.0) + " AND " + constant(9223372036854774784.0),
                whole);
  }

  std::string narrowed(const std::string& x) const {
    return when(x + " BETWEEN " + constant(INT64_MIN) + " AND " + constant(INT64_MAX), guarded_cast("BIGINT", x));
  }

  std::string truth_as_number(const std::string& truth, Type type) const {
    const bool is_real = type == Type::real;
    return "CASE WHEN " + truth + " THEN " + (is_real ? constant(1.0) : constant(std::int64_t{1})) + " WHEN NOT " +
           truth + " THEN " + (is_real ? constant(0.0) : constant(std::int64_t{0})) + " END";
  }

  std::string cast_sql(const Expression& x) const {
    const Expression& from = x.operands().front();
    const std::string value = rendered(from);
    if (from.type() == Type::string) return text_as(x.type(), value, in_);
    if (x.type() == Type::string) return in_.bytewise(cast_to(in_.type(Type::string), value));
    if (from.type() == Type::real) return whole_part(from);
    if (from.type() == Type::boolean) return truth_as_number(value, x.type());
    if (x.type() == Type::integer) return narrowed(value);
    if (x.type() == Type::boolean) return bracketed(value + " <> 0");
    // Wide integers by their digits: engines round them differently, but all read digits to the nearest double.
    return cast_to(in_.type(Type::real), is_wide(from) ? cast_to(in_.type(Type::string), value) : value);
  }

  // ---- integers

  // In the wide type where `wide`, which concerns integers only.
  std::string widened(const Expression& x, bool wide) const {
    return wide && x.type() == Type::integer && !is_wide(x) ? cast_to(in_.wide_type(), rendered(x)) : rendered(x);
  }

  std::string joined(const Operands& operands, std::string_view mark, bool wide = false) const {
    std::string text;
    for (const Expression& x : operands) text += (text.empty() ? "" : std::string(mark)) + widened(x, wide);
    return text;
  }

  // A result that was computed wide, in the type of its span.
  static std::string fitted(const Expression& x, const std::string& sql, bool wide) {
    return wide && !is_wide(x) ? cast_to("BIGINT", sql) : sql;
  }

  // ---- columns

  // Most rows are decided by the first condition. NaN, which is above every number or beside all of them, has no value.
  std::string bounded_real(const std::string& name, const RealSpan& span) const {
    const std::string lower = constant(span.lower), upper = constant(span.upper);
    return "CASE WHEN " + name + " BETWEEN " + lower + " AND " + upper + " THEN " + name + " WHEN " + name + " < " +
           lower + " THEN " + lower + " WHEN " + is_number(name) + " THEN " + upper + " END";
  }

  // Whether it is not NaN; NULL of NULL. Functions that ask for NaN say of NULL what they like.
  std::string is_number(const std::string& real) const {
    return real + " <= " + cast_to(in_.type(Type::real), "'Infinity'");
  }

  std::string column_sql(const Expression& x) const {
    const std::string name = in_.identifier(x.column_name());
    if (x.type() == Type::string) return text_column(name, in_);
    if (const auto* const span = std::get_if<IntegerSpan>(&x.span()); span != nullptr && x.bounded()) {
      return held_between(name, constant(static_cast<std::int64_t>(span->lower)),
                          constant(static_cast<std::int64_t>(span->upper)));
    }
    if (const auto* const span = std::get_if<RealSpan>(&x.span())) {
      return x.bounded() ? bounded_real(name, *span) : within_reals(name);
    }
    if (const auto* const span = std::get_if<DaySpan>(&x.span())) {
      const std::string lower = constant(span->lower), upper = constant(span->upper);
      return x.bounded() ? held_between(name, lower, upper) : when(name + " BETWEEN " + lower + " AND " + upper, name);
    }
    return name;
  }

  // ---- arithmetic

  std::string within_reals(const std::string& sql) const {
    return when(sql + " BETWEEN " + constant(any_real.lower) + " AND " + constant(any_real.upper), sql);
  }

  std::string guarded(const Expression& x, const std::string& sql) const {
    return x.guarded() ? within_reals(sql) : sql;
  }

  std::string binary(const Expression& x) const {
    const bool wide = needs_wide(x);
    return guarded(x, fitted(x, bracketed(joined(x.operands(), sign_of(x.operation()), wide)), wide));
  }

  std::string product(const Expression& x) const {
    return guarded(x, bracketed(factor(x.operands()[0]) + " * " + factor(x.operands()[1])));
  }

  std::string quotient_of(const Expression& x, const std::string& a, const std::string& b, bool wide) const {
    if (x.operation() != Operation::divide_truncated) return bracketed(a + std::string(sign_of(x.operation())) + b);
    return wide ? in_.wide_quotient(a, b) : in_.quotient(a, b);
  }

  std::string division(const Expression& x) const {
    const bool wide = needs_wide(x), is_real = x.type() == Type::real;
    const Expression& divisor = x.operands().back();
    const std::string a = is_real ? factor(x.operands().front()) : widened(x.operands().front(), wide);
    const std::string b = is_real ? factor(divisor) : widened(divisor, wide);
    const std::string quotient = quotient_of(x, a, b, wide);
    const std::string zero = is_real ? constant(0.0) : "0";
    const std::string safe = may_be_zero(divisor) ? when(b + " <> " + zero, quotient) : quotient;
    return guarded(x, fitted(x, safe, wide));
  }

  std::string function(const Expression& x, const std::string& before, const std::string& behind) const {
    const bool wide = needs_wide(x);
    return fitted(x, before + widened(x.operands().front(), wide) + behind, wide);
  }

  // ---- comparisons and choices

  std::string comparison_sql(const Expression& x) const {
    const Operands& operands = x.operands();
    const bool wide = any_wide(operands);
    const std::string first = widened(operands.front(), wide);
    if (x.operation() == Operation::in) {
      if (!are_literals({operands.begin() + 1, operands.end()})) return equal_to_one(first, operands, wide);
      return bracketed(first + " IN " + bracketed(joined({operands.begin() + 1, operands.end()}, ", ", wide)));
    }
    if (x.operation() == Operation::between) {
      return bracketed(first + " BETWEEN " + widened(operands[1], wide) + " AND " + widened(operands[2], wide));
    }
    return bracketed(joined(operands, sign_of(x.operation()), wide));
  }

  static bool are_literals(const Operands& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const Expression& one) { return one.operation() == Operation::literal; });
  }

  std::string equal_to_one(const std::string& first, const Operands& operands, bool wide) const {
    std::vector<std::string> equalities;
    for (auto one = operands.begin() + 1; one != operands.end(); ++one) {
      equalities.push_back(bracketed(first + " = " + widened(*one, wide)));
    }
    return any_of(equalities);
  }

  // OR, as no engine makes a list of it: Trino 476 makes IN of equalities with one left side, and finds in a list what
  // is not there where a member has CASE in it.
  static std::string any_of(const std::vector<std::string>& conditions) {
    std::string text = "CASE", none;
    for (const std::string& one : conditions) {
      text += " WHEN " + one + " THEN TRUE";
      none += (none.empty() ? "NOT " : " AND NOT ") + one;
    }
    return bracketed(text + " WHEN " + none + " THEN FALSE END");
  }

  struct Equalities {
    int all = 0, computed = 0;
  };
  static void count(const Expression& x, Equalities& found) {
    if (x.operation() == Operation::logical_or) {
      for (const Expression& one : x.operands()) count(one, found);
    }
    if (x.operation() != Operation::equal) return;
    ++found.all;
    found.computed += are_literals({x.operands()[0]}) || are_literals({x.operands()[1]}) ? 0 : 1;
  }

  std::string logical_sql(const Expression& x) const {
    Equalities found;
    count(x, found);
    if (found.all < 2 || found.computed == 0) return bracketed(joined(x.operands(), sign_of(x.operation())));
    std::vector<std::string> conditions;
    for (const Expression& one : x.operands()) conditions.push_back(bracketed(rendered(one)));
    return any_of(conditions);
  }

  std::string case_sql(const Expression& x) const {
    const Operands& operands = x.operands();
    const bool wide = is_wide(x);
    std::string sql = "CASE";
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      sql += " WHEN " + rendered(operands[i]) + " THEN " + widened(operands[i + 1], wide);
    }
    return sql + " ELSE " + widened(operands.back(), wide) + " END";
  }

  std::string null_if_sql(const Expression& x) const {
    const bool wide = any_wide(x.operands());
    return "CASE WHEN " + joined(x.operands(), " = ", wide) + " THEN NULL ELSE " + rendered(x.operands().front()) +
           " END";
  }

  std::string clamp_sql(const Expression& x) const {
    const bool wide = any_wide(x.operands());
    const Operands& operands = x.operands();
    return fitted(x, held_between(widened(operands[0], wide), widened(operands[1], wide), widened(operands[2], wide)),
                  wide);
  }

  // Whether it lies outside; NULL where it has no value. NaN was not moved: it has no value.
  std::string outside_sql(const Expression& place) const {
    if (place.operation() == Operation::column) {
      const std::string name = in_.identifier(place.column_name());
      const auto [lower, upper] = ends_of(place.span());
      const std::string above = name + " > " + constant(upper);
      const bool is_real = place.type() == Type::real;
      return bracketed(name + " < " + constant(lower) + " OR " +
                       (is_real ? bracketed(above + " AND " + is_number(name)) : above));
    }
    const Operands& operands = place.operands();
    const bool wide = any_wide(operands);
    const std::string x = widened(operands[0], wide);
    return bracketed(x + " < " + widened(operands[1], wide) + " OR " + x + " > " + widened(operands[2], wide));
  }

  static void add(std::vector<std::string>& conditions, const std::string& condition) {
    const bool is_new = std::find(conditions.begin(), conditions.end(), condition) == conditions.end();
    if (!condition.empty() && is_new) conditions.push_back(condition);
  }

  static std::string any_true(const std::vector<std::string>& conditions) {
    std::string any;
    for (const std::string& one : conditions) any += (any.empty() ? "" : " OR ") + one;
    return conditions.size() > 1 ? bracketed(any) : any;
  }

  // Whether something that x was made from was moved; empty where nothing can be. What was not chosen does not count.
  std::string moved(const Expression& x) const {
    std::vector<std::string> all;
    if (can_be_moved(x)) add(all, outside_sql(x));
    if (is_choice(x)) {
      add_choice(x, all);
    } else {
      for (const Expression& operand : x.operands()) add(all, moved(operand));
    }
    return any_true(all);
  }

  void add_choice(const Expression& x, std::vector<std::string>& all) const {
    std::string sql = "(CASE";
    bool can_move = false;
    const auto value = [&](const Expression& chosen) {
      const std::string found = moved(chosen);
      can_move = can_move || !found.empty();
      return found.empty() ? "FALSE" : found;
    };
    const Operands& operands = x.operands();
    const bool is_case = x.operation() == Operation::case_when;
    for (std::size_t i = 0; i + 1 < operands.size(); i += is_case ? 2 : 1) {
      if (is_case) add(all, moved(operands[i]));
      const std::string condition = rendered(operands[i]) + (is_case ? "" : " IS NOT NULL");
      sql += " WHEN " + condition + " THEN " + value(operands[is_case ? i + 1 : i]);
    }
    sql += " ELSE " + value(operands.back()) + " END)";
    if (can_move) add(all, sql);
  }

  std::string clamped_sql(const Expression& x) const {
    const Expression& operand = x.operands().front();
    const std::string any = "COALESCE(" + moved(operand) + ", FALSE)";
    return operand.nullable() ? bracketed(rendered(operand) + " IS NOT NULL AND " + any) : any;
  }

  std::string bucket_sql(const Expression& x) const {
    const bool wide = needs_wide(x) || x.type() == Type::integer;
    const Expression& by = x.operands()[1];
    if (x.type() == Type::real) {
      return guarded(x, bucket_start(factor(x.operands()[0]), std::get<double>(by.value()), in_));
    }
    const std::string width = widened(by, wide);
    const std::string value = widened(x.operands()[0], wide);
    const std::string offset = bracketed(value + " % " + width + " + " + width) + " % " + width;
    return fitted(x, bracketed(value + " - " + offset), wide);
  }

  const Dialect& in_;
};

}  // namespace

std::string rendered(const Expression& x, const Dialect& dialect) { return Renderer(dialect).rendered(x); }

std::string rendered_output(const Expression& expression, const Dialect& dialect) {
  return cast_to(dialect.type(expression.type()), rendered(expression, dialect));
}

std::string rendered_factor(const Expression& x, const Dialect& dialect) { return Renderer(dialect).factor(x); }

}  // namespace vernier::query
