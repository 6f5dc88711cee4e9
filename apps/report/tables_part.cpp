#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "report/parts.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/tables/summary.hpp"
#include "vernier/table/cells.hpp"

// A [[table]] for people: the small tables as they are, those of two columns as heat maps in which what cannot be told
// from 0 is grey, and the cells of the largest that are certainly not empty.
namespace vernier::report {
namespace {

using plan::BoundTables;
using plan::PlannedTables;
using table::Cell;
using table::Columns;

constexpr std::size_t most_heat_maps = 6, most_across = 30, most_down = 100, most_listed = 30;
constexpr std::int64_t most_looked_at = 1'000'000;  // cells of the tables whose largest are listed

// One [[table]] of the release.
struct Set {
  const BoundTables& tables;
  const PlannedTables& planned;
  const table::Noisy& contrasts;

  const table::Lattice& lattice() const { return *tables.lattice; }
  const Columns& columns(std::size_t place) const { return lattice().tables()[place]; }
  const std::vector<std::string>& keys(std::size_t column) const { return tables.columns[column].keys; }
  std::int64_t cells(std::size_t place) const { return lattice().cells(columns(place)); }
  std::vector<Cell> all_cells(std::size_t place, double reach) const {
    return table::cells_of(lattice(), place, contrasts, reach, tables.counted.table.row_limit);
  }
  std::vector<Cell> all_cells(std::size_t place) const { return all_cells(place, planned.accuracies[place]); }
};

std::string estimate_text(double estimate) {
  const double tenths = std::round(10 * std::abs(estimate));
  const auto whole = static_cast<std::int64_t>(tenths / 10);
  const bool is_negative = estimate < 0 && tenths > 0;
  return fmt::format("{}{}.{}", is_negative ? "−" : "", text::grouped(whole),
                     static_cast<int>(tenths - 10 * static_cast<double>(whole)));
}

std::string interval_text(const Cell& cell) { return text::grouped(cell.low) + " to " + text::grouped(cell.high); }

void write_heading(Html& html, const std::string& words, std::string_view kind = "") {
  html.element("th", words, {{"scope", "col"}, {"class", kind}});
}

// The columns behind the keys.
void write_figures(Html& html, const Cell& cell) {
  html.element("td", estimate_text(cell.estimate), {{"class", "number"}});
  html.element("td", text::grouped(cell.value), {{"class", "number"}});
  html.element("td", interval_text(cell), {{"class", "whole"}});
}

void begin_figures(Html& html, const std::string& name, const std::vector<std::string>& keys,
                   const std::string& confidence) {
  begin_table(html, name);
  html.begin("thead");
  html.begin("tr");
  for (const std::string& key : keys) write_heading(html, key);
  write_heading(html, "estimate", "number");
  write_heading(html, "value", "number");
  write_heading(html, confidence + " interval", "whole");
  html.end();
  html.end();
  html.begin("tbody");
}

void end_figures(Html& html) {
  html.end();
  end_table(html);
}

// ---- tables of no column and of one

void write_small_table(Html& html, const Set& set, std::size_t place, const std::string& confidence) {
  const Columns& columns = set.columns(place);
  const std::string name = plan::name_of_table(set.tables, columns);
  begin_figures(html, name, {columns.empty() ? "" : name}, confidence);
  const std::vector<Cell> cells = set.all_cells(place);
  for (std::size_t i = 0; i < std::min(cells.size(), most_table_rows); ++i) {
    html.begin("tr");
    html.element("th", columns.empty() ? "all rows" : set.keys(columns[0])[i], {{"scope", "row"}});
    write_figures(html, cells[i]);
    html.end();
  }
  end_figures(html);
}

// ---- heat maps

// A count that cannot be told from 0 is grey, and shows what it is at most.
void write_heat_cell(Html& html, const Cell& cell, double most) {
  if (cell.low == 0) {
    html.element("td", "≤ " + text::grouped(cell.high), {{"class", "heat nought"}});
    return;
  }
  const double share = std::clamp(100 * static_cast<double>(cell.value) / most, 0.0, 100.0);
  html.element("td", text::grouped(cell.value), {{"class", "heat"}, {"style", fmt::format("--h: {:.0f}", share)}});
}

bool fits(const Set& set, std::size_t place) {
  const Columns& columns = set.columns(place);
  const auto [few, many] = std::minmax({set.keys(columns[0]).size(), set.keys(columns[1]).size()});
  return few <= most_across && many <= most_down;
}

void write_heat_head(Html& html, const Set& set, std::size_t down, std::size_t across) {
  html.begin("thead");
  html.begin("tr");
  write_heading(html, set.tables.columns[down].name + " / " + set.tables.columns[across].name);
  for (const std::string& key : set.keys(across)) write_heading(html, key, "number");
  html.end();
  html.end();
}

// The column of more keys runs down.
void write_heat_map(Html& html, const Set& set, std::size_t place) {
  const Columns& columns = set.columns(place);
  const bool is_turned = set.keys(columns[0]).size() < set.keys(columns[1]).size();
  const std::size_t down = columns[is_turned ? 1 : 0], across = columns[is_turned ? 0 : 1];
  const std::vector<Cell> cells = set.all_cells(place);
  double most = 1;
  for (const Cell& cell : cells) most = std::max(most, static_cast<double>(cell.value));
  html.element("h3", plan::name_of_table(set.tables, columns));
  html.element("p", "Each within ± " + text::grouped_up(set.planned.accuracies[place]) + ".", {{"class", "quiet"}});
  begin_table(html, plan::name_of_table(set.tables, columns));
  write_heat_head(html, set, down, across);
  html.begin("tbody");
  const std::size_t width = set.keys(columns[1]).size();
  for (std::size_t i = 0; i < set.keys(down).size(); ++i) {
    html.begin("tr");
    html.element("th", set.keys(down)[i], {{"scope", "row"}});
    for (std::size_t j = 0; j < set.keys(across).size(); ++j)
      write_heat_cell(html, cells[is_turned ? j * width + i : i * width + j], most);
    html.end();
  }
  html.end();
  end_table(html);
}

void write_heat_maps(Html& html, const Set& set) {
  std::size_t drawn = 0, left = 0;
  for (std::size_t i = 0; i < set.lattice().tables().size(); ++i) {
    if (set.columns(i).size() != 2) continue;
    if (drawn == most_heat_maps || !fits(set, i)) {
      ++left;
      continue;
    }
    if (drawn++ == 0)
      html.element("p", "Grey: it cannot be told from 0, and is at most what stands there. The darker, the more rows.");
    write_heat_map(html, set, i);
  }
  if (left > 0) {
    html.element("p", fmt::format("{} more table{} of two columns are in the files.", left, left == 1 ? "" : "s"),
                 {{"class", "quiet"}});
  }
}

// ---- cells that are not empty

struct Found {
  std::size_t place, cell;
  double estimate;
};

// At a level at which all cells of the set hold at once, so that no list of them is chosen by its own noise.
std::optional<std::vector<double>> reaches_at_once(const Set& set, Alpha alpha) {
  if (set.tables.is_simultaneous) return set.planned.accuracies;
  std::int64_t cells = 0;
  for (std::size_t i = 0; i < set.lattice().tables().size(); ++i) cells += set.cells(i);
  const Result<Alpha> level = Alpha::of(alpha.value() / static_cast<double>(cells) * (1 - 0x1p-50));
  if (!level) return std::nullopt;
  return table::reaches_of(set.lattice(), set.planned.laws, *level);
}

std::vector<Found> certain_cells(const Set& set, std::size_t order, const std::vector<double>& reaches) {
  std::vector<Found> found;
  for (std::size_t i = 0; i < set.lattice().tables().size(); ++i) {
    if (set.columns(i).size() != order) continue;
    const std::vector<Cell> cells = set.all_cells(i, reaches[i]);
    for (std::size_t j = 0; j < cells.size(); ++j) {
      if (cells[j].low > 0) found.push_back({i, j, cells[j].estimate});
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Found::estimate);
  return found;
}

std::string keys_of(const Set& set, const Found& found) {
  const Columns& columns = set.columns(found.place);
  std::size_t rest = found.cell;
  std::string text;
  for (std::size_t i = columns.size(); i-- > 0;) {
    const std::vector<std::string>& keys = set.keys(columns[i]);
    const std::string one = set.tables.columns[columns[i]].name + " = " + keys[rest % keys.size()];
    text = text.empty() ? one : one + ", " + text;
    rest /= keys.size();
  }
  return text;
}

void write_list(Html& html, const Set& set, const std::vector<Found>& found, const std::vector<double>& reaches,
                const std::string& confidence) {
  begin_figures(html, "Cells that are not empty", {"cell"}, confidence);
  std::optional<std::size_t> place;
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < std::min(found.size(), most_listed); ++i) {
    if (place != found[i].place) cells = set.all_cells(*(place = found[i].place), reaches[found[i].place]);
    html.begin("tr");
    html.element("th", keys_of(set, found[i]), {{"scope", "row"}});
    write_figures(html, cells[found[i].cell]);
    html.end();
  }
  end_figures(html);
}

void write_certain_cells(Html& html, const Set& set, Alpha alpha, const std::string& confidence) {
  const plan::OrderSummary last = plan::orders_of(set.tables, set.planned).back();
  if (last.order < 2 || last.cells > most_looked_at) return;
  const auto reaches = reaches_at_once(set, alpha);
  if (!reaches) return;
  const std::vector<Found> found = certain_cells(set, last.order, *reaches);
  html.element("h3", "Cells that are not empty");
  html.element(
      "p", fmt::format("Of the {} cells of tables of {} columns {} are not empty for certain: that holds for "
                       "all of them at once, {} of the time. Intervals here are wider for that.{}",
                       text::grouped(last.cells), last.order, text::grouped(static_cast<std::int64_t>(found.size())),
                       confidence, found.size() > most_listed ? fmt::format(" The {} largest:", most_listed) : ""));
  if (!found.empty()) write_list(html, set, found, *reaches, confidence);
}

// ---- all of it

void write_orders(Html& html, const Set& set) {
  begin_table(html, "Accuracies of " + set.tables.name);
  html.trusted(
      "<thead><tr><th scope=\"col\" class=\"number\">Columns</th><th scope=\"col\" class=\"number\">Tables</th><th "
      "scope=\"col\" class=\"number\">Cells</th><th scope=\"col\" class=\"whole\">Each cell within</th><th "
      "scope=\"col\" class=\"number\">Told from 0</th></tr></thead>\n");
  html.begin("tbody");
  for (const plan::OrderSummary& one : plan::orders_of(set.tables, set.planned)) {
    const std::string least = text::grouped_up(one.least), greatest = text::grouped_up(one.greatest);
    html.begin("tr");
    html.element("td", std::to_string(one.order), {{"class", "number"}});
    html.element("td", text::grouped(one.tables), {{"class", "number"}});
    html.element("td", text::grouped(one.cells), {{"class", "number"}});
    html.element("td", least == greatest ? "± " + least : "± " + least + " to " + greatest, {{"class", "whole"}});
    html.element("td", "from " + text::grouped(one.told_from_zero) + " on", {{"class", "number"}});
    html.end();
  }
  html.end();
  end_table(html);
}

void write_small_tables(Html& html, const Set& set, const std::string& confidence) {
  for (std::size_t i = 0; i < set.lattice().tables().size(); ++i) {
    if (set.columns(i).size() < 2) write_small_table(html, set, i, confidence);
  }
}

std::string coverage_text(const Set& set, const std::string& confidence) {
  if (set.tables.is_simultaneous)
    return fmt::format("All intervals of these tables hold at once {} of the time, proven.", confidence);
  return fmt::format("The interval of each cell holds {} of the time, proven; of many cells some miss.", confidence);
}

}  // namespace

std::string table_section_id(std::size_t place) { return "tables-" + std::to_string(place + 1); }

void write_tables(Html& html, const Facts& facts, std::size_t place) {
  const release::Release& release = facts.release;
  const Set set{release.plan.study.tables[place], release.plan.tables[place], release.contrasts[place]};
  const std::string confidence = text::confidence_text(nearest(facts.asked.alpha));
  html.begin("section", {{"id", table_section_id(place)}});
  html.element("h2", set.tables.name);
  html.element("p",
               "Tables that add up: a sum of estimates over the keys of a column is the estimate of the table without "
               "that column. Add up estimates, never values: a value is the nearest possible count, which cannot be "
               "below zero, so that sums of many values come out far too high.");
  write_orders(html, set);
  html.element("p", coverage_text(set, confidence));
  write_small_tables(html, set, confidence);
  write_heat_maps(html, set);
  write_certain_cells(html, set, release.plan.study.alpha, confidence);
  for (const std::string& sentence : plan::warnings_of(set.tables, set.planned))
    html.element("p", "Note: " + sentence + ".", {{"class", "quiet"}});
  html.end();
}

void write_tables_plan(Html& html, const plan::Plan& plan) {
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    const BoundTables& tables = plan.study.tables[i];
    const PlannedTables& planned = plan.tables[i];
    const auto [least, greatest] = std::ranges::minmax(planned.accuracies);
    html.begin("tr");
    html.element("th", tables.name, {{"scope", "row"}});
    html.element("td", fmt::format("{} tables", text::grouped(static_cast<std::int64_t>(planned.accuracies.size()))));
    html.element("td", tables.targets.empty() ? "by budget" : "by accuracy", {{"class", "whole"}});
    html.element("td", fmt::format("discrete Gaussian on {} contrasts",
                                   text::grouped(static_cast<std::int64_t>(planned.laws.size()))));
    html.element("td", "± " + text::grouped_up(least) + " to " + text::grouped_up(greatest), {{"class", "whole"}});
    html.element("td", fmt::format("{:.1f} %", 100 * planned.share), {{"class", "number"}});
    html.end();
  }
}

std::size_t cells_of(const plan::Plan& plan) {
  std::size_t cells = 0;
  for (const BoundTables& tables : plan.study.tables) {
    for (const Columns& set : tables.lattice->tables()) cells += static_cast<std::size_t>(tables.lattice->cells(set));
  }
  return cells;
}

}  // namespace vernier::report
