#include "bytes/shape.hpp"

#include "support/tables.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::bytes {
namespace {

using query::Day;
using query::Range;
using query::Type;
using testing::column_of;

// With bounds where sums are to be asked for.
query::Column odd_column(Draw& draw, const std::string& name, Type type) {
  query::Column column = column_of(name, type);
  const bool is_bounded = !draw.one_in(3);
  if (type == Type::integer && is_bounded) column.range = Range{std::int64_t{-5}, std::int64_t{20}};
  if (type == Type::real && is_bounded) column.range = Range{-4.0, 16.0};
  if (type == Type::real) column.granularity = 0x1p-4;
  if (type == Type::date && is_bounded) column.range = Range{Day{10000}, Day{11000}};
  if (type == Type::string && is_bounded) column.keys = {std::string("a"), std::string("north"), std::string("12")};
  return column;
}

}  // namespace

query::Table declared_table(Draw& draw, Type x, Type y) {
  query::Table table;
  table.name = "t";
  table.row_limit = 1000;
  table.neighbours = draw.one_in(2) ? privacy::Neighbours::replace : privacy::Neighbours::add_remove;
  const std::vector<query::Value> regions = {std::string("north"), std::string("south"), std::string("west")};
  table.columns = {column_of("id", draw.one_in(3) ? Type::string : Type::integer),
                   column_of("n", Type::integer, Range{std::int64_t{0}, std::int64_t{10}}),
                   column_of("k", Type::string, {}, regions), odd_column(draw, "x", x), odd_column(draw, "y", y)};
  if (draw.one_in(4)) table.unit = "id";
  table.public_count = !table.unit && is_replaced(table);
  return table;
}

std::string unit_text(const query::Table& table, std::int64_t number) {
  const bool is_text = table.columns.front().type == Type::string;
  return std::string(is_text ? "unit " : "").append(std::to_string(number));
}

std::string unit_constant(const query::Table& table, std::int64_t number) {
  const std::string text = unit_text(table, number);
  return table.columns.front().type == Type::string ? query::quoted_text(text) : text;
}

}  // namespace vernier::bytes
