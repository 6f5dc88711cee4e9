#include "vernier/query/read_value.hpp"

#include "vernier/core/text.hpp"

namespace vernier::query {
namespace {

template <class Content>
std::optional<Value> content_of(const TomlNode& node) {
  const auto* const content = std::get_if<Content>(&node.content);
  return content == nullptr ? std::nullopt : std::optional<Value>(*content);
}

// Written as we would write it, so that 1, 01 and +1 are not three names of one value.
std::optional<Value> integer_of(std::string_view text) {
  const Result<long long> value = read_integer("a key", text);
  if (!value || std::to_string(*value) != text) return std::nullopt;
  return std::int64_t{*value};
}

}  // namespace

std::string example_of(Type type) {
  switch (type) {
    case Type::boolean:
      return "true or false";
    case Type::integer:
      return "a whole number such as 16";
    case Type::real:
      return "a number such as 0.5";
    case Type::string:
      return "a text in double quotes such as \"north\"";
    case Type::date:
      return "a date without quotes such as 2026-01-31";
  }
  return {};
}

std::optional<Value> value_of(const TomlNode& node, Type type) {
  switch (type) {
    case Type::boolean:
      return content_of<bool>(node);
    case Type::integer:
      return content_of<std::int64_t>(node);
    case Type::string:
      return content_of<std::string>(node);
    case Type::date:
      return content_of<Day>(node);
    case Type::real:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Value> value_of_key(std::string_view key, Type type) {
  switch (type) {
    case Type::boolean:
      if (key != "true" && key != "false") return std::nullopt;
      return key == "true";
    case Type::integer:
      return integer_of(key);
    case Type::string:
      return std::string(key);
    case Type::date:
      if (const auto day = read_day(key)) return *day;
      return std::nullopt;
    case Type::real:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace vernier::query
