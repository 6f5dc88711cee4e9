#include "bytes/shape.hpp"
#include "bytes/stored_kinds.hpp"

namespace vernier::bytes {
namespace {

using query::Type;
using testing::ParquetCell;
using testing::ParquetColumnData;
using testing::ParquetKind;
using testing::ParquetPhysical;

constexpr auto oddities = static_cast<std::size_t>(Oddity::count);

// All kinds, and those that are read a second time: refusals are quick to see.
const std::vector<StoredKind>& turns() {
  static const std::vector<StoredKind> kinds = [] {
    std::vector<StoredKind> all = stored_kinds();
    for (const StoredKind& kind : stored_kinds()) {
      if (kind.is_read) all.push_back(kind);
    }
    return all;
  }();
  return kinds;
}

StoredKind any_read(Draw& draw) {
  for (;;) {
    if (const StoredKind& kind = draw.one_of(stored_kinds()); kind.is_read) return kind;
  }
}

// A kind that goes with the declared type.
ParquetKind kind_for(Draw& draw, Type type) {
  for (;;) {
    if (const StoredKind kind = any_read(draw); kind.declared == type && kind.kind.length == 0) return kind.kind;
  }
}

// The rows of a file, column by column; the last row is the record, wherever it will stand.
struct Columns {
  std::vector<ParquetColumnData> columns;
  std::size_t rows_per_group;
  std::size_t place;  // of the record
};

std::string unit_value(const query::Table& table, const ParquetKind& kind, std::int64_t unit) {
  if (kind.physical == ParquetPhysical::bytes) return unit_text(table, unit);
  return {reinterpret_cast<const char*>(&unit), kind.physical == ParquetPhysical::int32 ? 4U : 8U};
}

std::string region(Draw& draw) { return draw.one_of<std::string>({"north", "south", "west"}); }

ParquetKind unit_kind(Draw& draw, Type type) {
  const ParquetKind number{.name = "INT64", .physical = ParquetPhysical::int64};
  return type == Type::integer ? number : kind_for(draw, Type::string);
}

ParquetKind text_kind() {
  return {.name = "BYTE_ARRAY UTF8", .physical = ParquetPhysical::bytes, .converted = testing::ParquetConverted::utf8};
}

Columns drawn_columns(Draw& draw, const query::Table& table, const StoredKind& x, const StoredKind& y) {
  const ParquetKind number{.name = "INT64", .physical = ParquetPhysical::int64};
  Columns made{.columns = {{"id", unit_kind(draw, table.columns[0].type), {}},
                           {"n", number, {}},
                           {"k", text_kind(), {}},
                           {"x", x.kind, {}},
                           {"y", y.kind, {}}},
               .rows_per_group = draw.one_in(2) ? 1000 : 2 + draw.below(3),
               .place = 0};
  for (ParquetColumnData& column : made.columns) {
    column.is_optional = !draw.one_in(3);
    column.has_dictionary = draw.one_in(2);
    column.has_statistics = draw.one_in(2);
  }
  return made;
}

void add_clean_row(Draw& draw, const query::Table& table, Columns& made, std::int64_t unit) {
  for (std::size_t i = 0; i < made.columns.size(); ++i) {
    ParquetColumnData& column = made.columns[i];
    if (i == 0) {
      column.cells.emplace_back(unit_value(table, column.kind, unit));
    } else if (i == 2) {
      column.cells.emplace_back(region(draw));
    } else if (column.is_optional && draw.one_in(6)) {
      column.cells.emplace_back();
    } else {
      column.cells.emplace_back(clean_value(draw, column.kind));
    }
  }
}

std::string file_of(Columns made, bool has_record) {
  for (ParquetColumnData& column : made.columns) {
    const ParquetCell last = column.cells.back();
    column.cells.pop_back();
    if (has_record) column.cells.insert(column.cells.begin() + static_cast<std::ptrdiff_t>(made.place), last);
  }
  return testing::parquet_file(made.columns, made.rows_per_group);
}

// One cell at least is odd; mostly that of x, and now and then that of every column.
void spoil_record(Draw& draw, Columns& made, Oddity oddity) {
  const bool spoils_all = draw.one_in(8);
  const std::size_t one = draw.one_in(3) ? draw.below(5) : 3;
  for (std::size_t i = 0; i < made.columns.size(); ++i) {
    if (spoils_all || i == one) made.columns[i].cells.back() = odd_value(draw, made.columns[i].kind, oddity);
  }
}

std::vector<std::string> names_of(const Columns& made) {
  std::vector<std::string> names = {made.rows_per_group < 1000 ? "several row groups" : "one row group"};
  for (const ParquetColumnData& column : made.columns) {
    names.push_back(column.kind.name);
    names.push_back(column.is_optional ? "optional" : "required");
    names.push_back(column.has_dictionary ? "dictionary" : "plain");
    names.push_back(column.has_statistics ? "statistics" : "no statistics");
  }
  return names;
}

}  // namespace

Shape parquet_shape(std::uint64_t number) {
  static const std::vector<Type> types = {Type::boolean, Type::integer, Type::real, Type::string, Type::date};
  Draw draw(number + 1'000'000'000);
  const StoredKind& x = turns()[number % turns().size()];
  const StoredKind y = any_read(draw);
  const Type declared = draw.one_in(12) ? draw.one_of(types) : x.declared;
  Shape shape{.table = declared_table(draw, declared, y.declared)};
  shape.table.source = {"", query::SourceKind::parquet, ',', true};
  Columns made = drawn_columns(draw, shape.table, x, y);
  const std::size_t rows = 2 + draw.below(8);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t unit = first_unit + static_cast<std::int64_t>(i);
    shape.units.push_back(unit_constant(shape.table, unit));
    add_clean_row(draw, shape.table, made, unit);
  }
  add_clean_row(draw, shape.table, made, odd_unit_number);
  made.place = draw.below(rows + 1);
  shape.modes = names_of(made);
  shape.odd_unit = unit_constant(shape.table, odd_unit_number);
  shape.base.file = file_of(made, is_replaced(shape.table));
  for (std::size_t i = 0; i < odd_tables; ++i) {
    const auto oddity = static_cast<Oddity>((number * odd_tables + i) % oddities);
    Columns spoilt = made;
    spoil_record(draw, spoilt, oddity);
    shape.odd.push_back({std::string(name_of(oddity)), {file_of(spoilt, true), nullptr}});
  }
  return shape;
}

std::vector<std::string> parquet_modes() {
  std::vector<std::string> modes = {"one row group", "several row groups", "optional",     "required", "dictionary",
                                    "plain",         "statistics",         "no statistics"};
  for (const StoredKind& kind : stored_kinds()) modes.push_back(kind.kind.name);
  for (std::size_t i = 0; i < oddities; ++i) modes.emplace_back(name_of(static_cast<Oddity>(i)));
  return modes;
}

}  // namespace vernier::bytes
