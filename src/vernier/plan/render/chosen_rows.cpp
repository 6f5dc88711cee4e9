#include "vernier/plan/render/chosen_rows.hpp"

namespace vernier::plan {

bool chooses_rows(const BoundStatistic& statistic) {
  return statistic.measurements.empty() && !statistic.keys.are_public && statistic.table.unit.has_value() &&
         statistic.contribution.max_rows > 1;
}

// Which of two equal rows has which number does not show, but engines other than the embedded one want an order.
std::string chosen_rows(const BoundStatistic& statistic, const std::string& coded, const Style& style) {
  const std::string groups = joined(group_columns(statistic)), all = "u" + (groups.empty() ? "" : ", " + groups);
  const std::string numbers = "row_number() OVER (PARTITION BY " + all + (style.portable ? " ORDER BY u" : "") + ")";
  const HashedValue number{"e0", query::Type::integer};
  const std::string place = "row_number() OVER (PARTITION BY u ORDER BY " + priority(statistic, style, &number) +
                            (groups.empty() ? "" : ", " + groups) + ", e0)";
  return "WITH c AS (" + coded + "), e AS (SELECT " + all + ", " + numbers + " AS e0 FROM " + style.in.by_unit("c") +
         "), w AS (SELECT " + all + ", " + place + " AS place FROM e), b AS (SELECT " + all +
         ", count(*) AS c FROM w WHERE place <= " + whole(statistic.contribution.max_rows) + " GROUP BY " + all + ")";
}

}  // namespace vernier::plan
