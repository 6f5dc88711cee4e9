#include "vernier/study/synthetic.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "vernier/core/hash.hpp"
#include "vernier/core/names.hpp"
#include "vernier/study/documents.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/table_documents.hpp"
#include "vernier/study/verify.hpp"
#include "vernier/table/row_model.hpp"

namespace vernier::study {
namespace {

constexpr std::size_t most_contrast_bytes = std::size_t{1} << 30;

Result<std::size_t> place_of(const plan::BoundStudy& study, const std::optional<std::string>& name) {
  std::vector<std::string> names;
  for (const plan::BoundTables& one : study.tables) names.push_back(one.name);
  if (names.empty()) return invalid("the release has no [[table]], from which rows could be made");
  if (!name && names.size() == 1) return std::size_t{0};
  if (!name) {
    return invalid(fmt::format("the release has {} [[table]]s", names.size()),
                   fmt::format("name one of them, as in {}", parameter("table", names.front())));
  }
  const auto found = std::find(names.begin(), names.end(), *name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  return invalid(fmt::format("the release has no [[table]] '{}'{}", *name, suggestion(*name, names)));
}

// The same rows of the same noisy numbers, wherever they are made.
std::uint64_t seed_of(const ReleasedTables& released) {
  const Result<std::string> hash = sha256(contrasts_text(*released.tables.lattice, released.contrasts));
  std::uint64_t seed = 0;
  if (hash) std::from_chars(hash->data(), hash->data() + 16, seed, 16);
  return seed;
}

}  // namespace

Result<ReleasedTables> released_tables(const std::filesystem::path& folder, const std::optional<std::string>& name) {
  VERNIER_TRY(const release::Verdict verdict, verify_folder(folder, std::nullopt));
  if (!verdict.holds()) {
    return fail(ErrorKind::system, fmt::format("'{}' does not hold: {}", folder.string(), *verdict.first_problem));
  }
  const plan::Plan& plan = verdict.record->plan;
  VERNIER_TRY(const std::size_t place, place_of(plan.study, name));
  const plan::BoundTables& tables = plan.study.tables[place];
  VERNIER_TRY(const std::string text,
              read_file((folder / contrast_files(plan.study)[place]).string(), most_contrast_bytes));
  VERNIER_TRY(table::Noisy contrasts, read_contrasts(*tables.lattice, text));
  return ReleasedTables{tables, plan.tables[place], std::move(contrasts)};
}

MadeRows rows_from(const ReleasedTables& released, std::int64_t rows) {
  MadeRows made;
  for (const plan::TableColumn& column : released.tables.columns) made.columns.push_back({column.name, column.keys});
  const table::RowModel model =
      table::RowModel::of(*released.tables.lattice, released.planned.laws, released.contrasts);
  const std::size_t width = made.columns.size();
  made.places.resize(static_cast<std::size_t>(rows) * width);
  table::RowDraws draws(seed_of(released));
  for (std::size_t i = 0; i < made.places.size(); i += width)
    model.draw(draws, std::span(made.places).subspan(i, width));
  return made;
}

std::string rows_csv(const MadeRows& made) {
  std::string text;
  const std::size_t width = made.columns.size();
  for (std::size_t i = 0; i < width; ++i) text += (i == 0 ? "" : ",") + csv_text(made.columns[i].name);
  text += "\n";
  std::vector<std::vector<std::string>> cells(width);
  for (std::size_t i = 0; i < width; ++i) {
    for (const std::string& key : made.columns[i].texts) cells[i].push_back(csv_text(key));
  }
  for (std::size_t i = 0; i < made.places.size(); ++i) {
    text += cells[i % width][made.places[i]] + ((i + 1) % width == 0 ? "\n" : ",");
  }
  return text;
}

// ---- the rows of a file

namespace {

// Line by line; quotes may hold commas and breaks of lines.
class CsvLines {
 public:
  explicit CsvLines(std::string_view text) : rest_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  std::int64_t number() const { return number_; }

  // Empty at the end.
  std::vector<std::string> next() {
    std::vector<std::string> cells;
    if (rest_.empty()) return cells;
    ++number_;
    do cells.push_back(cell());
    while (take(','));
    take('\r');
    take('\n');
    return cells;
  }

 private:
  bool take(char sign) {
    if (rest_.empty() || rest_.front() != sign) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string cell() {
    std::string text;
    if (take('"')) {
      while (!rest_.empty()) {
        const char sign = rest_.front();
        rest_.remove_prefix(1);
        if (sign == '"' && !take('"')) break;
        text += sign;
      }
    }
    const std::size_t end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
    text += rest_.substr(0, end);
    rest_.remove_prefix(end);
    return text;
  }

  std::string_view rest_;
  std::int64_t number_ = 0;
};

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Which key a text is: its own text, that behind an apostrophe of a spreadsheet, or the same number.
std::optional<std::size_t> key_of(const std::vector<std::string>& keys, std::string text) {
  if (text.starts_with('\'')) text.erase(0, 1);
  const auto found = std::find(keys.begin(), keys.end(), text);
  if (found != keys.end()) return static_cast<std::size_t>(found - keys.begin());
  const auto value = number_in(text);
  for (std::size_t i = 0; value && i < keys.size(); ++i) {
    if (number_in(keys[i]) == value) return i;
  }
  return std::nullopt;
}

// Where each column stands in the file.
Result<std::vector<std::size_t>> columns_in(const plan::BoundTables& tables, const std::vector<std::string>& names,
                                            const std::string& file) {
  std::vector<std::size_t> places;
  for (const plan::TableColumn& column : tables.columns) {
    const auto found = std::find(names.begin(), names.end(), column.name);
    if (found == names.end()) {
      return invalid(
          fmt::format("'{}' has no column '{}' in its first line{}", file, column.name, suggestion(column.name, names)),
          "its columns must have the names of those of the tables");
    }
    places.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return places;
}

}  // namespace

Result<table::CountedRows> keyed_rows(const plan::BoundTables& tables, std::string_view text, const std::string& file) {
  CsvLines lines(text);
  VERNIER_TRY(const std::vector<std::size_t> places, columns_in(tables, lines.next(), file));
  table::CountedRows rows;
  for (std::vector<std::string> cells = lines.next(); !cells.empty(); cells = lines.next()) {
    if (cells.size() == 1 && cells.front().empty()) continue;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const plan::TableColumn& column = tables.columns[i];
      std::optional<std::size_t> key;
      if (places[i] < cells.size()) key = key_of(column.keys, cells[places[i]]);
      const bool has_rest = tables.rest && !column.keys.empty() && column.keys.back() == *tables.rest;
      if (!key && has_rest) key = column.keys.size() - 1;
      if (!key) {
        return invalid(fmt::format("line {} of '{}' has no key of the column '{}'", lines.number(), file, column.name),
                       fmt::format("its keys are such as '{}'", column.keys.front()));
      }
      rows.codes.push_back(static_cast<std::uint32_t>(*key));
    }
    rows.rows.push_back(1);
  }
  if (static_cast<std::int64_t>(rows.rows.size()) > tables.counted.table.row_limit) {
    return invalid(fmt::format("'{}' has more rows than row_limit of the table allows", file));
  }
  if (rows.rows.empty()) return invalid(fmt::format("'{}' has no rows", file));
  return rows;
}

}  // namespace vernier::study
