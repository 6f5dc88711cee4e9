#include "vernier/plan/tables/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "vernier/accounting/accountant.hpp"
#include "vernier/core/text.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::plan {
namespace {

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

std::map<std::size_t, std::vector<std::size_t>> by_order(const table::Lattice& lattice) {
  std::map<std::size_t, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < lattice.tables().size(); ++i) places[lattice.tables()[i].size()].push_back(i);
  return places;
}

OrderSummary summary_of(std::size_t order, const std::vector<std::size_t>& places, const table::Lattice& lattice,
                        const PlannedTables& planned) {
  std::int64_t cells = 0;
  std::vector<double> accuracies;
  for (const std::size_t place : places) {
    cells += lattice.cells(lattice.tables()[place]);
    accuracies.push_back(planned.accuracies[place]);
  }
  const auto [least, greatest] = std::ranges::minmax(accuracies);
  return {order,    static_cast<std::int64_t>(places.size()),           cells, least, median_of(accuracies),
          greatest, static_cast<std::int64_t>(std::floor(greatest)) + 1};
}

// Of noise that one unit moves by the root of this, in deviations.
std::optional<double> epsilon_of(double cost, privacy::Delta delta) {
  const auto scale = Sigma::of(1 / std::sqrt(cost));
  const auto moved = privacy::L2Sensitivity::of(1);
  if (!scale || !moved) return std::nullopt;
  const auto event =
      accounting::Event::of(mechanism::GaussianMechanism::at_scale(*scale, *moved), privacy::Neighbours::add_remove);
  if (!event) return std::nullopt;
  const auto accountant = accounting::Accountant::of({*event});
  const auto found = accountant->epsilon(delta);
  return found ? std::optional(found->bounds.upper) : std::nullopt;
}

std::optional<OrderPrice> price_of(const BoundTables& tables, std::size_t order, double variance,
                                   privacy::Delta delta) {
  const std::vector<std::int64_t>& keys = tables.lattice->keys();
  auto sets = table::all_up_to(keys.size(), order);
  if (!sets) return std::nullopt;
  const auto lattice = table::Lattice::of(keys, *std::move(sets));
  if (!lattice) return std::nullopt;
  const std::vector<double> targets(lattice->tables().size(), variance);
  const auto rows = static_cast<double>(tables.counted.contribution.max_rows);
  const auto together = epsilon_of(rows * rows * table::design_for(*lattice, targets).cost, delta);
  const auto apart = epsilon_of(rows * rows * static_cast<double>(targets.size()) / variance, delta);
  if (!together || !apart) return std::nullopt;
  return OrderPrice{order, *together, *apart};
}

// All tables up to an order, and that order.
std::optional<std::size_t> full_order(const table::Lattice& lattice) {
  const auto greatest = std::ranges::max(lattice.tables(), {}, &table::Columns::size).size();
  const auto all = table::all_up_to(lattice.keys().size(), greatest);
  return all && all->size() == lattice.tables().size() ? std::optional(greatest) : std::nullopt;
}

std::string tables_of(std::size_t order) {
  return "tables of " + std::to_string(order) + (order == 1 ? " column" : " columns");
}

// So many rows are usual where a catalog declares no row limit: above it a table is worth a note.
constexpr double usual_rows = 100'000;

// Rows that, spread evenly over the cells of a table, would be as many in each as its accuracy.
double rows_needed(const OrderSummary& one) {
  return one.median * static_cast<double>(one.cells) / static_cast<double>(one.tables);
}

void add_sparse(std::vector<std::string>& sentences, const BoundTables& tables, const OrderSummary& one) {
  const std::int64_t limit = tables.counted.table.row_limit;
  const double needed = rows_needed(one);
  const bool is_declared = limit != query::default_row_limit;
  if (one.order == 0 || needed <= (is_declared ? static_cast<double>(limit) : usual_rows)) return;
  sentences.push_back(
      tables_of(one.order) + " have so many cells that most of them cannot be told from 0 unless there are more than " +
      rounded_up_text(needed, 2) + " rows" + (is_declared ? ", which the row limit does not allow" : "") +
      "; take wider buckets, or lower up_to");
}

}  // namespace

std::vector<OrderSummary> orders_of(const BoundTables& tables, const PlannedTables& planned) {
  std::vector<OrderSummary> orders;
  for (const auto& [order, places] : by_order(*tables.lattice)) {
    orders.push_back(summary_of(order, places, *tables.lattice, planned));
  }
  return orders;
}

std::vector<OrderPrice> prices_by_order(const BoundTables& tables, const PlannedTables& planned, privacy::Delta delta) {
  const std::optional<std::size_t> order = full_order(*tables.lattice);
  std::vector<OrderPrice> prices;
  const bool is_replaced = tables.counted.table.neighbours == privacy::Neighbours::replace;
  if (!order || is_replaced) return prices;  // what is best, and the least, is known of add-remove alone
  const double z = numeric::normal_upper_point(std::log(tables.level.value() / 2));
  const double deviation = std::ranges::max(planned.accuracies) / z;
  const std::size_t last = std::min(*order + 1, tables.lattice->keys().size());
  for (std::size_t k = *order == 0 ? 0 : *order - 1; k <= last; ++k) {
    if (const auto price = price_of(tables, k, deviation * deviation, delta)) prices.push_back(*price);
  }
  return prices;
}

std::int64_t released_cells(const table::Lattice& lattice) {
  std::int64_t cells = 0;
  for (const table::Columns& set : lattice.residuals()) cells += lattice.cells(set);
  for (const table::Columns& set : lattice.tables()) cells += lattice.cells(set);
  return cells;
}

std::vector<std::string> warnings_of(const BoundTables& tables, const PlannedTables& planned) {
  constexpr double foolish = 5;
  std::vector<std::string> sentences;
  if (released_cells(*tables.lattice) > most_released_cells) {
    sentences.emplace_back(
        "these are more cells than the 50,000,000 that are released at once, so that a release will be refused; lower "
        "up_to, or name the tables that you need");
  }
  const std::vector<OrderSummary> orders = orders_of(tables, planned);
  const double middle = median_of(planned.accuracies);
  for (const OrderSummary& one : orders) {
    if (one.greatest <= foolish * middle || one.order == orders.back().order) continue;
    sentences.push_back(tables_of(one.order) + " are known within " + rounded_up_text(one.greatest, 3) +
                        " only, although half of all tables are within " + rounded_up_text(middle, 3) +
                        "; even = \"cells\" makes all of them equally accurate");
  }
  for (const OrderSummary& one : orders) add_sparse(sentences, tables, one);
  return sentences;
}

std::string name_of_table(const BoundTables& tables, const table::Columns& set) {
  std::string name;
  for (const std::size_t column : set) name += (name.empty() ? "" : ", ") + tables.columns[column].name;
  return name.empty() ? "(all rows)" : name;
}

}  // namespace vernier::plan
