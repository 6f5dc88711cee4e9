#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "vernier/query/translate/example.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// What a statement makes of statistics: SUM(x) / COUNT(*), ROUND(AVG(x), 1), and the conditions of HAVING.
namespace vernier::query {
namespace {

using Steps = std::vector<FormulaStep>;
using enum FormulaOperation;

struct Form {
  FormulaOperation operation;
  std::size_t operands;
  std::string_view form;
};

std::optional<Form> form_of(std::string_view name, std::size_t operands) {
  static const std::map<std::string_view, Form> known{
      {"+", {add, 2, "a + b"}},
      {"*", {multiply, 2, "a * b"}},
      {"/", {divide, 2, "a / b"}},
      {"//", {divide_truncated, 2, "a // b"}},
      {"safe_divide", {divide, 2, "SAFE_DIVIDE(a, b)"}},
      {"safe_add", {add, 2, "SAFE_ADD(a, b)"}},
      {"safe_subtract", {subtract, 2, "SAFE_SUBTRACT(a, b)"}},
      {"safe_multiply", {multiply, 2, "SAFE_MULTIPLY(a, b)"}},
      {"abs", {absolute, 1, "ABS(x)"}},
      {"floor", {FormulaOperation::floor, 1, "FLOOR(x)"}},
      {"ceil", {FormulaOperation::ceil, 1, "CEIL(x)"}},
      {"ceiling", {FormulaOperation::ceil, 1, "CEILING(x)"}},
      {"trunc", {truncate, 1, "TRUNC(x)"}},
      {"sqrt", {square_root, 1, "SQRT(x)"}},
      {"exp", {exponential, 1, "EXP(x)"}},
      {"ln", {logarithm, 1, "LN(x)"}},
      {"log", {logarithm_10, 1, "LOG(x)"}},
      {"log10", {logarithm_10, 1, "LOG10(x)"}},
      {"log2", {logarithm_2, 1, "LOG2(x)"}},
      {"nullif", {null_if, 2, "NULLIF(a, b)"}},
      {"ifnull", {coalesce, 2, "IFNULL(a, b)"}},
      {"nvl", {coalesce, 2, "NVL(a, b)"}},
  };
  if (name == "-") return operands == 1 ? Form{negate, 1, "-x"} : Form{subtract, 2, "a - b"};
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::optional<FormulaOperation> comparison_of(std::string_view type) {
  static const std::map<std::string_view, FormulaOperation> known{
      {"COMPARE_EQUAL", equal},         {"COMPARE_NOTEQUAL", not_equal},
      {"COMPARE_LESSTHAN", less},       {"COMPARE_LESSTHANOREQUALTO", less_equal},
      {"COMPARE_GREATERTHAN", greater}, {"COMPARE_GREATERTHANOREQUALTO", greater_equal},
  };
  const auto found = known.find(type);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

bool is_truth(const Steps& steps) { return facts_of(steps.back().operation).is_truth; }
bool is_number(const Steps& steps) { return steps.size() == 1 && steps.front().operation == number; }

using Operands = std::vector<std::reference_wrapper<const Steps>>;

// The bound holds while steps are made: a part that is taken twice, and in it one that is taken twice, would soon be
// more than there is memory.
Read<Steps> applied(const Json& node, FormulaOperation operation, const Operands& operands) {
  std::size_t size = 1;
  for (const Steps& one : operands) size += one.size();
  if (size > most_formula_steps) return refuse(node, "this is too long", "write a shorter expression");
  Steps made;
  made.reserve(size);
  for (const Steps& one : operands) made.insert(made.end(), one.begin(), one.end());
  made.push_back({operation});
  return made;
}

// Where the operand begins that ends before this step.
std::size_t beginning_of(const Steps& steps, std::size_t end) {
  std::size_t needed = 1;
  std::size_t at = end;
  for (; needed > 0; --at) needed += facts_of(steps[at - 1].operation).operands - 1;
  return at;
}

// a AND (b AND c) is a AND b AND c, as the parser has it too: a condition has one order of its steps.
Read<Steps> chained(const Json& node, FormulaOperation operation, const Steps& left, const Steps& right) {
  if (right.back().operation != operation) return applied(node, operation, {left, right});
  const std::size_t last = right.size() - 1;
  const auto middle = right.begin() + static_cast<std::ptrdiff_t>(beginning_of(right, last));
  const Read<Steps> first = chained(node, operation, left, {right.begin(), middle});
  if (!first) return first;
  const Steps second(middle, right.end() - 1);
  return applied(node, operation, {*first, second});
}

// A number that was written with a sign is one number.
Read<Steps> negated(const Json& node, const Steps& x) {
  if (!is_number(x)) return applied(node, negate, {x});
  return Steps{{number, -x.front().number}};
}

class FormulaReader {
 public:
  explicit FormulaReader(const StatisticScope& scope) : scope_(scope) {}

  Read<Steps> read(const Json& node) const {
    if (const Read<void> known = check_expression(node); !known) return tl::unexpected(known.error());
    const std::string& kind = text(node, "class");
    if (kind == "COLUMN_REF") return read_name(node);
    if (kind == "CONSTANT") return read_constant(node);
    if (kind == "FUNCTION") return read_call(node);
    if (kind == "COMPARISON") return read_comparison(node);
    if (kind == "BETWEEN") return read_between(node);
    if (kind == "CASE") return read_case(node);
    if (kind == "CAST") return read_cast(node);
    if (kind == "CONJUNCTION") return read_conjunction(node);
    return read_operator(node);
  }

  Read<Steps> read_number(const Json& node) const {
    Read<Steps> made = read(node);
    if (made && is_truth(*made)) return refuse(node, "a number is needed here, and this is a condition");
    return made;
  }

  Read<Steps> read_truth(const Json& node) const {
    Read<Steps> made = read(node);
    if (made && !is_truth(*made)) {
      return refuse(node, "a condition is needed here", "compare with a number, as in COUNT(*) > 100");
    }
    return made;
  }

 private:
  Read<Steps> read_name(const Json& node) const {
    const Json& names = list(node, "column_names");
    const auto& name = names.back().get_ref<const std::string&>();
    if (names.size() == 1 && scope_.selected != nullptr) {
      for (const Selected& one : *scope_.selected) {
        if (!one.steps.empty() && same_name(one.name, name)) return one.steps;
      }
    }
    const Read<Expression> x = read_column(node, scope_.scope);
    if (!x) return tl::unexpected(x.error());
    const bool has_mean = x->bounded() && (x->type() == Type::integer || x->type() == Type::real);
    const std::string statistic = (has_mean ? "AVG(" : "COUNT(") + written(*x) + ")";
    return refuse(node, "\"" + shown(name) + "\" is a column of rows, and this is about statistics of them",
                  scope_.selected != nullptr ? "write a condition on rows in WHERE, and " + statistic + " here"
                                             : "write a statistic of it, such as " + statistic);
  }

  static Read<Steps> read_constant(const Json& node) {
    const Read<Expression> constant = read_literal(node);
    if (!constant) return tl::unexpected(constant.error());
    if (constant->operation() == Operation::null) return Steps{{undefined}};
    if (const auto* const whole = std::get_if<std::int64_t>(&constant->value())) {
      return Steps{{number, static_cast<double>(*whole)}};
    }
    if (const auto* const real = std::get_if<double>(&constant->value())) return Steps{{number, *real}};
    return refuse(node, "what is made of statistics is a number, and this is a text, a date or a truth",
                  "leave it out, or write a number");
  }

  Read<Steps> read_call(const Json& node) const {
    const Read<std::optional<Aggregation>> aggregation = read_aggregation(node, scope_.scope);
    if (!aggregation) return tl::unexpected(aggregation.error());
    if (*aggregation) return Steps{{column, 0, scope_.place_of(**aggregation)}};
    const std::string& name = text(node, "function_name");
    if (is_aggregate(name)) return refuse(node, refused_function(name));
    if (const Read<void> plain = check_plain_call(node); !plain) return tl::unexpected(plain.error());
    const Json& children = list(node, "children");
    if (name == "round") return read_round(node, children);
    if (name == "power" || name == "pow" || name == "**" || name == "^") return read_power(node, children);
    if (name == "least" || name == "greatest") return folded(node, children, name == "least" ? least : greatest);
    if (name == "coalesce") return folded(node, children, coalesce);
    const std::optional<Form> form = form_of(name, children.size());
    if (!form) return refuse(node, unknown(name));
    if (children.size() != form->operands) return refuse(node, "write it as " + std::string(form->form));
    Read<std::vector<Steps>> operands = read_numbers(children);
    if (!operands) return tl::unexpected(operands.error());
    if (form->operation == negate) return negated(node, operands->front());
    return applied(node, form->operation, {operands->begin(), operands->end()});
  }

  static std::string unknown(const std::string& name) {
    return "the function " + shown(name) +
           " is not accepted over statistics; accepted are + - * / //, ABS, CASE, CAST, CEIL, COALESCE, EXP, FLOOR, "
           "GREATEST, LEAST, LN, LOG10, LOG2, NULLIF, POWER, ROUND, SQRT and TRUNC";
  }

  Read<Steps> read_round(const Json& node, const Json& children) const {
    if (children.empty() || children.size() > 2) return refuse(node, "write it as ROUND(x) or ROUND(x, 2)");
    Read<std::vector<Steps>> operands = read_numbers(children);
    if (!operands) return tl::unexpected(operands.error());
    if (operands->size() == 1) return rounded(node, operands->front(), 0);
    const Steps& digits = operands->back();
    const bool is_good = is_number(digits) && std::abs(digits.front().number) <= 15 &&
                         digits.front().number == std::floor(digits.front().number);
    if (!is_good) return refuse(node, "ROUND takes a whole number of digits from -15 to 15, as in ROUND(x, 2)");
    return rounded(node, operands->front(), digits.front().number);
  }

  Read<Steps> read_power(const Json& node, const Json& children) const {
    if (children.size() != 2) return refuse(node, "write it as POWER(x, 2)");
    Read<std::vector<Steps>> operands = read_numbers(children);
    if (!operands) return tl::unexpected(operands.error());
    const Steps& exponent = operands->back();
    if (!is_number(exponent) || std::abs(exponent.front().number) > 100) {
      return refuse(node, "POWER takes a number from -100 to 100 as its exponent, as in POWER(x, 2)");
    }
    return applied(node, power, {operands->front(), exponent});
  }

  Read<Steps> folded(const Json& node, const Json& children, FormulaOperation operation) const {
    Read<std::vector<Steps>> operands = read_numbers(children);
    if (!operands) return tl::unexpected(operands.error());
    if (operands->empty()) return refuse(node, "it needs at least one number");
    Read<Steps> made = operands->front();
    for (std::size_t i = 1; i < operands->size() && made; ++i) {
      made = applied(node, operation, {*made, (*operands)[i]});
    }
    return made;
  }

  Read<std::vector<Steps>> read_numbers(const Json& nodes) const {
    std::vector<Steps> all;
    for (const Json& node : nodes) {
      Read<Steps> one = read_number(node);
      if (!one) return tl::unexpected(one.error());
      all.push_back(*std::move(one));
    }
    return all;
  }

  Read<Steps> read_comparison(const Json& node) const {
    const Read<Steps> left = read_number(node.at("left"));
    if (!left) return left;
    const Read<Steps> right = read_number(node.at("right"));
    if (!right) return right;
    return applied(node, *comparison_of(text(node, "type")), {*left, *right});
  }

  Read<Steps> read_between(const Json& node) const {
    const Read<Steps> input = read_number(node.at("input"));
    if (!input) return input;
    const Read<Steps> lower = read_number(node.at("lower"));
    if (!lower) return lower;
    const Read<Steps> upper = read_number(node.at("upper"));
    if (!upper) return upper;
    const Read<Steps> above = applied(node, greater_equal, {*input, *lower});
    if (!above) return above;
    const Read<Steps> below = applied(node, less_equal, {*input, *upper});
    if (!below) return below;
    return applied(node, logical_and, {*above, *below});
  }

  Read<Steps> read_conjunction(const Json& node) const {
    const auto operation = text(node, "type") == "CONJUNCTION_AND" ? logical_and : logical_or;
    Read<Steps> made;
    for (const Json& child : list(node, "children")) {
      const Read<Steps> one = read_truth(child);
      if (!one) return one;
      made = made->empty() ? one : chained(node, operation, *made, *one);
      if (!made) return made;
    }
    return made;
  }

  Read<Steps> read_in(const Json& node, const Json& children) const {
    const Read<std::vector<Steps>> parts = read_numbers(children);
    if (!parts) return tl::unexpected(parts.error());
    if (parts->size() < 2) return refuse(node, "IN needs a list of numbers");
    Read<Steps> made;
    for (std::size_t i = 1; i < parts->size() && made; ++i) {
      const Read<Steps> same = applied(node, equal, {parts->front(), (*parts)[i]});
      if (!same) return same;
      made = made->empty() ? same : applied(node, logical_or, {*made, *same});
    }
    return made;
  }

  static Read<Steps> inverted(const Json& node, const Read<Steps>& x) {
    if (!x) return x;
    return applied(node, logical_not, {*x});
  }

  Read<Steps> read_operator(const Json& node) const {
    const std::string& type = text(node, "type");
    const Json& children = list(node, "children");
    if (type == "OPERATOR_COALESCE") return folded(node, children, coalesce);
    if (type == "OPERATOR_NOT") return inverted(node, read_truth(children.at(0)));
    if (type == "COMPARE_IN") return read_in(node, children);
    if (type == "COMPARE_NOT_IN") return inverted(node, read_in(node, children));
    const Read<Steps> x = read_number(children.at(0));
    if (!x) return x;
    const Read<Steps> made = applied(node, FormulaOperation::is_null, {*x});
    return type == "OPERATOR_IS_NULL" ? made : inverted(node, made);
  }

  Read<Steps> read_case(const Json& node) const {
    Read<Steps> made = read_number(node.at("else_expr"));
    const Json& checks = list(node, "case_checks");
    for (auto check = checks.rbegin(); check != checks.rend() && made; ++check) {
      if (!has_exactly(*check, {"when_expr", "then_expr"}))
        return refuse(node, "this CASE has a part that is not known");
      const Read<Steps> condition = read_truth(check->at("when_expr"));
      if (!condition) return condition;
      const Read<Steps> then = read_number(check->at("then_expr"));
      if (!then) return then;
      made = applied(node, choose, {*condition, *then, *made});
    }
    return made;
  }

  static Read<Steps> rounded(const Json& node, const Steps& x, double digits) {
    const Steps places = {{number, digits}};
    return applied(node, round, {x, places});
  }

  // Whole numbers are rounded to, decimals to their digits; other numbers stay what they are.
  Read<Steps> read_cast(const Json& node) const {
    const Read<Steps> x = read_number(node.at("child"));
    if (!x) return x;
    const Json& target = node.at("cast_type");
    const std::string& id = text(target, "id");
    if (id == "DOUBLE" || id == "FLOAT") return x;
    constexpr std::array<std::string_view, 9> whole = {"TINYINT",  "SMALLINT",  "INTEGER",  "BIGINT", "HUGEINT",
                                                       "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"};
    if (std::find(whole.begin(), whole.end(), id) != whole.end()) return rounded(node, *x, 0);
    if (id == "DECIMAL" && target.at("type_info").is_object()) {
      const auto scale = target.at("type_info").at("scale").get<int>();
      if (scale <= 15) return rounded(node, *x, static_cast<double>(scale));
    }
    if (id == "DECIMAL") return rounded(node, *x, 3);
    return refuse(node, "a statistic is cast to INTEGER, BIGINT, DOUBLE or DECIMAL(18, 2)");
  }

  const StatisticScope& scope_;
};

}  // namespace

std::size_t StatisticScope::place_of(const Aggregation& aggregation) const {
  const auto found = std::find_if(statistics.begin(), statistics.end(), [&](Aggregation one) {
    one.name = aggregation.name;
    return one == aggregation;
  });
  if (found != statistics.end()) return static_cast<std::size_t>(found - statistics.begin());
  statistics.push_back(aggregation);
  return statistics.size() - 1;
}

bool has_statistic(const Json& node) {
  if (!node.is_structured()) return false;
  if (node.is_object() && node.contains("function_name") && node.at("function_name").is_string() &&
      is_aggregate(text(node, "function_name"))) {
    return true;
  }
  return std::any_of(node.begin(), node.end(), [](const Json& part) { return has_statistic(part); });
}

bool has_column(const Json& node) {
  if (!node.is_structured()) return false;
  if (node.is_object() && node.contains("column_names")) return true;
  return std::any_of(node.begin(), node.end(), [](const Json& part) { return has_column(part); });
}

Read<Steps> read_formula(const Json& node, const StatisticScope& scope) {
  return FormulaReader(scope).read_number(node);
}

Read<Steps> read_having(const Json& node, const StatisticScope& scope) { return FormulaReader(scope).read_truth(node); }

// Quotients whose joint law is known, as that of a mean is.
namespace {

Result<Expression> share_of(const Expression& counted) {
  const bool is_filter = counted.operation() == Operation::case_when && counted.operands().size() == 3 &&
                         counted.operands()[1].operation() == Operation::literal &&
                         counted.operands()[2].operation() == Operation::null;
  if (is_filter)
    return apply(Operation::case_when, {counted.operands()[0], literal(std::int64_t{1}), literal(std::int64_t{0})});
  return apply(Operation::is_null, {counted}).and_then([](const Expression& missing) {
    return apply(Operation::case_when, {missing, literal(std::int64_t{0}), literal(std::int64_t{1})});
  });
}

Result<Expression> zero_for_null(const Expression& x) {
  if (!x.nullable()) return x;
  return apply(Operation::coalesce, {x, x.type() == Type::real ? literal(0.0) : literal(std::int64_t{0})});
}

}  // namespace

// SUM(x) / COUNT(x) is AVG(x). SUM(x) / COUNT(*) is the mean of x with 0 for NULL, and COUNT(x) / COUNT(*) that of
// whether x is there.
std::optional<Aggregation> mean_for(const Aggregation& above, const Aggregation& below) {
  const bool is_sum = above.aggregate == Aggregate::sum;
  if (is_sum && below.aggregate == Aggregate::count && above.argument == below.argument) {
    return Aggregation{Aggregate::average, above.argument, ""};
  }
  if (below.aggregate != Aggregate::count_rows) return std::nullopt;
  if (!is_sum && above.aggregate != Aggregate::count) return std::nullopt;
  const Result<Expression> x = is_sum ? zero_for_null(*above.argument) : share_of(*above.argument);
  if (!x || !x->bounded()) return std::nullopt;
  return Aggregation{Aggregate::average, *x, ""};
}

}  // namespace vernier::query
