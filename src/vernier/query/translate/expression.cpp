#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <numeric>

#include "vernier/core/text.hpp"
#include "vernier/query/expression/moment.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Constants, as the parser types them: INTEGER to HUGEINT, DECIMAL as an unscaled integer with a scale, DOUBLE,
// VARCHAR.
namespace vernier::query {
namespace {

bool is_integer_type(std::string_view id) {
  return id == "TINYINT" || id == "SMALLINT" || id == "INTEGER" || id == "BIGINT";
}

std::string digits_of(Int128 number) {
  const bool negative = number < 0;
  std::string digits;
  do {
    const auto digit = static_cast<int>(number % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    number /= 10;
  } while (number != 0);
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

// Up to 64 bits as a number, more as two halves.
Int128 wide_integer(const Json& value) {
  if (!value.is_object()) return value.get<std::int64_t>();
  return (static_cast<Int128>(value.at("upper").get<std::int64_t>()) << 64) | value.at("lower").get<std::uint64_t>();
}

bool is_unscaled(const Json& value) {
  return value.is_number_integer() || (has_exactly(value, {"upper", "lower"}) &&
                                       value.at("upper").is_number_integer() && value.at("lower").is_number_unsigned());
}

// The double that is nearest to the decimal as written.
Read<Expression> decimal(const Json& node, const Json& value) {
  const auto scale = value.at("type").at("type_info").at("scale").get<int>();
  const std::string digits = digits_of(wide_integer(value.at("value"))) + "e" + std::to_string(-scale);
  const Result<double> number = read_number("the number", digits);
  if (!number) return refuse(node, number.error());
  return literal(*number);
}

tl::unexpected<Refusal> not_a_fraction(const Json& node) {
  return refuse(node,
                "the second part of QUANTILE is a decimal between 0 and 1 with at most " +
                    std::to_string(most_fraction_digits) + " digits behind the point, such as 0.9",
                "write MIN(x) or MAX(x) for the ends");
}

// A type by its name alone, or a DECIMAL with width and scale.
bool is_plain_type(const Json& type) {
  if (!has_exactly(type, {"id", "type_info"})) return false;
  const Json& details = type.at("type_info");
  if (text(type, "id") != "DECIMAL") return details.is_null();
  return has_exactly(details, {"type", "alias", "extension_info", "width", "scale"}) &&
         text(details, "type") == "DECIMAL_TYPE_INFO" && text(details, "alias").empty() &&
         details.at("extension_info").is_null() && details.at("width").is_number_unsigned() &&
         details.at("scale").is_number_unsigned();
}

Read<Expression> of_type(const Json& node, const Json& value, std::string_view id) {
  const Json& content = value.at("value");
  if (is_integer_type(id) && content.is_number_integer()) return literal(content.get<std::int64_t>());
  if (id == "DECIMAL" && is_unscaled(content)) return decimal(node, value);
  if (id == "DOUBLE" && content.is_number_float()) return literal(content.get<double>());
  if (id == "VARCHAR") return literal(content.get<std::string>());
  if (id == "BOOLEAN") return literal(content.get<bool>());
  if (id == "HUGEINT") return refuse(node, "an integer must fit in 64 bits", "write it with an exponent, as in 1e20");
  return refuse(node, "this kind of constant is not accepted",
                "write a number, 'text', DATE '2020-02-29', TRUE or NULL");
}

}  // namespace

Read<Expression> read_literal(const Json& node) {
  const Json& value = node.at("value");
  const bool is_null = value.at("is_null").get<bool>();
  const bool known =
      is_null ? has_exactly(value, {"type", "is_null"}) : has_exactly(value, {"type", "is_null", "value"});
  if (!known || !is_plain_type(value.at("type"))) return refuse(node, "this constant has a part that is not known");
  if (is_null) return null_of(Type::integer);
  return of_type(node, value, text(value.at("type"), "id"));
}

Read<Fraction> read_fraction(const Json& node) {
  if (text(node, "class") != "CONSTANT") return not_a_fraction(node);
  if (const Read<Expression> known = read_literal(node); !known) return tl::unexpected(known.error());
  const Json& value = node.at("value");
  if (text(value.at("type"), "id") != "DECIMAL" || value.at("is_null").get<bool>()) return not_a_fraction(node);
  Int128 parts = wide_integer(value.at("value"));
  auto scale = value.at("type").at("type_info").at("scale").get<int>();
  for (; scale > 0 && parts % 10 == 0; --scale) parts /= 10;
  if (scale > most_fraction_digits) return not_a_fraction(node);
  Int128 whole = 1;
  for (int digit = 0; digit < scale; ++digit) whole *= 10;
  if (parts <= 0 || parts >= whole) return not_a_fraction(node);
  const auto common = std::gcd(static_cast<std::int64_t>(parts), static_cast<std::int64_t>(whole));
  return Fraction{static_cast<std::int64_t>(parts) / common, static_cast<std::int64_t>(whole) / common};
}

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The only one of the name among those of a source, or of all.
const Column* find_column(const Scope& scope, const SourceInScope& source, std::string_view name) {
  const auto first = scope.table.columns.begin() + static_cast<std::ptrdiff_t>(source.first);
  const auto last = first + static_cast<std::ptrdiff_t>(source.count);
  const auto exact = std::find_if(first, last, [&](const Column& column) { return column.name == name; });
  if (exact != last) return &*exact;
  const auto is_same = [&](const Column& column) { return same_name(column.name, name); };
  const auto found = std::find_if(first, last, is_same);
  if (found == last || std::any_of(found + 1, last, is_same)) return nullptr;
  return &*found;
}

std::string column_list(const Scope& scope, const SourceInScope& source) {
  std::string names;
  for (std::size_t i = source.first; i < source.first + source.count; ++i) {
    names += (names.empty() ? "" : ", ") + scope.table.columns[i].name;
  }
  return names;
}

const NamedExpression* find_named(const Scope& scope, std::string_view name) {
  const std::vector<NamedExpression>& all = scope.table.expressions;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const NamedExpression& one) { return same_name(one.name, name); });
  return found == all.end() ? nullptr : &*found;
}

Read<Expression> read_named_at(const Json& node, const Scope& scope, const NamedExpression& named) {
  if (!scope.parse) {
    return refuse(node, "the named expression \"" + shown(named.name) + "\" cannot stand in another one",
                  "write what it means");
  }
  const Result<Expression> x = read_named(named, scope.table, scope.parse);
  if (x) return *x;
  return refuse(node, after("the catalog's expression \"" + shown(named.name) + "\" cannot be used: ", x.error()));
}

// Texts in double quotes are names for SQL.
tl::unexpected<Refusal> no_column(const Json& node, const std::string& where, const std::string& name,
                                  const std::string& advice) {
  if (same_name(name, "current_date") || same_name(name, "current_timestamp") || same_name(name, "localtimestamp")) {
    return refuse(node, "what a statement means must not change with the time at which it is run",
                  "write the day itself, as in DATE '2026-01-31'");
  }
  Error error{ErrorKind::invalid, where + " has no column \"" + shown(name) + "\"", {}, advice};
  return tl::unexpected(Refusal{std::move(error), place(node), {}, {}, quoted_text(shown(name))});
}

Read<Expression> read_column_of(const Json& node, const Scope& scope, const SourceInScope& source,
                                const std::string& name) {
  const NamedExpression* const named = source.first == 0 ? find_named(scope, name) : nullptr;
  const Column* const found = find_column(scope, source, name);
  // A definition that has the name of a column says what this is; its own text means the column.
  if (found != nullptr && (named == nullptr || !scope.parse)) return column(*found);
  if (named != nullptr) return read_named_at(node, scope, *named);
  return no_column(node, "the table " + shown(source.alias), name, "it has " + column_list(scope, source));
}

// The pair of columns by which tables are joined that has this name on the right.
std::optional<std::size_t> pair_named(const Join& join, std::string_view name) {
  const std::vector<std::string>& columns = join.right_columns();
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const std::string& column) { return same_name(column, name); });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

// A column whose name another protected table has as well stands behind the name of its own.
std::string name_in(const Scope& scope, const SourceInScope& source, const std::string& name) {
  const std::string full = source.alias + "." + name;
  const bool is_plain = find_column(scope, source, name) != nullptr || find_column(scope, source, full) == nullptr;
  return is_plain ? name : full;
}

std::optional<Operation> operation_of(std::string_view type) {
  static const std::map<std::string_view, Operation> known{
      {"COMPARE_EQUAL", Operation::equal},
      {"COMPARE_NOTEQUAL", Operation::not_equal},
      {"COMPARE_LESSTHAN", Operation::less},
      {"COMPARE_LESSTHANOREQUALTO", Operation::less_equal},
      {"COMPARE_GREATERTHAN", Operation::greater},
      {"COMPARE_GREATERTHANOREQUALTO", Operation::greater_equal},
      {"CONJUNCTION_AND", Operation::logical_and},
      {"CONJUNCTION_OR", Operation::logical_or},
      {"OPERATOR_NOT", Operation::logical_not},
      {"OPERATOR_IS_NULL", Operation::is_null},
      {"OPERATOR_IS_NOT_NULL", Operation::is_null},
      {"COMPARE_IN", Operation::in},
      {"COMPARE_NOT_IN", Operation::in},
      {"OPERATOR_COALESCE", Operation::coalesce},
  };
  const auto found = known.find(type);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

bool is_negated(std::string_view type) { return type == "OPERATOR_IS_NOT_NULL" || type == "COMPARE_NOT_IN"; }

// An operation over the parts that these fields hold.
Read<Expression> applied(const Json& node, Read<std::vector<Expression>> operands) {
  if (!operands) return tl::unexpected(operands.error());
  const std::string& type = text(node, "type");
  const Result<Expression> result = apply(*operation_of(type), std::move(*operands));
  if (!result || !is_negated(type)) return located(result, node);
  return located(apply(Operation::logical_not, {*result}), node);
}

Read<Expression> read_between(const Json& node, const Scope& scope) {
  Read<std::vector<Expression>> parts = read_each({&node.at("input"), &node.at("lower"), &node.at("upper")}, scope);
  if (!parts) return tl::unexpected(parts.error());
  return located(apply(Operation::between, std::move(*parts)), node);
}

Read<Expression> read_case(const Json& node, const Scope& scope) {
  std::vector<const Json*> parts;
  for (const Json& check : list(node, "case_checks")) {
    if (!has_exactly(check, {"when_expr", "then_expr"})) return refuse(node, "this CASE has a part that is not known");
    parts.push_back(&check.at("when_expr"));
    parts.push_back(&check.at("then_expr"));
  }
  parts.push_back(&node.at("else_expr"));
  Read<std::vector<Expression>> operands = read_each(parts, scope);
  if (!operands) return tl::unexpected(operands.error());
  return located(apply(Operation::case_when, std::move(*operands)), node);
}

std::optional<Type> type_of_cast(std::string_view id) {
  if (id == "INTEGER" || id == "BIGINT" || id == "SMALLINT" || id == "TINYINT") return Type::integer;
  if (id == "DOUBLE" || id == "FLOAT") return Type::real;
  if (id == "VARCHAR") return Type::string;
  if (id == "BOOLEAN") return Type::boolean;
  return id == "DATE" ? std::optional(Type::date) : std::nullopt;
}

// DECIMAL(18, 2) is the number rounded to so many digits, as a double; without a scale there are three.
Read<Expression> read_decimal(const Json& node, const Scope& scope) {
  const Json& details = node.at("cast_type").value("type_info", Json());
  const std::int64_t scale = details.is_object() && details.contains("scale") ? details.at("scale").get<int>() : 3;
  const Read<Expression> child = read_expression(node.at("child"), scope);
  if (!child) return child;
  const Read<Expression> real = located(cast(*child, Type::real), node);
  if (!real || scale > most_decimals) return real;
  return located(rounded_to(*real, scale), node);
}

// A text that is written out is a time once and for all rows.
Read<Expression> read_time(const Json& node, const std::string& type, const Scope& scope) {
  const Read<Expression> child = read_expression(node.at("child"), scope);
  if (!child) return child;
  const auto* const written =
      child->operation() == Operation::literal ? std::get_if<std::string>(&child->value()) : nullptr;
  const auto of_day = type == "TIME" && written != nullptr ? read_time_of_day(*written) : std::nullopt;
  if (of_day) return located(apply(Operation::instant, {literal(*of_day)}), node);
  const Result<Expression> time = to_instant(*child);
  return located(time && type == "TIME" ? time_of_day(*time) : time, node);
}

Read<Expression> read_cast(const Json& node, const Scope& scope) {
  const Json& target = node.at("cast_type");
  if (text(target, "id") == "DECIMAL") return read_decimal(node, scope);
  if (const std::string& id = text(target, "id"); id == "TIMESTAMP" || id == "TIME") return read_time(node, id, scope);
  if (is_interval(node)) return read_interval_alone(node);
  const std::optional<Type> type = type_of_cast(text(target, "id"));
  const bool is_plain = target.contains("type_info") && target.at("type_info").is_null();
  if (!type || !has_exactly(target, {"id", "type_info"}) || !is_plain || !node.at("try_cast").is_boolean()) {
    return refuse(node, "CAST goes to INTEGER, DOUBLE, DECIMAL, VARCHAR, BOOLEAN, DATE, TIMESTAMP or TIME");
  }
  const Read<Expression> child = read_expression(node.at("child"), scope);
  if (!child) return child;
  return located(cast(*child, *type), node);
}

}  // namespace

const NamedExpression* named_expression(const Json& node, const Scope& scope) {
  if (text(node, "class") != "COLUMN_REF" || !scope.projected.empty()) return nullptr;
  const Json& names = list(node, "column_names");
  const auto& name = names.back().get_ref<const std::string&>();
  return scope.table.column(name) == nullptr || scope.parse ? find_named(scope, name) : nullptr;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

namespace {

// A column of a query behind FROM is what that query makes it.
Read<Expression> read_projected(const Json& node, const Scope& scope) {
  const Json& names = list(node, "column_names");
  const std::string& alias = scope.sources.front().alias;
  const bool is_other = names.size() == 2 && !same_name(names[0].get_ref<const std::string&>(), alias);
  if (names.size() > 2 || is_other) return refuse(node, "a column is written as name or " + shown(alias) + ".name");
  const auto& name = names.back().get_ref<const std::string&>();
  std::string all;
  for (const Key& one : scope.projected) {
    if (same_name(one.name, name)) return one.expression;
    all += (all.empty() ? "" : ", ") + one.name;
  }
  return no_column(node, "the query " + shown(alias), name, "it has " + all);
}

// A column by which a table was joined, by its own name alone: the one that it is equal to, wherever there is a row.
// Columns that are in sight by their names come first.
std::optional<Expression> joined_by(const Scope& scope, const std::string& name) {
  if (scope.table.column(name) != nullptr || find_named(scope, name) != nullptr) return std::nullopt;
  for (const Join& join : scope.joins) {
    const std::optional<std::size_t> pair = join.brings_columns() ? pair_named(join, name) : std::nullopt;
    const bool is_it = pair && !join.keeps_all && (join.kind != JoinKind::by_unit || *pair == 0);
    if (is_it) return column(*scope.table.column(join.columns[*pair]));
  }
  return std::nullopt;
}

}  // namespace

Read<Expression> read_column(const Json& node, const Scope& scope) {
  if (!scope.projected.empty()) return read_projected(node, scope);
  const Json& names = list(node, "column_names");
  const auto& name = names.back().get_ref<const std::string&>();
  if (const auto found = names.size() == 1 ? joined_by(scope, name) : std::nullopt) return *found;
  if (names.size() == 1) return read_column_of(node, scope, {scope.table.name, 0, scope.table.columns.size()}, name);
  const auto source = std::find_if(scope.sources.begin(), scope.sources.end(), [&](const SourceInScope& one) {
    return names.size() == 2 && same_name(names[0].get_ref<const std::string&>(), one.alias);
  });
  if (source == scope.sources.end()) return refuse(node, "a column is written as name or table.name");
  const auto place = source - scope.sources.begin();
  if (place > 0) {
    const Join& join = scope.joins[static_cast<std::size_t>(place) - 1];
    const bool is_unit = join.kind == JoinKind::by_unit;
    const std::optional<std::size_t> pair = pair_named(join, name);
    if (pair && (!is_unit || *pair == 0)) {
      if (!join.keeps_all) return column(*scope.table.column(join.columns[*pair]));  // equal, wherever there is a row
      return refuse(node,
                    "by this column the tables are joined, and behind LEFT JOIN that of the table on the left stands",
                    "write \"" + shown(join.columns[*pair]) + "\" alone");
    }
  }
  return read_column_of(node, scope, *source, name_in(scope, *source, name));
}

Read<std::vector<Expression>> read_each(const std::vector<const Json*>& nodes, const Scope& scope) {
  std::vector<Expression> read;
  for (const Json* const node : nodes) {
    const Read<Expression> one = read_expression(*node, scope);
    if (!one) return tl::unexpected(one.error());
    read.push_back(*one);
  }
  return read;
}

Read<std::vector<Expression>> read_all(const Json& nodes, const Scope& scope) {
  std::vector<const Json*> each;
  for (const Json& node : nodes) each.push_back(&node);
  return read_each(each, scope);
}

Read<void> check_expression(const Json& node) {
  if (const Read<void> known = check_shape(node); !known) return known;
  if (text(node, "alias").empty()) return {};
  return refuse(node, "a name (AS) stands only behind a whole column of the SELECT list");
}

Read<Expression> read_expression(const Json& node, const Scope& scope) {
  if (const Read<void> known = check_expression(node); !known) return tl::unexpected(known.error());
  const std::string& kind = text(node, "class");
  if (kind == "COLUMN_REF") return read_column(node, scope);
  if (kind == "CONSTANT") return read_literal(node);
  if (kind == "FUNCTION") return read_function(node, scope);
  if (kind == "BETWEEN") return read_between(node, scope);
  if (kind == "CASE") return read_case(node, scope);
  if (kind == "CAST") return read_cast(node, scope);
  if (kind == "COMPARISON") {
    const Operation compare = *operation_of(text(node, "type"));
    if (std::optional<Read<Expression>> moved = read_moved_comparison(node, compare, scope)) return *std::move(moved);
    return applied(node, read_each({&node.at("left"), &node.at("right")}, scope));
  }
  return applied(node, read_all(list(node, "children"), scope));
}

}  // namespace vernier::query
