#include "vernier/query/read/components.hpp"

#include "vernier/query/quote.hpp"
#include "vernier/query/read/parts.hpp"
#include "vernier/query/read/statistic.hpp"

namespace vernier::query {
namespace {

constexpr HowMany columns_asked{2, 9};

// The variances of all components, the greatest first, and behind them their shares.
std::string numbers_of(const std::vector<Part>& columns) {
  std::string list, numbers;
  for (const Part& one : columns) list += ", " + one.sql;
  const auto add = [&](const std::string& function, const std::string& name) {
    for (std::size_t i = 1; i <= columns.size(); ++i) {
      const std::string place = std::to_string(i);
      numbers += (numbers.empty() ? "" : ", ") + function + "(" + place + list + ") AS " +
                 quoted_identifier(name + "_" + place);
    }
  };
  add("COMPONENT_VARIANCE", "variance");
  add("COMPONENT_SHARE", "share");
  return numbers;
}

}  // namespace

Statistic read_components(const TomlNode& node, std::vector<Problem>& problems) {
  Statistic statistic{.name = {},
                      .sql = {},
                      .accuracy = {},
                      .weight = numeric::Rational::of(1),
                      .place = node.place,
                      .sql_place = node.place,
                      .by_coefficient = true};
  const auto* const table = std::get_if<TomlTable>(&node.content);
  if (table == nullptr) {
    problems.push_back(
        {node.place, "components must be a table that begins with [[components]], but it is " + described(node)});
    return statistic;
  }
  TableReader reader(*table, node.place, subject_of(*table, "components"), problems);
  statistic.name = read_name(reader, "list of components", "what goes together");
  const std::string from = needed_part(reader, "from", "people");
  const auto where = read_part(reader, "where", "age >= 15");
  const std::vector<Part> columns = needed_parts(reader, "columns", columns_asked), groups = read_groups(reader);
  read_terms(reader, statistic);
  reader.finish();
  if (!columns.empty()) statistic.sql = select_of(groups, numbers_of(columns), from, where);
  return statistic;
}

}  // namespace vernier::query
