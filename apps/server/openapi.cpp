#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "server/routes.hpp"
#include "vernier/core/version.hpp"

// The list of routes as OpenAPI 3.1.
namespace vernier::server {
namespace {

using Json = nlohmann::ordered_json;

bool may_be_missing(std::string_view field) { return field.back() == '?'; }
std::string plain(std::string_view field) {
  return std::string(field.substr(0, field.size() - (may_be_missing(field) ? 1 : 0)));
}

// What stands for the words of a command: one, or a list of them; true for a word that has no value.
bool takes_words(const Route& route) {
  return route.name == "calibrate" || route.name == "law" || route.name == "compose" || route.name == "coverage";
}

// Of the other fields those that are no texts.
Json type_of(const Route& route, const std::string& field) {
  if (takes_words(route)) return {{"$ref", "#/components/schemas/Words"}};
  if (field == "days" || field == "frames") return {{"type", "integer"}, {"minimum", 1}};
  if (field == "edit") return {{"$ref", "#/components/schemas/Edit"}};
  if (field == "epsilons") return {{"type", "array"}, {"items", {{"type", {"string", "number"}}}}, {"maxItems", 41}};
  return {{"type", "string"}};
}

Json parameter(const std::string& name, const char* place, bool is_required) {
  return {{"name", name}, {"in", place}, {"required", is_required}, {"schema", {{"type", "string"}}}};
}

Json parameters_of(const Route& route) {
  Json all = Json::array();
  for (std::size_t at = route.pattern.find('{'); at != std::string_view::npos; at = route.pattern.find('{', at + 1)) {
    const std::size_t end = route.pattern.find('}', at);
    all.push_back(parameter(std::string(route.pattern.substr(at + 1, end - at - 1)), "path", true));
  }
  for (const std::string_view name : route.query) all.push_back(parameter(plain(name), "query", !may_be_missing(name)));
  if (route.by == By::release) all.push_back(parameter("Idempotency-Key", "header", true));
  return all;
}

Json body_of(const Route& route) {
  Json required = Json::array(), properties = Json::object();
  for (const std::string_view field : route.fields) {
    if (!may_be_missing(field)) required.push_back(plain(field));
    properties[plain(field)] = type_of(route, plain(field));
  }
  const Json schema = {
      {"type", "object"}, {"required", required}, {"properties", properties}, {"additionalProperties", false}};
  return {{"required", true}, {"content", {{"application/json", {{"schema", schema}}}}}};
}

// In which form the answer comes; most are objects.
Json content_of(const Route& route) {
  constexpr std::array<std::pair<std::string_view, const char*>, 9> others = {
      {{"healthz", "text/plain"},
       {"readyz", "text/plain"},
       {"metrics", "text/plain"},
       {"events", "text/event-stream"},
       {"document", "*/*"},
       {"use-ticket", "*/*"},
       {"published-document", "*/*"},
       {"public-document", "*/*"},
       {"export-ledger", "application/octet-stream"}}};
  for (const auto& [name, type] : others) {
    if (route.name == name) return {{type, {{"schema", {{"type", "string"}}}}}};
  }
  return {{"application/json", {{"schema", {{"type", "object"}}}}}};
}

Json operation(const Route& route) {
  Json told = {{"operationId", route.name}, {"summary", route.summary}, {"x-roles", role_names(route.roles)}};
  told["parameters"] = parameters_of(route);
  if (route.method == "POST" || route.method == "PUT") told["requestBody"] = body_of(route);
  const Json answer = {{"description", route.summary}, {"content", content_of(route)}};
  told["responses"][route.by == By::release ? "202" : "200"] = answer;
  told["responses"]["default"] = {{"$ref", "#/components/responses/Error"}};
  if (route.roles != nobody_asked) told["security"] = Json::array({{{"token", Json::array()}}});
  return told;
}

Json components() {
  const Json text = {{"type", "string"}};
  const Json one = {{"type", {"string", "number", "boolean"}}};
  const Json words = {{"anyOf", {one, {{"type", "array"}, {"items", one}, {"minItems", 1}}}}};
  Json edit = {{"type", "object"},
               {"required", Json::array({"kind"})},
               {"additionalProperties", {{"type", {"string", "number"}}}}};
  edit["properties"]["kind"] = {
      {"enum",
       {"accuracy", "unlock", "share", "weight", "choose", "sql", "budget", "least", "alpha", "add", "remove"}}};
  Json error = {{"type", "object"}, {"required", {"kind", "problem", "sentence"}}};
  error["properties"] = {{"kind", text}, {"problem", text}, {"sentence", text}};
  Json envelope = {{"type", "object"}, {"required", {"error"}}};
  envelope["properties"]["error"] = error;
  Json all;
  all["schemas"] = {{"Words", words}, {"Edit", edit}, {"Error", envelope}};
  all["responses"]["Error"] = {
      {"description", "one sentence, and its parts"},
      {"content", {{"application/json", {{"schema", {{"$ref", "#/components/schemas/Error"}}}}}}}};
  all["securitySchemes"]["token"] = {{"type", "http"}, {"scheme", "bearer"}};
  return all;
}

}  // namespace

std::string openapi_json() {
  Json told = {{"openapi", "3.1.0"}, {"info", {{"title", "Vernier"}, {"version", version()}}}};
  told["paths"] = Json::object();
  for (const Route& route : routes()) {
    std::string method(route.method);
    for (char& letter : method) letter = static_cast<char>(letter - 'A' + 'a');
    told["paths"][std::string(route.pattern)][method] = operation(route);
  }
  told["components"] = components();
  return told.dump() + "\n";
}

}  // namespace vernier::server
