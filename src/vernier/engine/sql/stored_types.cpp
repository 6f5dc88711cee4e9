#include "vernier/engine/sql/stored_types.hpp"

#include <charconv>

namespace vernier::engine {
namespace {

using query::Type;

bool is_whole(std::string_view stored) {
  int digits = 0;
  const std::size_t bracket = stored.find('(');
  if (!stored.starts_with("decimal(") || !stored.ends_with(",0)")) return false;
  std::from_chars(stored.data() + bracket + 1, stored.data() + stored.size(), digits);
  return digits >= 1 && digits <= 18;
}

}  // namespace

std::vector<Type> types_named(std::string_view bare, std::span<const StoredType> known) {
  std::vector<Type> types;
  for (const StoredType& one : known) {
    for (const auto& type : one.may_be) {
      if (one.name == bare && type) types.push_back(*type);
    }
  }
  return types;
}

std::vector<Type> types_that_hold(std::string_view stored, std::span<const StoredType> known) {
  std::vector<Type> types = types_named(stored.substr(0, stored.find('(')), known);
  if (is_whole(stored)) types.insert(types.begin(), Type::integer);
  return types;
}

}  // namespace vernier::engine
