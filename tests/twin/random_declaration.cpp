#include "twin/random_table.hpp"

namespace vernier::twin {
namespace {

using query::Column;
using query::Day;
using query::Range;
using query::Type;
using query::Value;

constexpr std::int64_t row_limit = 1000;

Range whole(std::int64_t lower, std::int64_t upper) { return {lower, upper}; }

Column column_of(std::string name, Type type) {
  Column column;
  column.name = std::move(name);
  column.type = type;
  return column;
}

// From narrow to the widest bounds of which a thousand rows fit in 62 bits. These are odd, so that sums beyond 2^53
// need every bit.
Column bounded_integer(Draw& draw, const std::string& name) {
  constexpr std::int64_t wide = (std::int64_t{1} << 52) - 1;
  static const std::vector<Range> ranges = {
      whole(0, 1), whole(0, 10),  whole(-5, 5),     whole(-30, 0),  whole(1, 16),    whole(-9, 2),
      whole(0, 7), whole(-7, -2), whole(100, 1000), whole(0, wide), whole(-wide, 3), whole(-(wide >> 12), wide >> 7)};
  Column column = column_of(name, Type::integer);
  column.range = draw.one_of(ranges);
  return column;
}

Column bounded_real(Draw& draw, const std::string& name) {
  struct Grid {
    double lower, upper, granularity;
  };
  static const std::vector<Grid> grids = {
      {0, 1, 0x1p-10},    {-2.5, 10, 0.5},           {0, 200000, 0.25},          {-100, 0, 0x1p-20},
      {0.5, 3.5, 0x1p-3}, {-0x1p40, 0x1p40, 0x1p-8}, {0, 0x1p50 - 0.25, 0x1p-2}, {-1, 1, 1},
      {-4096, 1024, 1024}};
  const Grid grid = draw.one_of(grids);
  Column column = column_of(name, Type::real);
  column.range = Range{grid.lower, grid.upper};
  column.granularity = grid.granularity;
  return column;
}

Column text(Draw& draw, const std::string& name) {
  Column column = column_of(name, Type::string);
  if (!draw.one_in(3)) column.keys = {std::string("north"), std::string("o'dd \"key\"; --"), std::string("süd")};
  return column;
}

Column integer_key(Draw& draw, const std::string& name) {
  Column column = column_of(name, Type::integer);
  if (!draw.one_in(3)) column.keys = {std::int64_t{2}, std::int64_t{1}, std::int64_t{-3}, INT64_MAX};
  return column;
}

Column date(Draw& draw, const std::string& name) {
  Column column = column_of(name, Type::date);
  if (!draw.one_in(3)) column.range = Range{Day{10000}, Day{11000}};
  return column;
}

Column boolean(Draw& draw, const std::string& name) {
  Column column = column_of(name, Type::boolean);
  if (draw.one_in(3)) column.keys = {true, false};
  return column;
}

Column unbounded_real(Draw&, const std::string& name) {
  Column column = column_of(name, Type::real);
  column.granularity = 0x1p-20;
  return column;
}

Column any_column(Draw& draw, const std::string& name) {
  using Make = Column (*)(Draw&, const std::string&);
  static const std::vector<Make> kinds = {bounded_integer, bounded_real,  text, integer_key, date,
                                          boolean,         unbounded_real};
  return draw.one_of(kinds)(draw, name);
}

// A column that rows may be joined by.
const Column& key_column(Draw& draw, const query::Table& table) {
  for (;;) {
    const Column& column = draw.one_of(table.columns);
    if (column.type != Type::real) return column;
  }
}

}  // namespace

query::Table random_public(Draw& draw, const query::Table& table) {
  query::Table made;
  made.is_public = true;
  made.columns = {key_column(draw, table)};
  if (draw.one_in(3)) {
    const Column& second = key_column(draw, table);
    if (second.name != made.columns.front().name) made.columns.push_back(second);
  }
  for (Column& key : made.columns) {
    key.keys.clear();
    if (draw.one_in(2)) key.range.reset();  // its values are those of the file, and not those within the bounds
  }
  made.columns.push_back(bounded_integer(draw, "m"));
  made.columns.push_back(text(draw, "place"));
  made.columns.push_back(any_column(draw, "left"));
  return made;
}

query::Table random_declaration(Draw& draw) {
  static const std::vector<Type> unit_types = {Type::integer, Type::string, Type::string, Type::date, Type::boolean};
  query::Table table;
  table.row_limit = row_limit;
  table.neighbours = draw.one_in(2) ? privacy::Neighbours::replace : privacy::Neighbours::add_remove;
  table.columns = {column_of("id", draw.one_of(unit_types)),
                   bounded_integer(draw, "n"),
                   bounded_real(draw, "x y"),
                   text(draw, "select"),
                   any_column(draw, "a\"b"),
                   any_column(draw, "Größe")};
  if (!draw.one_in(5)) table.unit = "id";
  table.public_count = !table.unit && table.neighbours == privacy::Neighbours::replace;
  for (query::Column& column : table.columns) column.never_null = table.public_count && column.range;
  return table;
}

query::Table random_weighted(Draw& draw) {
  query::Table table = random_declaration(draw);
  table.public_count = false;
  for (query::Column& column : table.columns) column.never_null = false;
  Column weight = column_of("weight", draw.one_in(2) ? Type::integer : Type::real);
  weight.range = weight.type == Type::integer ? whole(0, 7) : Range{0.5, 3.0};
  if (weight.type == Type::real) weight.granularity = 0.25;
  table.columns.push_back(weight);
  table.weight = "weight";
  return table;
}

}  // namespace vernier::twin
