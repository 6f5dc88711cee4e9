#include "vernier/plan/series/bundle.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/plan/series/series_plan.hpp"
#include "vernier/table/contrast.hpp"
#include "vernier/table/design.hpp"

namespace vernier::plan {
namespace {

// So many series from this one on are called together.
std::size_t count_together(const std::vector<SeriesFacts>& all, std::size_t first) {
  std::size_t end = first + 1;
  while (!all[first].together.empty() && end < all.size() && all[end].together == all[first].together) ++end;
  return end - first;
}

// The columns of a bundle, as its tables of one column have them.
std::vector<SeriesColumn> columns_of_bundle(std::span<const SeriesFacts> tables) {
  std::vector<SeriesColumn> columns;
  for (const SeriesFacts& one : tables) {
    if (one.columns.size() == 1) columns.push_back(one.columns.front());
  }
  return columns;
}

bool is_same_column(const SeriesColumn& a, const SeriesColumn& b) {
  return a.name == b.name && a.type == b.type && a.keys == b.keys;
}

bool has_columns(const SeriesFacts& table, const table::Columns& set, const std::vector<SeriesColumn>& columns) {
  if (table.columns.size() != set.size()) return false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!is_same_column(table.columns[i], columns[set[i]])) return false;
  }
  return true;
}

// What decides how the rows are counted, and what the matrix is, must be the same of all.
bool is_measured_alike(const SeriesFacts& a, const SeriesFacts& b) {
  return a.table == b.table && a.statement == b.statement && a.row_limit == b.row_limit && a.calendar == b.calendar &&
         a.participation() == b.participation() && a.last == b.last && a.best == b.best &&
         a.each_target == b.each_target && a.last_target == b.last_target && a.cumulative_target == b.cumulative_target;
}

Failure no_bundle(const SeriesFacts& one) {
  return invalid("the series '" + one.name + "' is called a table of '" + one.together +
                 "', but these are not all tables up to an order of the same columns");
}

Result<SeriesBundle> bundle_of(std::span<const SeriesFacts> tables, std::size_t first) {
  SeriesBundle bundle{.first = first, .count = tables.size(), .lattice = nullptr};
  const std::vector<SeriesColumn> columns = columns_of_bundle(tables);
  std::vector<std::int64_t> keys;
  for (const SeriesColumn& one : columns) keys.push_back(static_cast<std::int64_t>(one.keys.size()));
  VERNIER_TRY(auto sets, table::all_up_to(columns.size(), tables.back().columns.size()));
  if (columns.empty() || sets.size() != tables.size()) return no_bundle(tables.front());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!has_columns(tables[i], sets[i], columns) || !is_measured_alike(tables[i], tables.front()))
      return no_bundle(tables[i]);
  }
  VERNIER_TRY(table::Lattice lattice, table::Lattice::of(std::move(keys), std::move(sets)));
  const std::vector<double> even(tables.size(), 1.0);
  const table::Design design = table::design_for(lattice, even);
  bundle.lattice = std::make_shared<const table::Lattice>(std::move(lattice));
  bundle.variances = design.variances;
  bundle.cost = design.cost;
  return bundle;
}

}  // namespace

std::optional<std::size_t> SeriesBundle::contrast_of(std::size_t place) const {
  if (!lattice) return 0;
  const table::Columns& set = lattice->tables()[place];
  return lattice->has_one_key(set) ? std::nullopt : std::optional(lattice->residual_of(set));
}

Result<std::vector<SeriesBundle>> bundles_of(const std::vector<SeriesFacts>& all) {
  std::vector<SeriesBundle> bundles;
  for (std::size_t first = 0; first < all.size(); first += bundles.back().count) {
    if (all[first].together.empty()) {
      bundles.push_back({.first = first, .lattice = nullptr});
      continue;
    }
    const std::span tables = std::span(all).subspan(first, count_together(all, first));
    VERNIER_TRY(SeriesBundle bundle, bundle_of(tables, first));
    bundles.push_back(std::move(bundle));
  }
  return bundles;
}

Result<std::vector<noise::DiscreteGaussian>> laws_at(const SeriesBundle& bundle, double scale) {
  std::vector<noise::DiscreteGaussian> laws;
  for (std::size_t i = 0; i < bundle.count; ++i) {
    const std::optional<std::size_t> contrast = bundle.contrast_of(i);
    const double cells = bundle.lattice ? static_cast<double>(bundle.lattice->cells(bundle.lattice->tables()[i])) : 1;
    const double own = contrast ? std::sqrt(bundle.variances[*contrast]) * cells * scale : series::least_scale;
    VERNIER_TRY(const auto law, series::law_at(own));
    laws.push_back(law);
  }
  return laws;
}

series::Spread spread_of_table(const SeriesBundle& bundle, std::size_t place,
                               std::span<const noise::DiscreteGaussian> laws, std::size_t steps) {
  if (!bundle.lattice) return series::spread_of(laws.front(), steps);
  constexpr double raised = 1 + 0x1p-40;
  std::vector<double> scales(bundle.lattice->residuals().size());
  for (std::size_t i = 0; i < bundle.count; ++i) {
    if (const auto contrast = bundle.contrast_of(i)) scales[*contrast] = laws[i].scale();
  }
  double variance = 0, least = INFINITY, draws = 0;
  for (const table::Lattice::Part& part : bundle.lattice->parts(place)) {
    const auto cells = static_cast<double>(bundle.lattice->cells(bundle.lattice->residuals()[part.residual]));
    const double deviation = scales[part.residual] / cells;
    variance += part.weight * deviation * deviation;
    least = std::min(least, scales[part.residual]);
    draws += cells;
  }
  return {std::sqrt(variance) * raised, least, static_cast<std::size_t>(draws) * steps};
}

std::vector<std::vector<series::Wide>> tables_of(const SeriesBundle& bundle,
                                                 std::vector<std::vector<std::int64_t>> noisy) {
  if (!bundle.lattice) return {std::vector<series::Wide>(noisy.front().begin(), noisy.front().end())};
  table::Noisy contrasts(bundle.lattice->residuals().size());
  for (std::size_t i = 0; i < bundle.count; ++i) {
    if (const auto contrast = bundle.contrast_of(i)) contrasts[*contrast] = std::move(noisy[i]);
  }
  std::vector<std::vector<series::Wide>> tables;
  for (std::size_t i = 0; i < bundle.count; ++i) tables.push_back(table::numerators_of(*bundle.lattice, i, contrasts));
  return tables;
}

double parts_of_table(const SeriesBundle& bundle, std::size_t place) {
  if (!bundle.lattice) return 1;
  const auto cells = static_cast<double>(bundle.lattice->cells(bundle.lattice->tables()[place]));
  return cells * cells;
}

}  // namespace vernier::plan
