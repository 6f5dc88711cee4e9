#include <algorithm>
#include <array>
#include <map>

#include "vernier/query/expression/moment.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Function calls and operators, which the parser writes as functions too.
namespace vernier::query {
namespace {

struct Signature {
  Operation operation;
  std::size_t operands;
  std::string_view form;
};

std::optional<Signature> signature(std::string_view name, std::size_t operands) {
  static const std::map<std::string_view, Signature> known{
      {"+", {Operation::add, 2, "a + b"}},
      {"*", {Operation::multiply, 2, "a * b"}},
      {"/", {Operation::divide, 2, "a / b"}},
      {"//", {Operation::divide_truncated, 2, "a // b"}},
      {"%", {Operation::remainder, 2, "a % b"}},
      {"abs", {Operation::absolute, 1, "ABS(x)"}},
      {"floor", {Operation::floor, 1, "FLOOR(x)"}},
      {"ceil", {Operation::ceil, 1, "CEIL(x)"}},
      {"ceiling", {Operation::ceil, 1, "CEILING(x)"}},
      {"nullif", {Operation::null_if, 2, "NULLIF(a, b)"}},
      {"clamp", {Operation::clamp, 3, "CLAMP(x, 0, 100)"}},
      {"is_clamped", {Operation::is_clamped, 1, "IS_CLAMPED(x)"}},
      {"bucket", {Operation::bucket, 2, "BUCKET(x, 10)"}},
      {"safe_divide", {Operation::divide, 2, "SAFE_DIVIDE(a, b)"}},
      {"lower", {Operation::lower_case, 1, "LOWER(x)"}},
      {"lcase", {Operation::lower_case, 1, "LOWER(x)"}},
      {"upper", {Operation::upper_case, 1, "UPPER(x)"}},
      {"ucase", {Operation::upper_case, 1, "UPPER(x)"}},
      {"trim", {Operation::trim, 1, "TRIM(x)"}},
      {"ltrim", {Operation::trim_left, 1, "LTRIM(x)"}},
      {"rtrim", {Operation::trim_right, 1, "RTRIM(x)"}},
      {"length", {Operation::length, 1, "LENGTH(x)"}},
      {"len", {Operation::length, 1, "LENGTH(x)"}},
      {"char_length", {Operation::length, 1, "LENGTH(x)"}},
      {"character_length", {Operation::length, 1, "LENGTH(x)"}},
      {"~~", {Operation::like, 2, "x LIKE 'a%'"}},
      {"sqrt", {Operation::square_root, 1, "SQRT(x)"}},
      {"ln", {Operation::logarithm, 1, "LN(x)"}},
      {"log", {Operation::logarithm_ten, 1, "LOG(x), which is LOG10(x)"}},
      {"log10", {Operation::logarithm_ten, 1, "LOG10(x)"}},
      {"exp", {Operation::exponential, 1, "EXP(x)"}},
      {"sin", {Operation::sine, 1, "SIN(x)"}},
      {"cos", {Operation::cosine, 1, "COS(x)"}},
      {"strpos", {Operation::place_in_text, 2, "STRPOS(x, 'a')"}},
      {"position", {Operation::place_in_text, 2, "STRPOS(x, 'a')"}},
      {"instr", {Operation::place_in_text, 2, "STRPOS(x, 'a')"}},
      {"replace", {Operation::replaced, 3, "REPLACE(x, 'a', 'b')"}},
      {"make_timestamp", {Operation::instant, 1, "MAKE_TIMESTAMP(microseconds)"}},
  };
  if (name == "-")
    return operands == 1 ? Signature{Operation::negate, 1, "-x"} : Signature{Operation::subtract, 2, "a - b"};
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::optional<DatePart> part_named(std::string_view name) {
  static const std::map<std::string_view, DatePart> known{
      {"year", DatePart::year},
      {"quarter", DatePart::quarter},
      {"month", DatePart::month},
      {"week", DatePart::week},
      {"day", DatePart::day},
      {"dow", DatePart::day_of_week},
      {"dayofweek", DatePart::day_of_week},
      {"isodow", DatePart::iso_day_of_week},
      {"doy", DatePart::day_of_year},
      {"dayofyear", DatePart::day_of_year},
  };
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

constexpr std::string_view accepted_functions =
    " is not accepted; accepted are ABS, BUCKET, CEIL, CLAMP, COALESCE, CONCAT, COS, DATE_DIFF, DATE_TRUNC, EXP, "
    "EXTRACT, FLOOR, GREATEST, IS_CLAMPED, LEAST, LEFT, LENGTH, LIKE, LN, LOG10, LOWER, MOD, NULLIF, POWER, REPLACE, "
    "ROUND, SIGN, SIN, SQRT, STARTS_WITH, STRPOS, SUBSTRING, TRIM and UPPER";

constexpr std::string_view no_clock =
    "what a statement means must not change with the time at which it is run; write the day itself, as in DATE "
    "'2026-01-31'";
constexpr std::string_view no_chance =
    "a number by chance is no part of a row, and noise is added by the release itself; leave it out";

// The sentence for what is often tried, and one that lists what there is for the rest.
std::string advice(std::string_view name) {
  static const std::map<std::string_view, std::string_view> known{
      {"like_escape", "LIKE has no ESCAPE; write the pattern without one"},
      {"not_like_escape", "LIKE has no ESCAPE; write the pattern without one"},
      {"regexp_matches", "regular expressions are not accepted; write x LIKE 'a%'"},
      {"regexp_full_match", "regular expressions are not accepted; write x LIKE 'a%'"},
      {"date_trunc",
       "DATE_TRUNC takes a date and 'day', 'week', 'month', 'quarter' or 'year', or a time and also 'hour', 'minute' "
       "or "
       "'second'; write for example DATE_TRUNC('month', day)"},
      {"datetrunc",
       "DATE_TRUNC takes a date and 'day', 'week', 'month', 'quarter' or 'year', or a time and also 'hour', 'minute' "
       "or "
       "'second'; write for example DATE_TRUNC('month', day)"},
      {"current_date", no_clock},
      {"current_timestamp", no_clock},
      {"now", no_clock},
      {"today", no_clock},
      {"getdate", no_clock},
      {"random", no_chance},
      {"rand", no_chance},
      {"regexp_replace", "regular expressions are not accepted; write SUBSTRING(x, 1, 3), or CASE with LIKE"},
      {"regexp_extract", "regular expressions are not accepted; write SUBSTRING(x, 1, 3), or CASE with LIKE"},
      {"regexp_contains", "regular expressions are not accepted; write x LIKE 'a%'"},
      {"regexp_like", "regular expressions are not accepted; write x LIKE 'a%'"},
      {"list_value",
       "lists in [ ] are not accepted; write a name alone or in double quotes, and IN (1, 2) for a choice"},
      {"array_extract", "x[1] is not accepted; write SUBSTRING(x, 1, 1) for a part of a text"},
      {"array_slice", "x[1:2] is not accepted; write SUBSTRING(x, 1, 2) for a part of a text"},
      {"struct_pack", "{ } is not accepted; write one expression for each column"},
      {"row", "brackets around several values are not accepted; write one condition for each, as in a = 1 AND b = 2"},
      {"to_days",
       "INTERVAL takes a whole number of days, weeks, months, quarters or years, or of hours, minutes or seconds, "
       "beside a date or a time; write DATE '2020-01-31' - INTERVAL 30 DAY, and for days between two columns "
       "DATE_DIFF('day', first, last)"},
  };
  const bool is_interval = name.starts_with("to_") && (name.ends_with("s") || name.ends_with("ies"));
  const auto found = known.find(is_interval ? "to_days" : name);
  if (found != known.end()) return std::string(found->second);
  const bool is_operator =
      !name.empty() && std::string_view("!#%&*+-/<=>@^|~").find(name.front()) != std::string_view::npos;
  return (is_operator ? "the operator " : "the function ") + shown(name) + std::string(accepted_functions);
}

// The parser gives names to operators, too, which nobody wrote.
tl::unexpected<Refusal> refuse_function(const Json& node, const std::string& name) {
  const auto error = [](std::string problem) {
    const std::size_t end = std::min(problem.find("; "), problem.size());
    return Error{ErrorKind::invalid, problem.substr(0, end), {}, problem.substr(std::min(end + 2, problem.size()))};
  };
  const bool is_listed = !advice(name).ends_with(accepted_functions);
  Refusal refusal{error(refused_function(name)), place(node), name};
  if (!is_listed) refusal.unnamed = error("this operator" + std::string(accepted_functions));
  return tl::unexpected(std::move(refusal));
}

Read<Expression> read_date_part(const Json& node, const Json& name, const Json& day, const Scope& scope) {
  const Read<Expression> which = read_expression(name, scope);
  if (!which) return which;
  const bool named = which->operation() == Operation::literal && which->type() == Type::string;
  std::string written = named ? std::get<std::string>(which->value()) : "";
  for (char& c : written) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const Read<Expression> date = read_expression(day, scope);
  if (!date) return date;
  if (std::optional<Read<Expression>> of_time = read_time_part(node, written, *date)) return *std::move(of_time);
  const auto part = part_named(written);
  if (!part) {
    return refuse(node,
                  "the part of a date is year, quarter, month, week, day, dow, isodow or doy, and that of a time also "
                  "hour, minute, second or epoch");
  }
  return located(date_part(*part, *date), node);
}

std::string in_capitals(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

// "COUNT(*), COUNT(x), SUM(x) or MAX(x)", of all that there are.
std::string in_words() {
  std::vector<std::string_view> forms;
  for (const AggregateFacts& one : aggregates) {
    if (!one.forms.empty()) forms.push_back(one.forms);
  }
  std::string words(forms.front());
  for (std::size_t i = 1; i < forms.size(); ++i) {
    words.append(i + 1 < forms.size() ? ", " : " or ").append(forms[i]);
  }
  return words;
}

// ---- texts and dates in their several spellings

Read<Expression> like_pattern(const Json& node, const Json& children, bool ignores_case, const Scope& scope) {
  Read<std::vector<Expression>> operands = read_all(children, scope);
  if (!operands) return tl::unexpected(operands.error());
  if (operands->size() != 2) return refuse(node, "write it as x LIKE 'a%'");
  if (!ignores_case) return located(apply(Operation::like, std::move(*operands)), node);
  const Expression& pattern = (*operands)[1];
  const bool is_text = pattern.operation() == Operation::literal && pattern.type() == Type::string;
  if (!is_text) return refuse(node, "the pattern of ILIKE is a text in quotes", "write x ILIKE 'a%'");
  std::string lower = std::get<std::string>(pattern.value());
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return located(apply(Operation::lower_case, {operands->front()}).and_then([&](const Expression& x) {
    return apply(Operation::like, {x, literal(lower)});
  }),
                 node);
}

Read<Expression> negated(const Json& node, const Read<Expression>& x) {
  if (!x) return x;
  return located(apply(Operation::logical_not, {*x}), node);
}

// SUBSTRING(x, 2) goes to the end.
Read<Expression> read_substring(const Json& node, const Json& children, const Scope& scope) {
  Read<std::vector<Expression>> operands = read_all(children, scope);
  if (!operands) return tl::unexpected(operands.error());
  if (operands->size() == 2) operands->push_back(literal(std::int64_t{1'000'000'000}));
  if (operands->size() != 3) return refuse(node, "write it as SUBSTRING(x, 1, 3)");
  return located(apply(Operation::text_part, std::move(*operands)), node);
}

// a || b is NULL where one of them is; CONCAT leaves NULL out.
Read<Expression> read_concat(const Json& node, const Json& children, bool leaves_out_null, const Scope& scope) {
  Read<std::vector<Expression>> operands = read_all(children, scope);
  if (!operands) return tl::unexpected(operands.error());
  if (operands->empty()) return refuse(node, "write it as CONCAT(a, b)");
  std::optional<Expression> made;
  for (Expression x : *operands) {
    if (leaves_out_null && x.nullable()) {
      const Read<Expression> text = located(apply(Operation::coalesce, {x, literal(std::string())}), node);
      if (!text) return text;
      x = *text;
    }
    if (!made) {
      made = x;
      continue;
    }
    const Read<Expression> longer = located(apply(Operation::concatenate, {*made, x}), node);
    if (!longer) return longer;
    made = *longer;
  }
  return *made;
}

// LEFT(x, 3), which is the beginning of a text.
Read<Expression> read_beginning(const Json& node, const Json& children, const Scope& scope) {
  Read<std::vector<Expression>> operands = read_all(children, scope);
  if (!operands) return tl::unexpected(operands.error());
  if (operands->size() != 2) return refuse(node, "write it as LEFT(x, 3)");
  return located(apply(Operation::text_part, {operands->front(), literal(std::int64_t{1}), operands->back()}), node);
}

// The microseconds of a time.
Read<Expression> read_ticks(const Json& node, const Json& children, const Scope& scope) {
  Read<std::vector<Expression>> operands = read_all(children, scope);
  if (!operands) return tl::unexpected(operands.error());
  if (operands->size() != 1) return refuse(node, "write it as EPOCH_US(time)");
  const Result<Expression> time = to_instant(operands->front());
  if (!time) return located(time, node);
  return ticks_of(*time);
}

// INTERVAL 3 HOUR; a number of microseconds may be of a row.
Read<Expression> read_time_that_goes_by(const Json& node, const Scope& scope) {
  const Read<Expression> constant = read_interval_alone(node);
  if (constant || text(node, "function_name") != "to_microseconds") return constant;
  const Read<Expression> ticks = read_expression(list(node, "children")[0], scope);
  return ticks ? located(apply(Operation::elapsed, {*ticks}), node) : ticks;
}

// hour(time), as EXTRACT(hour FROM time) says it.
bool is_time_part(std::string_view name) {
  return name == "hour" || name == "minute" || name == "second" || name == "epoch";
}

Read<Expression> read_named_time_part(const Json& node, std::string_view name, const Scope& scope) {
  if (list(node, "children").size() != 1) return refuse(node, "it takes one time, as in hour(time)");
  const Read<Expression> x = read_expression(list(node, "children")[0], scope);
  if (!x) return x;
  return *read_time_part(node, name, *x);
}

std::optional<Read<Expression>> read_spelled(const Json& node, const std::string& name, const Scope& scope) {
  const Json& children = list(node, "children");
  if (name == "~~" || name == "~~*") return like_pattern(node, children, name == "~~*", scope);
  if (name == "!~~" || name == "!~~*") return negated(node, like_pattern(node, children, name == "!~~*", scope));
  if (name == "substring" || name == "substr") return read_substring(node, children, scope);
  if (name == "left") return read_beginning(node, children, scope);
  if (name == "||" || name == "concat") return read_concat(node, children, name == "concat", scope);
  if (name == "date_diff" || name == "datediff") return read_date_difference(node, scope);
  if (name == "date_sub" || name == "datesub") return read_whole_units(node, scope);
  if (name == "date_trunc" || name == "datetrunc" || name == "time_bucket") return read_truncated_time(node, scope);
  if (name == "epoch_us") return read_ticks(node, children, scope);
  if (name == "least" || name == "greatest") return read_extreme(node, name == "least", scope);
  if (name == "power" || name == "pow" || name == "**" || name == "^") return read_power(node, scope);
  if (name == "round") return read_rounded(node, scope);
  return std::nullopt;
}

// A date and an INTERVAL, in either order for a sum; none where neither is one.
std::optional<Read<Expression>> read_interval_sum(const Json& node, const std::string& name, const Scope& scope) {
  const Json& children = list(node, "children");
  if ((name != "+" && name != "-") || children.size() != 2) return std::nullopt;
  if (is_interval(children[1])) return read_moved_date(node, children[0], children[1], name == "-", scope);
  if (name == "+" && is_interval(children[0])) return read_moved_date(node, children[1], children[0], false, scope);
  return std::nullopt;
}

// A part under its own name, as in year(day).
Read<Expression> read_named_part(const Json& node, DatePart part, const Scope& scope) {
  if (list(node, "children").size() != 1) return refuse(node, "it takes one date, as in year(day)");
  const Read<Expression> date = read_expression(list(node, "children")[0], scope);
  if (!date) return date;
  return located(date_part(part, *date), node);
}

}  // namespace

bool is_aggregate(std::string_view name) {
  constexpr std::array<std::string_view, 23> refused{
      "mode",     "first",   "any_value", "string_agg", "list",         "mad",      "last",     "arg_max",
      "arg_min",  "corr",    "covar_pop", "covar_samp", "regr_slope",   "skewness", "kurtosis", "entropy",
      "bool_and", "bool_or", "product",   "array_agg",  "group_concat", "listagg",  "histogram"};
  return is_statistic(name) || std::find(refused.begin(), refused.end(), name) != refused.end();
}

std::string refused_function(std::string_view name) {
  if (is_statistic(name)) {
    return "a statistic is about all rows of a group and stands in the SELECT list, HAVING or ORDER BY, not among "
           "conditions on single rows or inside of another one; write it there: " +
           in_words();
  }
  if (is_aggregate(name)) return in_capitals(name) + " is not among the statistics; write " + in_words();
  return advice(name);
}

Read<void> check_plain_call(const Json& node) {
  if (!node.at("filter").is_null()) {
    return refuse(node, "FILTER stands behind a statistic alone", "write COUNT(*) FILTER (WHERE condition)");
  }
  const std::string& name = text(node, "function_name");
  if (node.at("distinct").get<bool>() && name != "count" && name != "min" && name != "max")
    return refuse(node, "DISTINCT is accepted in COUNT(DISTINCT x) alone", "write the statistic without it");
  const Json& order = node.at("order_bys");
  if (!has_exactly(order, {"type", "orders"}) || text(order, "type") != "ORDER_MODIFIER" ||
      !list(order, "orders").empty()) {
    return refuse(node, "ORDER BY and WITHIN GROUP inside a function are not accepted");
  }
  const std::string& schema = text(node, "schema");  // EXTRACT, TRIM and the like have one that nobody wrote
  if ((!schema.empty() && schema != "main" && schema != "pg_catalog") || !text(node, "catalog").empty()) {
    return refuse(node, "a function has no schema here", "write its name alone");
  }
  if (node.at("export_state").get<bool>() || !node.at("is_operator").is_boolean()) {
    return refuse(node, "EXPORT_STATE is not accepted");
  }
  return {};
}

Read<Expression> read_function(const Json& node, const Scope& scope) {
  const std::string& name = text(node, "function_name");
  if (is_aggregate(name)) return refuse(node, refused_function(name));
  if (const Read<void> plain = check_plain_call(node); !plain) return tl::unexpected(plain.error());
  const Json& children = list(node, "children");
  if ((name == "date_part" || name == "datepart") && children.size() == 2) {
    return read_date_part(node, children[0], children[1], scope);
  }
  if (const auto part = part_named(name)) return read_named_part(node, *part, scope);
  if (is_time_part(name)) return read_named_time_part(node, name, scope);
  if (std::optional<Read<Expression>> spelled = read_spelled(node, name, scope)) return *std::move(spelled);
  if (std::optional<Read<Expression>> moved = read_interval_sum(node, name, scope)) return *std::move(moved);
  const std::optional<Signature> known = signature(name, children.size());
  if (!known && is_interval(node)) return read_time_that_goes_by(node, scope);
  if (!known) return refuse_function(node, name);
  if (children.size() != known->operands) return refuse(node, "write it as " + std::string(known->form));
  Read<std::vector<Expression>> operands = read_all(children, scope);
  if (!operands) return tl::unexpected(operands.error());
  return located(apply(known->operation, std::move(*operands)), node);
}

}  // namespace vernier::query
