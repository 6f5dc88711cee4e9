#include "cli/plan/tables.hpp"

#include <fmt/format.h>

#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/tables/summary.hpp"
#include "vernier/plan/tables/together.hpp"
#include "vernier/study/table_documents.hpp"
#include "vernier/table/cells.hpp"

namespace vernier::cli {
namespace {

using plan::BoundTables;
using plan::PlannedTables;

void write_names(JsonWriter& json, const BoundTables& tables, const table::Columns& set) {
  json.key("columns");
  json.begin_array();
  for (const std::size_t column : set) json.value(std::string_view(tables.columns[column].name));
  json.end_array();
}

void write_one(JsonWriter& json, const BoundTables& tables, const PlannedTables& planned, std::size_t place) {
  const table::Columns& set = tables.lattice->tables()[place];
  json.begin_object();
  write_names(json, tables, set);
  json.member("cells", tables.lattice->cells(set));
  json.member("deviation", planned.deviations[place]);
  json.member("accuracy", planned.accuracies[place]);
  json.end_object();
}

void write_set(JsonWriter& json, const BoundTables& tables, const PlannedTables& planned) {
  json.begin_object();
  json.member("name", std::string_view(tables.name));
  json.key("tables");
  json.begin_array();
  for (std::size_t i = 0; i < tables.lattice->tables().size(); ++i) write_one(json, tables, planned, i);
  json.end_array();
  json.member("share", planned.share);
  json.member("gap", planned.gap);
  json.end_object();
}

Row row_of(const plan::OrderSummary& one) {
  return {std::to_string(one.order),         text::grouped(one.tables),          text::grouped(one.cells),
          "±" + text::grouped_up(one.least), "±" + text::grouped_up(one.median), "±" + text::grouped_up(one.greatest),
          text::grouped(one.told_from_zero)};
}

void write_orders(Output& output, const BoundTables& tables, const PlannedTables& planned) {
  std::vector<Row> rows;
  for (const plan::OrderSummary& one : plan::orders_of(tables, planned)) rows.push_back(row_of(one));
  write_aligned(output,
                {{"columns", Align::right},
                 {"tables", Align::right},
                 {"cells", Align::right},
                 {"least", Align::right},
                 {"median", Align::right},
                 {"greatest", Align::right},
                 {"told from 0", Align::right}},
                rows);
}

void write_prices(Output& output, const BoundTables& tables, const PlannedTables& planned, privacy::Delta delta) {
  for (const plan::OrderPrice& one : plan::prices_by_order(tables, planned, delta)) {
    output.write(fmt::format("up_to = {} at ±{} everywhere costs about epsilon {}; with noise of their own {}\n",
                             one.order, text::grouped_up(std::ranges::max(planned.accuracies)),
                             rounded_up_text(one.epsilon, 3), rounded_up_text(one.apart, 3)));
  }
}

void write_report(Output& output, const BoundTables& tables, const PlannedTables& planned, privacy::Delta delta) {
  const char* const together = tables.is_simultaneous ? ", which hold for all cells at once" : "";
  output.write(fmt::format("\n{}: tables that add up, with {:.0f} % of the cost; accuracies of their cells{}\n",
                           one_line(tables.name), 100 * planned.share, together));
  write_orders(output, tables, planned);
  if (tables.counted.table.neighbours == privacy::Neighbours::add_remove) {
    output.write(fmt::format("noise of this kind that gives cells such deviations would cost at most {} less\n",
                             rounded_up_text(planned.gap, 2)));
  }
  write_prices(output, tables, planned, delta);
  for (const std::string& sentence : plan::warnings_of(tables, planned)) output.write("note: " + sentence + "\n");
}

// ---- the cells of small tables

constexpr std::size_t most_cells_shown = 60;

// One row for each cell; a column that the table has not is empty.
void add_cells(std::vector<Row>& rows, const BoundTables& tables, std::size_t place,
               const std::vector<table::Cell>& cells) {
  const table::Columns& set = tables.lattice->tables()[place];
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    Row row(tables.columns.size());
    std::size_t rest = cell;
    for (std::size_t i = set.size(); i-- > 0;) {
      const std::vector<std::string>& keys = tables.columns[set[i]].keys;
      row[set[i]] = one_line(keys[rest % keys.size()]);
      rest /= keys.size();
    }
    row.push_back(nearest_text(cells[cell].estimate, 6));
    row.push_back(text::grouped(cells[cell].value));
    row.push_back(text::grouped(cells[cell].low) + " to " + text::grouped(cells[cell].high));
    rows.push_back(std::move(row));
  }
}

// Tables one after the other, as long as all cells of the next one have room.
void write_cells(Output& output, const BoundTables& tables, const PlannedTables& planned,
                 const table::Noisy& contrasts) {
  std::vector<Heading> headings;
  for (const plan::TableColumn& column : tables.columns) headings.push_back({one_line(column.name)});
  headings.insert(headings.end(), {{"estimate", Align::right}, {"value", Align::right}, {"interval", Align::right}});
  const auto& sets = tables.lattice->tables();
  std::vector<Row> rows;
  std::size_t shown = 0;
  for (; shown < sets.size(); ++shown) {
    if (rows.size() + static_cast<std::size_t>(tables.lattice->cells(sets[shown])) > most_cells_shown) break;
    add_cells(
        rows, tables, shown,
        table::cells_of(*tables.lattice, shown, contrasts, planned.accuracies[shown], tables.counted.table.row_limit));
  }
  if (!rows.empty()) write_aligned(output, headings, rows);
  if (shown < sets.size()) output.write(fmt::format("and {} more tables in the files\n", sets.size() - shown));
}

// The last of them, for a person who looks for it.
std::string file_of(const std::string& contrasts) {
  return contrasts.substr(0, contrasts.find('.')) + ".order-N.parquet";
}

// The worst accuracy in the tables of so many columns, in a list of those of all tables.
double worst_of(const BoundTables& tables, const std::vector<double>& accuracies, std::size_t order) {
  double worst = 0;
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    if (tables.lattice->tables()[i].size() == order) worst = std::max(worst, accuracies[i]);
  }
  return worst;
}

}  // namespace

std::vector<TableOrder> orders_of_tables(const plan::Plan& plan) {
  std::vector<TableOrder> all;
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    for (const plan::OrderSummary& one : plan::orders_of(plan.study.tables[i], plan.tables[i])) {
      all.push_back({i, one.order, plan.study.tables[i].name,
                     fmt::format("tables of {} column{}", one.order, one.order == 1 ? "" : "s"), one.greatest});
    }
  }
  return all;
}

double worst_at(const plan::Plan& plan, const TableOrder& of, const study::WhatIf& point) {
  return worst_of(plan.study.tables[of.place], point.tables.at(of.place), of.order);
}

void add_tables_what_if(std::vector<Row>& rows, const plan::Plan& plan, const std::vector<study::WhatIf>& points) {
  for (const TableOrder& one : orders_of_tables(plan)) {
    Row row = {one_line(one.name), one.words};
    for (const study::WhatIf& point : points) row.push_back("±" + text::grouped_up(worst_at(plan, one, point)));
    rows.push_back(std::move(row));
  }
}

void write_tables_what_if(JsonWriter& json, const study::WhatIf& point) {
  if (point.tables.empty()) return;
  json.key("tables");
  json.begin_array();
  for (const std::vector<double>& accuracies : point.tables) {
    json.begin_array();
    for (const double one : accuracies) json.value(one);
    json.end_array();
  }
  json.end_array();
}

void write_released_tables(Output& output, const plan::Plan& plan, const std::vector<table::Noisy>& contrasts,
                           const std::string& confidence) {
  const std::vector<std::string> files = study::contrast_files(plan.study);
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    const BoundTables& tables = plan.study.tables[i];
    output.write(fmt::format("{}: tables that add up; those of N columns are in {}\n", one_line(tables.name),
                             file_of(files[i])));
    write_orders(output, tables, plan.tables[i]);
    write_cells(output, tables, plan.tables[i], contrasts.at(i));
    output.write("add up estimates, never values: values are not negative, and their sums are too large\n");
    output.write(tables.is_simultaneous
                     ? fmt::format("all intervals hold at once with probability {}\n\n", confidence)
                     : fmt::format("of many cells about {} have an interval that holds\n\n", confidence));
  }
}

void write_tables_report(Output& output, const plan::Plan& plan) {
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    write_report(output, plan.study.tables[i], plan.tables[i], plan.delta);
  }
  for (const std::string& sentence : plan::notes_on_shared_rows(plan))
    output.write("note: " + one_line(sentence) + "\n");
}

void write_tables_json(JsonWriter& json, const plan::Plan& plan) {
  if (plan.tables.empty()) return;
  json.key("tables");
  json.begin_array();
  for (std::size_t i = 0; i < plan.tables.size(); ++i) write_set(json, plan.study.tables[i], plan.tables[i]);
  json.end_array();
}

}  // namespace vernier::cli
