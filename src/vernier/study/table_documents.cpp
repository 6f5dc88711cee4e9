#include "vernier/study/table_documents.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "vernier/core/text.hpp"
#include "vernier/study/documents.hpp"
#include "vernier/study/parquet/order.hpp"
#include "vernier/table/cells.hpp"

namespace vernier::study {
namespace {

std::vector<std::string> slugs_of_tables(const plan::BoundStudy& study) {
  std::vector<std::string> names;
  for (const plan::BoundTables& one : study.tables) names.push_back(one.name);
  return slugs_of(names);
}

std::string heading_of(const plan::BoundTables& tables) {
  std::string line;
  for (const plan::TableColumn& column : tables.columns) line += csv_text(column.name) + ",";
  return line + "estimate,value,low,high\n";
}

// The keys of a cell, and nothing in columns that the table has not.
void add_keys(std::string& text, const plan::BoundTables& tables, const table::Columns& set,
              const std::vector<std::size_t>& at) {
  std::size_t next = 0;
  for (std::size_t column = 0; column < tables.columns.size(); ++column) {
    const bool is_in = next < set.size() && set[next] == column;
    if (is_in) text += csv_text(tables.columns[column].keys[at[next++]]);
    text += ',';
  }
}

void add_cell(std::string& text, const table::Cell& cell) {
  text += shortest(cell.estimate) + "," + std::to_string(cell.value) + "," + std::to_string(cell.low) + "," +
          std::to_string(cell.high) + "\n";
}

// The next cell, the last column running fastest.
void move_on(std::vector<std::size_t>& at, const std::vector<std::int64_t>& shape) {
  for (std::size_t i = at.size(); i-- > 0;) {
    if (++at[i] < static_cast<std::size_t>(shape[i])) return;
    at[i] = 0;
  }
}

void add_table(std::string& text, const plan::BoundTables& tables, double reach, std::size_t place,
               const table::Noisy& contrasts) {
  const table::Lattice& lattice = *tables.lattice;
  const table::Columns& set = lattice.tables()[place];
  const std::vector<std::int64_t> shape = lattice.shape(set);
  std::vector<std::size_t> at(set.size(), 0);
  for (const table::Cell& cell : table::cells_of(lattice, place, contrasts, reach, tables.counted.table.row_limit)) {
    add_keys(text, tables, set, at);
    add_cell(text, cell);
    move_on(at, shape);
  }
}

std::string order_csv(const plan::BoundTables& tables, const plan::PlannedTables& planned, std::size_t order,
                      const table::Noisy& contrasts) {
  std::string text = heading_of(tables);
  const auto& sets = tables.lattice->tables();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].size() == order) add_table(text, tables, planned.accuracies[i], i, contrasts);
  }
  return text;
}

std::int64_t cells_of_order(const table::Lattice& lattice, std::size_t order) {
  std::int64_t cells = 0;
  for (const table::Columns& set : lattice.tables()) cells += set.size() == order ? lattice.cells(set) : 0;
  return cells;
}

Result<void> each_document(const std::string& slug, const plan::BoundTables& tables, const plan::PlannedTables& planned,
                           const table::Noisy& contrasts, const TakeDocument& take) {
  VERNIER_TRY(take({slug + ".contrasts.txt", contrasts_text(*tables.lattice, contrasts)}));
  std::set<std::size_t> orders;
  for (const table::Columns& set : tables.lattice->tables()) orders.insert(set.size());
  for (const std::size_t order : orders) {
    const std::string name = slug + ".order-" + std::to_string(order);
    if (cells_of_order(*tables.lattice, order) <= most_csv_cells) {
      VERNIER_TRY(take({name + ".csv", order_csv(tables, planned, order, contrasts)}));
    }
    VERNIER_TRY(take({name + ".parquet", order_parquet(tables, planned, order, contrasts)}));
  }
  return {};
}

std::string head_of(const table::Columns& set) {
  std::string head;
  for (const std::size_t column : set) head += (head.empty() ? "" : "+") + std::to_string(column);
  return head;
}

Failure no_contrasts() { return invalid("is not what the contrasts of these tables look like"); }

// Numbers behind commas.
Result<std::vector<std::int64_t>> read_numbers(std::string_view line, std::size_t count) {
  std::vector<std::int64_t> numbers;
  const char *from = line.data(), *const end = line.data() + line.size();
  while (from != end) {
    std::int64_t number = 0;
    if (*from != ',') return no_contrasts();
    const auto [next, error] = std::from_chars(from + 1, end, number);
    if (error != std::errc() || numbers.size() == count) return no_contrasts();
    numbers.push_back(number);
    from = next;
  }
  if (numbers.size() != count) return no_contrasts();
  return numbers;
}

}  // namespace

Result<void> each_table_document(const plan::Plan& plan, const std::vector<table::Noisy>& contrasts,
                                 const TakeDocument& take) {
  const std::vector<std::string> slugs = slugs_of_tables(plan.study);
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    VERNIER_TRY(each_document(slugs[i], plan.study.tables[i], plan.tables[i], contrasts[i], take));
  }
  return {};
}

ledger::Documents table_documents(const plan::Plan& plan, const std::vector<table::Noisy>& contrasts) {
  ledger::Documents documents;
  const TakeDocument keep = [&](ledger::Document one) -> Result<void> {
    documents.push_back(std::move(one));
    return {};
  };
  (void)each_table_document(plan, contrasts, keep);  // which keeps all
  return documents;
}

std::string contrasts_text(const table::Lattice& lattice, const table::Noisy& contrasts) {
  std::string text;
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    text += head_of(lattice.residuals()[i]);
    for (const std::int64_t one : contrasts[i]) text += "," + std::to_string(one);
    text += "\n";
  }
  return text;
}

Result<table::Noisy> read_contrasts(const table::Lattice& lattice, std::string_view text) {
  const std::string_view whole = text;
  table::Noisy contrasts;
  for (const table::Columns& set : lattice.residuals()) {
    const std::size_t end = text.find('\n');
    const std::string head = head_of(set);
    if (end == std::string_view::npos || !text.starts_with(head)) return no_contrasts();
    VERNIER_TRY(auto numbers, read_numbers(text.substr(head.size(), end - head.size()),
                                           static_cast<std::size_t>(lattice.cells(set))));
    contrasts.push_back(std::move(numbers));
    text.remove_prefix(end + 1);
  }
  if (contrasts_text(lattice, contrasts) != whole) return no_contrasts();  // one text for the same numbers
  return contrasts;
}

std::vector<std::string> contrast_files(const plan::BoundStudy& study) {
  std::vector<std::string> files = slugs_of_tables(study);
  for (std::string& one : files) one += ".contrasts.txt";
  return files;
}

}  // namespace vernier::study
