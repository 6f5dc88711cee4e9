#include "vernier/engine/csv/fit.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "vernier/core/utf8.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/engine/csv/rows.hpp"
#include "vernier/engine/json/line.hpp"
#include "vernier/engine/source_columns.hpp"

namespace vernier::engine {
namespace {

using query::CellFormat;
using query::Type;
using query::Value;

template <class Read>
std::optional<Value> as_value(std::optional<Read> read) {
  return read ? std::optional<Value>(std::move(*read)) : std::nullopt;
}

// The value of a cell, as a statement would have it.
std::optional<Value> value_of(std::string_view text, Type type, const CellFormat& format, std::string& room) {
  switch (type) {
    case Type::boolean:
      return as_value(boolean_cell(text, format));
    case Type::integer:
      return as_value(integer_cell(text, format, room));
    case Type::real:
      return as_value(real_cell(text, format, room));
    case Type::date:
      return as_value(date_cell(text, format));
    case Type::string:
      break;
  }
  const std::string_view cell = text_cell(text, format);
  return cell.empty() || !is_utf8(cell) ? std::nullopt : std::optional<Value>(std::string(cell));
}

// Another way to write cells of a type, and how a catalog declares it.
struct OtherFormat {
  std::string line;
  CellFormat format;
};

std::vector<OtherFormat> other_formats(Type type, const CellFormat& declared) {
  std::vector<OtherFormat> others;
  const auto add = [&](const std::string& line, const auto& change) {
    others.push_back({line, declared});
    change(others.back().format);
  };
  if (type == Type::integer || type == Type::real) {
    add("decimal_mark = \",\"", [](CellFormat& f) { f.decimal_mark = ',', f.thousands = ""; });
    add("decimal_mark = \",\", thousands = \".\"", [](CellFormat& f) { f.decimal_mark = ',', f.thousands = "."; });
    const std::string point = declared.decimal_mark == '.' ? "" : "decimal_mark = \".\"";
    if (!point.empty()) add(point, [](CellFormat& f) { f.decimal_mark = '.', f.thousands = ""; });
    const char other = declared.decimal_mark == '.' ? ',' : '.';
    for (const char mark : {declared.decimal_mark, other}) {
      for (const char* const between : {" ", "\u00a0", "\u202f", "'"}) {
        const std::string changed = mark == other ? std::string("decimal_mark = \"") + other + "\", " : "";
        add(changed + "thousands = \"" + between + "\"",
            [&](CellFormat& f) { f.decimal_mark = mark, f.thousands = between; });
      }
    }
    add(point + (point.empty() ? "" : ", ") + "thousands = \",\"",
        [](CellFormat& f) { f.decimal_mark = '.', f.thousands = ","; });
  }
  if (type == Type::date) {
    for (const char* const format : {"%d.%m.%Y",
                                     "%d/%m/%Y",
                                     "%m/%d/%Y",
                                     "%Y/%m/%d",
                                     "%Y%m%d",
                                     "%d-%m-%Y",
                                     "%d-%b-%Y",
                                     "%Y-%m-%d %H:%M:%S",
                                     "%Y-%m-%dT%H:%M:%S",
                                     "%Y-%m-%d %H:%M:%S.%f",
                                     "%Y-%m-%dT%H:%M:%SZ",
                                     "%d.%m.%y",
                                     "%m/%d/%y",
                                     "%Y-%m-%d %H:%M",
                                     "%d.%m.%Y %H:%M",
                                     "%d/%m/%Y %H:%M",
                                     "%m/%d/%Y %H:%M",
                                     "%Y-%m-%dT%H:%M:%S.%fZ",
                                     "%d-%b-%y",
                                     "%d%b%Y",
                                     "%d %b %Y"})
      add("date_format = \"" + std::string(format) + "\"", [&](CellFormat& f) { f.date_format = format; });
  }
  if (type == Type::boolean) {
    constexpr std::array<std::array<const char*, 2>, 12> pairs = {{{"yes", "no"},
                                                                   {"y", "n"},
                                                                   {"t", "f"},
                                                                   {"ja", "nein"},
                                                                   {"j", "n"},
                                                                   {"oui", "non"},
                                                                   {"wahr", "falsch"},
                                                                   {"vrai", "faux"},
                                                                   {"vero", "falso"},
                                                                   {"si", "no"},
                                                                   {"on", "off"},
                                                                   {"2", "1"}}};
    for (const auto& [yes, no] : pairs)
      add("true_words = [\"" + std::string(yes) + "\"], false_words = [\"" + no + "\"]",
          [&](CellFormat& f) { f.true_words = {yes}, f.false_words = {no}; });
  }
  return others;
}

// What programs and offices write where nothing is known.
constexpr std::array<std::string_view, 15> words_for_missing = {
    "NA", "N/A", "n/a", "#N/A", "NULL", "null", "\\N", "NaN", "nan", "None", "-", ".", "..", ":", "?"};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// What a column has met so far.
class Counter {
 public:
  explicit Counter(const query::Column& column)
      : column_(column),
        keys_(column.keys.begin(), column.keys.end()),
        others_(other_formats(column.type, column.format)),
        read_by_(others_.size()),
        bare_(bare_format(column.format)) {
    fit_.name = column.name;
    fit_.has_rest = column.rest.has_value();
    fit_.is_text = column.type == Type::string;
  }

  void count(std::string_view text) { count(text, column_.format); }

  // Of a member of an object of JSON.
  void count(const JsonCell& cell, std::string& room) {
    room.clear();
    switch (cell.kind) {
      case JsonCell::Kind::none:
        return void(++fit_.empty);
      case JsonCell::Kind::nested:
        return void(++fit_.unread);
      case JsonCell::Kind::bare:
        return count(cell.text, bare_);
      case JsonCell::Kind::text:
        break;
    }
    cell.is_escaped ? append_unescaped(cell.text, room) : void(room.assign(cell.text));
    count(room);
  }

  ColumnFit result() const {
    ColumnFit fit = fit_;
    const auto best = std::max_element(read_by_.begin(), read_by_.end());
    const std::int64_t read = best == read_by_.end() ? 0 : *best;
    const std::string missing = missing_line();
    const std::int64_t explained =
        read + (missing.empty() ? 0 : std::accumulate(missing_.begin(), missing_.end(), std::int64_t{0}));
    if (2 * explained <= fit.unread) return fit;
    if (read > 0) fit.advice = others_[static_cast<std::size_t>(best - read_by_.begin())].line;
    fit.advice += (fit.advice.empty() || missing.empty() ? "" : ", ") + missing;
    return fit;
  }

 private:
  // None where words are declared, in whose place it would stand.
  std::string missing_line() const {
    if (!column_.format.missing_texts.empty() || !column_.format.missing_values.empty()) return "";
    std::string words;
    for (std::size_t i = 0; i < missing_.size(); ++i) {
      if (missing_[i] == 0) continue;
      words += (words.empty() ? "" : ", ") + toml_text(words_for_missing[i]);
    }
    return words.empty() ? "" : "missing = [" + words + "]";
  }

  static std::string toml_text(std::string_view word) {
    return word == "\\N" ? "\"\\\\N\"" : "\"" + std::string(word) + "\"";
  }

  void count(std::string_view text, const CellFormat& format) {
    if (is_empty(text)) return void(++fit_.empty);
    const std::optional<Value> value = value_of(text, column_.type, format, room_);
    if (!value) return count_unread(text);
    const auto& codes = column_.format.missing_values;
    if (std::find(codes.begin(), codes.end(), *value) != codes.end()) return void(++fit_.empty);
    const auto& range = column_.range;
    fit_.outside += range && (*value < range->lower || range->upper < *value) ? 1 : 0;
    fit_.no_key += !keys_.empty() && !keys_.contains(*value) ? 1 : 0;
  }

  bool is_empty(std::string_view text) const {
    const auto& missing = column_.format.missing_texts;
    return text.find_first_not_of(' ') == std::string_view::npos ||
           std::find(missing.begin(), missing.end(), text) != missing.end();
  }

  void count_unread(std::string_view text) {
    ++fit_.unread;
    for (std::size_t i = 0; i < others_.size(); ++i)
      read_by_[i] += value_of(text, column_.type, others_[i].format, room_) ? 1 : 0;
    const auto word = std::ranges::find(words_for_missing, without_blanks(text));
    if (word != words_for_missing.end()) ++missing_[static_cast<std::size_t>(word - words_for_missing.begin())];
  }

  const query::Column& column_;
  std::set<Value> keys_;
  std::vector<OtherFormat> others_;
  std::vector<std::int64_t> read_by_;
  std::array<std::int64_t, words_for_missing.size()> missing_{};
  CellFormat bare_;
  ColumnFit fit_ = {};
  std::string room_;
};

void count_row(std::string_view line, const CsvFormat& format, const std::vector<std::size_t>& places,
               std::vector<Counter>& counters, std::string& room) {
  std::vector<std::string> cells;
  while (has_cell(line)) {
    const CsvCell cell = take_cell(line, format);
    room.clear();
    cell.is_doubled ? append_single(cell.text, room) : void(room.assign(cell.text));
    cells.push_back(cell.is_read ? room : "");
  }
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i].count(places[i] < cells.size() ? cells[places[i]] : "");
}

// The rows of a file, one by one; false where it cannot be read to its end.
template <class OnRow>
bool for_each_row(const CsvFile& file, const OnRow& on_row) {
  CsvRows rows(file);
  rows.begin(file.first_row(), file.end());
  for (std::string_view line; rows.next(line);) on_row(line);
  return !rows.has_failed();
}

// Every line is a row; one that is no object has nothing in it.
bool count_objects(const SourceFile& file, std::vector<Counter>& counters, TableFit& fit) {
  JsonLine json(file.names);
  std::string room;
  return for_each_row(*file.csv, [&](std::string_view line) {
    ++fit.rows;
    if (!json.read(line)) ++fit.no_object;
    for (std::size_t i = 0; i < counters.size(); ++i) counters[i].count(json.cells()[i], room);
  });
}

bool count_lines(const SourceFile& file, std::vector<Counter>& counters, TableFit& fit) {
  std::string room;
  return for_each_row(*file.csv, [&](std::string_view line) {
    ++fit.rows;
    count_row(line, file.csv->format(), file.places, counters, room);
  });
}

}  // namespace

Result<TableFit> fit_of(const query::Catalog& catalog, const query::Table& table) {
  VERNIER_TRY(const SourceColumns source, source_columns(catalog, table));
  std::vector<Counter> counters(table.columns.begin(), table.columns.end());
  TableFit fit;
  for (const SourceFile& file : source.files) {
    const bool is_read =
        file.csv->format().is_json ? count_objects(file, counters, fit) : count_lines(file, counters, fit);
    if (!is_read) return fail(ErrorKind::system, "a file of the table '" + table.name + "' cannot be read to its end");
  }
  for (const Counter& counter : counters) fit.columns.push_back(counter.result());
  return fit;
}

}  // namespace vernier::engine
