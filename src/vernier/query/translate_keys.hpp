#pragma once

#include "vernier/query/translate.hpp"

// GROUP BY and ORDER BY, which name parts of the SELECT list in several ways.
namespace vernier::query {

// One column of the SELECT list, as read.
struct Selected {
  std::string name;                        // of the published column
  std::optional<Expression> key;           // either this
  std::optional<Aggregation> aggregation;  // or this
  std::size_t byte;                        // where it stands in the statement
};

Read<std::vector<Selected>> read_select_list(const Json& items, const Scope& scope);

// The places in the SELECT list that GROUP BY names, in its order.
Read<std::vector<std::size_t>> read_group_by(const Json& node, const std::vector<Selected>& selected,
                                             const Scope& scope);

// The order of the rows, by keys at these places.
Read<std::vector<KeyOrder>> read_order_by(const Json& modifiers, const std::vector<Selected>& selected,
                                          const std::vector<std::size_t>& keys, const Scope& scope);

}  // namespace vernier::query
