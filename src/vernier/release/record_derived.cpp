#include <algorithm>

#include "vernier/release/record_statistic.hpp"

namespace vernier::release {
namespace {

using plan::BoundStatistic;

constexpr std::size_t most_columns = 10'000, most_differences = 1'000'000;

std::size_t read_column(const BoundStatistic& statistic, Fields& fields) {
  const std::string name = fields.text("column");
  const auto& all = statistic.query.aggregations;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (found == all.end()) fields.refuse("column", "must name a column that is published");
  return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

void read_denoising(const BoundStatistic& statistic, Table& table, Fields denoising) {
  if (denoising.text("asked") != query::name_of(statistic.inference.denoise)) {
    denoising.refuse("asked", "differs from what the certificate has");
  }
  const Json& columns = denoising.list("columns", most_columns);
  for (std::size_t i = 0; i < columns.size() && !denoising.reading().is_refused(); ++i) {
    Fields column(denoising.reading(), columns[i], denoising.where("columns", i));
    table.denoised.push_back({read_column(statistic, column), column.text("used"), column.number("risk"),
                              read_name(column, "coverage", {interval::Status::proven, interval::Status::tested})});
    column.done();
  }
  denoising.done();
}

query::Difference read_groups(Fields& difference) {
  const Json& groups = difference.list("groups", 2);
  if (groups.size() != 2) return difference.refuse("groups", "must be two"), query::Difference{};
  const std::string place = difference.where("groups");
  return {text_in(difference.reading(), groups[0], place), text_in(difference.reading(), groups[1], place)};
}

void read_differences(Record& record, const BoundStatistic& statistic, Fields& stated) {
  const std::vector<plan::Figure> figures = figures_of(statistic);
  const Json& differences = stated.list("differences", most_differences);
  for (std::size_t i = 0; i < differences.size() && !stated.reading().is_refused(); ++i) {
    Fields one(stated.reading(), differences[i], stated.where("differences", i));
    GroupDifference& read = record.tables.back().differences.emplace_back(GroupDifference{read_groups(one), {}});
    for (std::size_t j = 0; j < figures.size(); ++j) {
      double& confidence = record.difference_confidences.back().emplace_back();
      const std::string& name = statistic.query.aggregations[j].name;
      read.numbers.push_back(read_number(one.object(name), has_fixed_margin(figures[j]), false, confidence));
    }
    one.done();
  }
}

}  // namespace

void read_derived(Record& record, Fields& stated) {
  const BoundStatistic& statistic = record.plan.study.statistics.back();
  record.difference_confidences.emplace_back();
  if (statistic.inference.denoise != query::Denoise::none) {
    read_denoising(statistic, record.tables.back(), stated.object("denoise"));
  }
  if (!statistic.inference.differences.empty()) read_differences(record, statistic, stated);
}

}  // namespace vernier::release
