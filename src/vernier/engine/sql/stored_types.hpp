#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vernier/query/value.hpp"

// Which types a column of a server may be declared as, by the name of what is stored.
namespace vernier::engine {

struct StoredType {
  std::string_view name;
  std::array<std::optional<query::Type>, 2> may_be;
};

// By the bare name, "numeric"; none where the server's list does not have it.
std::vector<query::Type> types_named(std::string_view bare, std::span<const StoredType> known);

// By the whole one, "decimal(10,0)": whole numbers of at most 18 digits have 64 bits.
std::vector<query::Type> types_that_hold(std::string_view stored, std::span<const StoredType> known);

}  // namespace vernier::engine
