#include "vernier/study/parquet/order.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "vernier/study/parquet/columns.hpp"
#include "vernier/study/parquet/file.hpp"
#include "vernier/table/cells.hpp"

namespace vernier::study {
namespace {

using table::Cell;

constexpr std::int64_t most_rows_of_a_part = 1 << 20;

// Names of keys may be those of figures: what is taken already gets another _ behind it.
std::vector<ParquetColumn> columns_of_cells(const plan::BoundTables& tables) {
  std::vector<ParquetColumn> columns;
  const auto add = [&](std::string name, ParquetKind kind) {
    while (std::ranges::find(columns, name, &ParquetColumn::name) != columns.end()) name += '_';
    columns.push_back({std::move(name), kind});
  };
  for (const plan::TableColumn& one : tables.columns) add(one.name, ParquetKind::text);
  add("estimate", ParquetKind::real);
  for (const char* const name : {"value", "low", "high"}) add(name, ParquetKind::whole);
  return columns;
}

// Eight bytes each, the least first.
std::string plain_estimates(std::span<const Cell> cells) {
  std::string bytes;
  bytes.reserve(8 * cells.size());
  for (const Cell& one : cells) {
    const auto bits = std::bit_cast<std::uint64_t>(one.estimate);
    for (int bit = 0; bit < 64; bit += 8) bytes += static_cast<char>(bits >> bit & 0xFF);
  }
  return bytes;
}

ParquetValues wholes(std::span<const Cell> cells, std::int64_t Cell::*figure) {
  std::vector<std::int64_t> values;
  values.reserve(cells.size());
  for (const Cell& one : cells) values.push_back(one.*figure);
  return {delta_packed(values), ParquetWay::delta};
}

// Cells of one table, from the place `first` on.
class Part {
 public:
  Part(const plan::BoundTables& tables, const table::Columns& set, std::span<const Cell> cells, std::int64_t first)
      : tables_(tables), set_(set), cells_(cells), first_(first), rows_(static_cast<std::int64_t>(cells.size())) {}

  void add_to(ParquetFile& file) const {
    std::vector<ParquetValues> columns;
    for (std::size_t i = 0; i < tables_.columns.size(); ++i) columns.push_back(keys_of(i));
    columns.push_back({plain_estimates(cells_), ParquetWay::plain});
    for (const auto figure : {&Cell::value, &Cell::low, &Cell::high}) columns.push_back(wholes(cells_, figure));
    file.add_rows(rows_, columns);
  }

 private:
  ParquetValues keys_of(std::size_t column) const {
    const auto found = std::ranges::find(set_, column);
    if (found == set_.end()) return {all_there(false, rows_), ParquetWay::plain};
    const std::int64_t stride = tables_.lattice->cells(table::Columns(found + 1, set_.end()));
    const std::vector<std::string>& keys = tables_.columns[column].keys;
    const auto count = static_cast<std::int64_t>(keys.size());
    return {all_there(true, rows_) + cycled(count, stride, first_, first_ + rows_),
            ParquetWay::dictionary,
            {keys.begin(), keys.end()}};
  }

  const plan::BoundTables& tables_;
  const table::Columns& set_;
  std::span<const Cell> cells_;
  std::int64_t first_, rows_;
};

}  // namespace

std::string order_parquet(const plan::BoundTables& tables, const plan::PlannedTables& planned, std::size_t order,
                          const table::Noisy& contrasts) {
  ParquetFile file(columns_of_cells(tables));
  const table::Lattice& lattice = *tables.lattice;
  for (std::size_t i = 0; i < lattice.tables().size(); ++i) {
    const table::Columns& set = lattice.tables()[i];
    if (set.size() != order) continue;
    const std::vector<Cell> cells =
        table::cells_of(lattice, i, contrasts, planned.accuracies[i], tables.counted.table.row_limit);
    const auto count = static_cast<std::int64_t>(cells.size());
    for (std::int64_t first = 0; first < count; first += most_rows_of_a_part) {
      const std::int64_t rows = std::min(most_rows_of_a_part, count - first);
      const auto from = static_cast<std::size_t>(first), size = static_cast<std::size_t>(rows);
      Part(tables, set, std::span(cells).subspan(from, size), first).add_to(file);
    }
  }
  return std::move(file).finished();
}

}  // namespace vernier::study
