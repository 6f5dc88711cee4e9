#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "vernier/query/translate/syntax.hpp"

// Nodes as the parser writes them, at the place of another one.
namespace vernier::query {

Json node_of(const Json& at, std::string_view kind, std::string_view type);
Json constant_of(const Json& at, std::string_view type, Json value);
Json whole(const Json& at, std::int64_t value);
Json text_constant(const Json& at, std::string_view value);
Json null_constant(const Json& at);
Json call(const Json& at, std::string_view name, std::vector<Json> operands, bool is_operator = false);
Json sign(const Json& at, std::string_view name, Json a, Json b);
Json comparison_of(const Json& at, std::string_view type, Json a, Json b);
Json operator_of(const Json& at, std::string_view type, std::vector<Json> operands);
Json choice_of(const Json& at, std::vector<std::pair<Json, Json>> checks, Json otherwise);
Json cast_of(const Json& at, std::string_view type, Json x);

}  // namespace vernier::query
