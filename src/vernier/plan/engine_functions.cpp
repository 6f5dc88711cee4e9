#include "vernier/plan/engine_functions.hpp"

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/render_rows.hpp"

namespace vernier::plan {

std::string StepsFunction::name() const {
  const std::string steps =
      joined({"steps", shortest(lower), shortest(upper), shortest(scale), std::to_string(origin)}, " ");
  if (!square) return steps;
  return joined({steps, square->is_from_above ? "squared above" : "squared below", std::to_string(square->steps),
                 std::to_string(square->fineness)},
                " ");
}

std::string BottomM::name() const {
  const std::string shape = numbered(numbered("bottom_m_", static_cast<std::size_t>(groups)) + "_", arguments);
  return numbered(shape + "_", static_cast<std::size_t>(most_rows));
}

std::vector<std::string> BottomM::fields() const {
  std::vector<std::string> names{"cell", "c"};
  for (std::size_t i = 0; i < arguments; ++i) {
    names.push_back(numbered("n", i));
    names.push_back(numbered("s", i));
  }
  return names;
}

std::string BottomValues::name() const { return numbered("bottom_values_", static_cast<std::size_t>(values)); }

std::string CellOf::name() const {
  std::string content;
  for (const std::vector<query::Value>& cell : cells) {
    for (const query::Value& key : cell) {
      const std::string text = query::text_of(key);
      content += numbered(query::name_of(query::type_of(key)), text.size()) + ":" + text;
    }
    content += ";";
  }
  return "cell_of_" + sha256(content).value_or(hex(content));
}

}  // namespace vernier::plan
