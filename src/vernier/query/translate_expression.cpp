#include <algorithm>
#include <array>
#include <map>

#include "vernier/query/sql_text.hpp"
#include "vernier/query/translate.hpp"

namespace vernier::query {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

const Column* find_column(const Table& table, std::string_view name) {
  const auto exact = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  if (exact != table.columns.end()) return &*exact;
  const Column* found = nullptr;
  for (const Column& column : table.columns) {
    if (!same_name(column.name, name)) continue;
    if (found != nullptr) return nullptr;
    found = &column;
  }
  return found;
}

std::string column_list(const Table& table) {
  std::string names;
  for (const Column& column : table.columns) names += (names.empty() ? "" : ", ") + column.name;
  return names;
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
  Read<std::vector<Expression>> parts =
      read_all(Json::array({node.at("input"), node.at("lower"), node.at("upper")}), scope);
  if (!parts) return tl::unexpected(parts.error());
  return located(apply(Operation::between, std::move(*parts)), node);
}

Read<Expression> read_case(const Json& node, const Scope& scope) {
  Json parts = Json::array();
  for (const Json& check : list(node, "case_checks")) {
    if (!has_exactly(check, {"when_expr", "then_expr"})) return refuse(node, "this CASE has a part that is not known");
    parts.push_back(check.at("when_expr"));
    parts.push_back(check.at("then_expr"));
  }
  parts.push_back(node.at("else_expr"));
  Read<std::vector<Expression>> operands = read_all(parts, scope);
  if (!operands) return tl::unexpected(operands.error());
  return located(apply(Operation::case_when, std::move(*operands)), node);
}

std::optional<Type> type_of_cast(std::string_view id) {
  if (id == "INTEGER" || id == "BIGINT") return Type::integer;
  if (id == "DOUBLE" || id == "FLOAT") return Type::real;
  if (id == "VARCHAR") return Type::string;
  if (id == "BOOLEAN") return Type::boolean;
  return id == "DATE" ? std::optional(Type::date) : std::nullopt;
}

Read<Expression> read_cast(const Json& node, const Scope& scope) {
  const Json& target = node.at("cast_type");
  const std::optional<Type> type = type_of_cast(text(target, "id"));
  if (!type || !has_exactly(target, {"id", "type_info"}) || !target.at("type_info").is_null() ||
      !node.at("try_cast").is_boolean()) {
    return refuse(node, "CAST goes to INTEGER, DOUBLE, VARCHAR, BOOLEAN or DATE");
  }
  const Read<Expression> child = read_expression(node.at("child"), scope);
  if (!child) return child;
  return located(cast(*child, *type), node);
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

Read<Expression> read_column(const Json& node, const Scope& scope) {
  const Json& names = list(node, "column_names");
  const bool qualified = names.size() == 2 && same_name(names[0].get_ref<const std::string&>(), scope.alias);
  if (names.size() != 1 && !qualified) return refuse(node, "a column is written as name or table.name");
  const auto& name = names.back().get_ref<const std::string&>();
  const Column* const found = find_column(scope.table, name);
  if (found != nullptr) return column(*found);
  return refuse(node, "the table " + shown(scope.table.name) + " has no column \"" + shown(name) + "\"; it has " +
                          column_list(scope.table));
}

Read<std::vector<Expression>> read_all(const Json& nodes, const Scope& scope) {
  std::vector<Expression> read;
  for (const Json& node : nodes) {
    const Read<Expression> one = read_expression(node, scope);
    if (!one) return tl::unexpected(one.error());
    read.push_back(*one);
  }
  return read;
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
  if (kind == "COMPARISON") return applied(node, read_all(Json::array({node.at("left"), node.at("right")}), scope));
  return applied(node, read_all(list(node, "children"), scope));
}

}  // namespace vernier::query
