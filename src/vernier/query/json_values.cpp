#include "vernier/query/json_values.hpp"

namespace vernier::query {
namespace {

struct WriteValue {
  JsonWriter& json;
  void operator()(bool value) const { json.boolean(value); }
  void operator()(std::int64_t value) const { json.value(value); }
  void operator()(double value) const { json.value(value); }
  void operator()(const std::string& value) const { json.value(std::string_view(value)); }
  void operator()(Day value) const { json.value(std::string_view(text_of(value))); }
};

}  // namespace

void write_value(JsonWriter& json, const Value& value) { std::visit(WriteValue{json}, value); }

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key);
  json.begin_array();
  for (const std::string& text : texts) json.value(std::string_view(text));
  json.end_array();
}

}  // namespace vernier::query
