#include "vernier/engine/as_declared.hpp"

namespace vernier::engine {
namespace {

template <class To>
std::optional<query::Value> read_as(const query::Value& value) {
  return std::visit(
      [](const auto& held) -> std::optional<query::Value> {
        if (auto read = To::of(held)) return query::Value(*std::move(read));
        return std::nullopt;
      },
      value);
}

}  // namespace

std::optional<query::Value> as_declared(query::Type declared, const query::Value& value) {
  switch (declared) {
    case query::Type::boolean:
      return read_as<ToBoolean>(value);
    case query::Type::integer:
      return read_as<ToInteger>(value);
    case query::Type::real:
      return read_as<ToReal>(value);
    case query::Type::string:
      return read_as<ToText>(value);
    case query::Type::date:
      break;
  }
  return read_as<ToDay>(value);
}

}  // namespace vernier::engine
