#include "vernier/release/derived/line.hpp"

#include <cmath>
#include <numeric>

#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::release {
namespace {

using plan::BoundStatistic;
using plan::Measurement;
using plan::PairedGrid;
using query::Aggregation;

constexpr std::size_t points = 3;

// A slope of one x, the sums that it is made from, and where they stand in a row.
struct Slope {
  const Aggregation* asked;
  std::size_t aggregation, sums, first;
};

bool is_of_one_x(const BoundStatistic& statistic, const Aggregation& one) {
  return one.aggregate == query::Aggregate::regression_slope && one.more.empty() && !statistic.inference.of_population;
}

std::vector<Slope> slopes_of(const BoundStatistic& statistic) {
  std::vector<Slope> found;
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i) {
    const Aggregation& asked = statistic.query.aggregations[i];
    if (!is_of_one_x(statistic, asked)) continue;
    const std::size_t place = plan::measurement_of(statistic, i);
    const std::size_t sums = statistic.measurements[place].source.value_or(place);
    const auto& all = statistic.measurements;
    const std::size_t first =
        std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(sums), std::size_t{0},
                        [](std::size_t sum, const Measurement& one) { return sum + one.width; });
    found.push_back({&asked, i, sums, first});
  }
  return found;
}

// A column by its name, all else as SQL.
std::string text_of(const query::Expression& x) {
  return x.operation() == query::Operation::column ? x.column_name() : canonical(x);
}

PairedGrid& grid_of_x(Measurement& one) { return one.paired ? *one.paired : one.regressors.front(); }

double at(const PairedGrid& grid, std::int64_t steps) {
  return static_cast<double>(grid.origin + steps) * grid.granularity;
}

// The line at so many steps above the least x is the intercept where x is counted from there.
Measurement counted_from(Measurement one, std::int64_t steps) {
  one.figure = one.paired ? plan::Pair::intercept : plan::Regression::constant;
  grid_of_x(one).origin = -steps;
  return one;
}

std::array<std::int64_t, points> places_of(const PairedGrid& grid) { return {0, grid.steps / 2, grid.steps}; }

Result<std::array<plan::Estimator, points>> estimators_of(const BoundStatistic& statistic,
                                                          const plan::PlannedStatistic& planned, std::size_t sums,
                                                          Alpha level) {
  Measurement one = statistic.measurements[sums];
  const auto places = places_of(grid_of_x(one));
  std::array<plan::Estimator, points> made;
  for (std::size_t i = 0; i < points; ++i) {
    const Measurement moved = counted_from(one, places[i]);
    VERNIER_TRY(made[i], plan::estimator_of({statistic, moved, sums}, planned, level));
  }
  return made;
}

Result<Alpha> part_of(Result<Alpha> level) {
  VERNIER_TRY(const Alpha whole, level);
  return Alpha::of(whole.value() / points * (1 - 0x1p-50));
}

}  // namespace

Result<std::vector<Line>> lines_of(const BoundStatistic& statistic, const plan::PlannedStatistic& planned,
                                   const Table& table, Alpha alpha, std::size_t most) {
  std::vector<Line> lines;
  for (const Slope& slope : slopes_of(statistic)) {
    Measurement one = statistic.measurements[slope.sums];
    const PairedGrid x = grid_of_x(one), y{one.granularity, one.origin, one.steps};
    VERNIER_TRY(const Alpha level,
                part_of(plan::level_of(statistic, slope.sums, alpha, plan::planned_groups(statistic))));
    VERNIER_TRY(const auto estimators, estimators_of(statistic, planned, slope.sums, level));
    for (std::size_t row = 0; row < table.rows.size() && lines.size() < most; ++row) {
      if (!table.rows[row].numbers[slope.aggregation].informative) continue;
      const auto noisy = std::span(table.rows[row].noisy).subspan(slope.first, one.width);
      Line line{row, text_of(*slope.asked->argument), text_of(*slope.asked->other), at(y, 0), at(y, y.steps), {}};
      bool is_known = true;
      for (std::size_t i = 0; i < points; ++i) {
        VERNIER_TRY(const plan::Estimate found, estimators[i](noisy));
        is_known = is_known && found.informative;
        line.points[i] = {at(x, places_of(x)[i]), found.value, found.interval};
      }
      if (is_known) lines.push_back(std::move(line));
    }
  }
  return lines;
}

}  // namespace vernier::release
