#include "vernier/query/translate/parser_nodes.hpp"

namespace vernier::query {

Json node_of(const Json& at, std::string_view kind, std::string_view type) {
  return {{"class", kind}, {"type", type}, {"alias", ""}, {"query_location", place(at).value_or(UINT64_MAX)}};
}

Json constant_of(const Json& at, std::string_view type, Json value) {
  Json made = node_of(at, "CONSTANT", "VALUE_CONSTANT");
  made["value"] = {{"type", {{"id", type}, {"type_info", nullptr}}}, {"is_null", false}, {"value", std::move(value)}};
  return made;
}

Json whole(const Json& at, std::int64_t value) { return constant_of(at, "INTEGER", value); }
Json text_constant(const Json& at, std::string_view value) { return constant_of(at, "VARCHAR", value); }

Json null_constant(const Json& at) {
  Json made = node_of(at, "CONSTANT", "VALUE_CONSTANT");
  made["value"] = {{"type", {{"id", "NULL"}, {"type_info", nullptr}}}, {"is_null", true}};
  return made;
}

Json call(const Json& at, std::string_view name, std::vector<Json> operands, bool is_operator) {
  Json made = node_of(at, "FUNCTION", "FUNCTION");
  made["function_name"] = name;
  made["schema"] = "";
  made["catalog"] = "";
  made["children"] = std::move(operands);
  made["filter"] = nullptr;
  made["order_bys"] = {{"type", "ORDER_MODIFIER"}, {"orders", Json::array()}};
  made["distinct"] = false;
  made["is_operator"] = is_operator;
  made["export_state"] = false;
  return made;
}

Json sign(const Json& at, std::string_view name, Json a, Json b) {
  return call(at, name, {std::move(a), std::move(b)}, true);
}

Json comparison_of(const Json& at, std::string_view type, Json a, Json b) {
  Json made = node_of(at, "COMPARISON", type);
  made["left"] = std::move(a);
  made["right"] = std::move(b);
  return made;
}

Json operator_of(const Json& at, std::string_view type, std::vector<Json> operands) {
  Json made = node_of(at, "OPERATOR", type);
  made["children"] = std::move(operands);
  return made;
}

Json choice_of(const Json& at, std::vector<std::pair<Json, Json>> checks, Json otherwise) {
  Json made = node_of(at, "CASE", "CASE_EXPR");
  made["case_checks"] = Json::array();
  for (auto& [condition, value] : checks) {
    made["case_checks"].push_back({{"when_expr", std::move(condition)}, {"then_expr", std::move(value)}});
  }
  made["else_expr"] = std::move(otherwise);
  return made;
}

Json cast_of(const Json& at, std::string_view type, Json x) {
  Json made = node_of(at, "CAST", "OPERATOR_CAST");
  made["child"] = std::move(x);
  made["cast_type"] = {{"id", type}, {"type_info", nullptr}};
  made["try_cast"] = true;
  return made;
}

}  // namespace vernier::query
