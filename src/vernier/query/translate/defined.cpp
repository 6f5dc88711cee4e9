#include "vernier/query/translate/plain_calls.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Expressions that a steward has named, and the conditions of views.
namespace vernier::query {
namespace {

constexpr std::string_view before = "SELECT ";
constexpr std::string_view behind = "\nFROM t";  // on a line of its own, lest a comment swallow it

tl::unexpected<Refusal> not_one() { return refuse_all("this must be one expression over columns, such as age >= 18"); }

// The one expression of a SELECT that has nothing else.
Read<Json> lone_expression(const Json& tree) {
  const Json& statements = list(tree, "statements");
  if (statements.size() != 1 || !list(statements[0], "named_param_map").empty()) return not_one();
  const Json& node = statements[0].at("node");
  if (!check_select(node) || !list(node.at("cte_map"), "map").empty() || !node.at("having").is_null()) return not_one();
  if (!node.at("where_clause").is_null() || !list(node, "group_expressions").empty() ||
      !list(node, "group_sets").empty() || !list(node, "modifiers").empty() || list(node, "select_list").size() != 1) {
    return not_one();
  }
  const Json& from = node.at("from_table");
  if (text(from, "type") != "BASE_TABLE" || text(from, "table_name") != "t" || !text(from, "alias").empty())
    return not_one();
  return list(node, "select_list")[0];
}

Read<Json> parsed_expression(std::string_view sql, const ParseSql& parse) {
  const std::string statement = std::string(before).append(sql).append(behind);
  Result<Json> tree =
      check_statement(statement).and_then([&] { return parse(statement); }).and_then([&](const std::string& answer) {
        return read_tree(answer, statement);
      });
  if (!tree) return refuse_all("this cannot be read as SQL", "write an expression such as age >= 18");
  write_plain_calls(*tree);
  return lone_expression(*tree);
}

// The sentence, with the place within the steward's text.
Failure told(const Refusal& refusal, std::string_view sql) {
  if (!refusal.byte || *refusal.byte < before.size() || *refusal.byte >= before.size() + sql.size())
    return Failure(refusal.error);
  const std::string rest(sql.substr(*refusal.byte - before.size(), 30));
  Error error = refusal.error;
  (error.advice.empty() ? error.problem : error.advice) += " (at " + shown(rest) + ")";
  return Failure(std::move(error));
}

Result<Expression> read_sql(std::string_view sql, const Scope& scope, const ParseSql& parse) {
  try {
    const Read<Json> node = parsed_expression(sql, parse);
    if (!node) return told(node.error(), sql);
    const Read<Expression> read = read_expression(*node, scope);
    if (!read) return told(read.error(), sql);
    return *read;
  } catch (const Json::exception&) {
    return invalid("this has a part that is not known", "write an expression such as age >= 18");
  }
}

// The bound as a value of the type; none where it is none. A whole number is a real as well.
std::optional<Value> bound_of(const Value& written, Type type) {
  if (type_of(written) == type) return written;
  if (type != Type::real || type_of(written) != Type::integer) return std::nullopt;
  return static_cast<double>(std::get<std::int64_t>(written));
}

std::string span_text(const Span& span) {
  if (const auto* const whole = std::get_if<IntegerSpan>(&span); whole != nullptr && is_narrow(*whole)) {
    return std::to_string(static_cast<std::int64_t>(whole->lower)) + " to " +
           std::to_string(static_cast<std::int64_t>(whole->upper));
  }
  if (const auto* const reals = std::get_if<RealSpan>(&span)) return plain(reals->lower) + " to " + plain(reals->upper);
  if (const auto* const days = std::get_if<DaySpan>(&span)) return text_of(days->lower) + " to " + text_of(days->upper);
  return "by its own bounds";
}

Result<Expression> narrowed(const Expression& x, const Range& range) {
  const std::optional<Value> lower = bound_of(range.lower, x.type()), upper = bound_of(range.upper, x.type());
  if (!lower || !upper) {
    return invalid("the expression is of type " + std::string(name_of(x.type())) + ", and its bounds are not",
                   "write bounds of its type, or leave them out");
  }
  if (!(*lower < *upper)) return invalid("lower must be below upper", "put the smaller one first");
  if (x.bounded() && !(contains(x.span(), *lower) && contains(x.span(), *upper))) {
    return invalid("the bounds are wider than what the expression can be, " + span_text(x.span()),
                   "narrow them, or leave them out");
  }
  return apply(Operation::clamp, {x, literal(*lower), literal(*upper)});
}

}  // namespace

Result<Expression> read_named(const NamedExpression& named, const Table& table, const ParseSql& parse) {
  const Scope scope{table, {{table.name, 0, table.columns.size()}}, {}, {}, {}};
  const Result<Expression> x = read_sql(named.sql, scope, parse);
  if (!x || !named.range) return x;
  return narrowed(*x, *named.range);
}

Result<Expression> read_condition(const View& view, const Table& table, const ParseSql& parse) {
  const Scope scope{table, {{table.name, 0, table.columns.size()}}, {}, {}, parse};
  const Result<Expression> x = read_sql(view.where, scope, parse);
  if (!x) return x;
  if (x->type() == Type::boolean && x->operation() != Operation::null) return x;
  return invalid("where must be a condition, such as age >= 18");
}

}  // namespace vernier::query
