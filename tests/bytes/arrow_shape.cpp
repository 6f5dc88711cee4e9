#include <algorithm>

#include "bytes/shape.hpp"
#include "support/arrow_rows.hpp"

namespace vernier::bytes {
namespace {

using query::Type;
using testing::ArrowColumnData;

// A format of Arrow, and the type that goes with it or would.
struct Format {
  std::string format;
  std::size_t width;  // in bytes; 0 of texts, bits and nothing at all
  Type declared;
  bool has_dictionary = false;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"b", 0, Type::boolean},   {"c", 1, Type::integer},      {"C", 1, Type::integer},       {"s", 2, Type::integer},
      {"S", 2, Type::integer},   {"i", 4, Type::integer},      {"I", 4, Type::integer},       {"l", 8, Type::integer},
      {"L", 8, Type::integer},   {"e", 2, Type::real},         {"f", 4, Type::real},          {"g", 8, Type::real},
      {"u", 0, Type::string},    {"U", 0, Type::string},       {"vu", 0, Type::string},       {"tdD", 4, Type::date},
      {"n", 0, Type::integer},   {"u", 0, Type::string, true}, {"l", 8, Type::integer, true}, {"tdm", 8, Type::date},
      {"tsu:", 8, Type::date},   {"tsu:UTC", 8, Type::date},   {"ttm", 4, Type::integer},     {"tDm", 8, Type::integer},
      {"d:9,2", 16, Type::real}, {"z", 0, Type::string},       {"w:4", 4, Type::string}};
  return all;
}

std::string name_of(const Format& format) {
  return format.has_dictionary ? "dictionary of " + format.format : format.format;
}

using Cell = std::optional<std::string>;  // its bytes, without what says where they are
using Cells = std::vector<Cell>;

std::string small_value(Draw& draw, const Format& format) {
  if (format.format == "e") return {"\0\x3C", 2};
  if (format.format == "f" || format.format == "g") {
    const double value = 0.25 * static_cast<double>(draw.below(40));
    const auto half = static_cast<float>(value);
    return format.width == 8 ? std::string(reinterpret_cast<const char*>(&value), 8)
                             : std::string(reinterpret_cast<const char*>(&half), 4);
  }
  std::int64_t value = static_cast<std::int64_t>(draw.below(15)) + (format.format == "tdD" ? 10'400 : 0);
  std::string bytes(16, '\0');
  std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, bytes.data());
  return bytes.substr(0, format.width);
}

Cell clean_cell(Draw& draw, const Format& format) {
  if (draw.one_in(6) || format.format == "n") return std::nullopt;
  if (format.format == "b") return std::string(1, static_cast<char>(draw.below(2)));
  if (format.width == 0) return draw.one_of<std::string>({"a", "north", "12", "a longer text than twelve bytes"});
  return small_value(draw, format);
}

Cell odd_cell(Draw& draw, const Format& format, Oddity oddity) {
  if (format.format == "n") return std::nullopt;
  if (format.format == "b") return std::string(1, static_cast<char>(draw.below(2)));
  if (format.width == 0) return odd_bytes(draw, oddity);
  if (draw.one_in(3)) return std::string(format.width, draw.one_in(2) ? '\xFF' : '\x7F');
  std::string bits(format.width, '\0');
  for (char& byte : bits) byte = static_cast<char>(draw.below(256));
  return bits;
}

ArrowColumnData fixed_column(const std::string& name, const Format& format, const Cells& cells) {
  ArrowColumnData column{name, format.format, static_cast<std::int64_t>(cells.size()), 0, 0, {}};
  std::vector<bool> is_there;
  std::string data;
  for (const Cell& cell : cells) {
    is_there.push_back(cell.has_value());
    column.nulls += cell ? 0 : 1;
    data += cell.value_or(std::string(format.width, '\0'));
  }
  column.buffers = {testing::validity_buffer(is_there), data};
  return column;
}

// Every cell is its own entry of the dictionary, so that an odd one is used by its row alone; an index that is none
// where `has_wild_index`.
ArrowColumnData indexed(const std::string& name, ArrowColumnData values, std::size_t rows, bool has_wild_index) {
  testing::Cells<std::int8_t> indices;
  for (std::size_t i = 0; i < rows; ++i) indices.emplace_back(static_cast<std::int8_t>(i));
  if (has_wild_index) indices.back() = 100;
  return testing::arrow_dictionary(name, indices, std::move(values));
}

ArrowColumnData plain_column(const std::string& name, const Format& format, const Cells& cells) {
  if (format.width > 0) return fixed_column(name, format, cells);
  if (format.format == "n") {
    const auto rows = static_cast<std::int64_t>(cells.size());
    return {name, "n", rows, rows, 0, {}};
  }
  if (format.format == "b") {
    testing::Cells<bool> bits;
    for (const Cell& cell : cells) bits.push_back(cell ? std::optional(*cell != std::string(1, '\0')) : std::nullopt);
    return testing::arrow_booleans(name, bits);
  }
  if (format.format == "U") return testing::arrow_large_texts(name, cells);
  if (format.format == "vu") return testing::arrow_views(name, cells);
  ArrowColumnData column = testing::arrow_texts(name, cells);
  column.format = format.format;
  return column;
}

// The record stands last, so that where its text ends says nothing about another row's.
struct Column {
  std::string name;
  Format format;
  Cells cells;
  std::string wild_view = {};  // sixteen bytes in place of those that say where the record's text is
  bool has_wild_index = false;
};

ArrowColumnData column_of(const Column& column) {
  ArrowColumnData made = plain_column(column.name, column.format, column.cells);
  if (!column.wild_view.empty()) made.buffers[1]->replace(made.buffers[1]->size() - 16, 16, column.wild_view);
  if (column.format.has_dictionary)
    return indexed(column.name, std::move(made), column.cells.size(), column.has_wild_index);
  return made;
}

std::shared_ptr<const engine::ArrowTable> table_of(std::vector<Column> columns, bool has_record) {
  testing::ArrowBatch batch;
  std::vector<std::string> names;
  const bool is_in_file = !columns.empty() && columns.front().cells.size() % 2 == 0;  // of both twins
  for (Column& column : columns) {
    if (!has_record) column.cells.pop_back();
    batch.push_back(column_of(column));
    names.push_back(column.name);
  }
  return is_in_file ? testing::ArrowStream({batch}).take_to_file(names).value() : testing::arrow_table({batch});
}

void add_row(Draw& draw, const query::Table& table, std::vector<Column>& columns, std::int64_t unit) {
  for (Column& column : columns) {
    const std::string bytes(reinterpret_cast<const char*>(&unit), sizeof unit);
    if (column.name == "id") {
      column.cells.emplace_back(column.format.width == 0 ? unit_text(table, unit) : bytes);
    } else if (column.name == "k") {
      column.cells.emplace_back(draw.one_of<std::string>({"north", "south", "west"}));
    } else {
      column.cells.push_back(clean_cell(draw, column.format));
    }
  }
}

void spoil(Draw& draw, Column& column, Oddity oddity) {
  column.cells.back() = odd_cell(draw, column.format, oddity);
  if (column.format.format == "vu" && draw.one_in(2)) {
    column.wild_view.resize(16);
    for (char& byte : column.wild_view) byte = static_cast<char>(draw.below(256));
  }
  column.has_wild_index = column.format.has_dictionary && draw.one_in(3);
}

constexpr auto oddities = static_cast<std::size_t>(Oddity::count);

}  // namespace

Shape arrow_shape(std::uint64_t number) {
  static const std::vector<Type> types = {Type::boolean, Type::integer, Type::real, Type::string, Type::date};
  Draw draw(number + 2'000'000'000);
  const Format& x = formats()[number % formats().size()];
  const Format y = draw.one_of(std::vector<Format>(formats().begin(), formats().begin() + 19));
  const Type declared = draw.one_in(3) ? draw.one_of(types) : x.declared;
  Shape shape{.table = declared_table(draw, declared, y.declared), .modes = {name_of(x)}};
  shape.table.source = {"", query::SourceKind::arrow, ',', true};
  const bool has_text_units = shape.table.columns.front().type == Type::string;
  std::vector<Column> columns = {
      {"id", has_text_units ? Format{"u", 0, Type::string} : Format{"l", 8, Type::integer}, {}},
      {"n", {"i", 4, Type::integer}, {}},
      {"k", {draw.one_in(2) ? "u" : "vu", 0, Type::string}, {}},
      {"x", x, {}},
      {"y", y, {}}};
  const std::size_t rows = 2 + draw.below(8);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t unit = first_unit + static_cast<std::int64_t>(i);
    shape.units.push_back(unit_constant(shape.table, unit));
    add_row(draw, shape.table, columns, unit);
  }
  add_row(draw, shape.table, columns, odd_unit_number);
  shape.odd_unit = unit_constant(shape.table, odd_unit_number);
  shape.base.rows = table_of(columns, is_replaced(shape.table));
  for (std::size_t i = 0; i < odd_tables; ++i) {
    const auto oddity = static_cast<Oddity>((number * odd_tables + i) % oddities);
    std::vector<Column> spoilt = columns;
    spoil(draw, spoilt[draw.one_in(3) ? draw.below(5) : 3], oddity);
    shape.odd.push_back({std::string(name_of(oddity)), {"", table_of(spoilt, true)}});
  }
  return shape;
}

std::vector<std::string> arrow_modes() {
  std::vector<std::string> modes;
  for (const Format& format : formats()) modes.push_back(name_of(format));
  for (std::size_t i = 0; i < oddities; ++i) modes.emplace_back(name_of(static_cast<Oddity>(i)));
  return modes;
}

}  // namespace vernier::bytes
