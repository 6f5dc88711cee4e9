#include "twin/random_table.hpp"

namespace vernier::twin {
namespace {

using query::Column;
using query::Type;

// What is no value of its type, what is at the ends of it, and what is ordinary.
const std::vector<Cell>& cells_of(Type type) {
  static const std::vector<Cell> booleans = {"true", "false", "TRUE", "yes", "\xFF", {}};
  static const std::vector<Cell> integers = {"1",
                                             "2",
                                             "-3",
                                             "0",
                                             "7",
                                             "12",
                                             "5",
                                             "-5",
                                             "1000",
                                             "abc",
                                             "1.5",
                                             "1\r2",
                                             "\"7",
                                             {},
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "9223372036854775808"};
  static const std::vector<Cell> reals = {"0",   "0.5",    "1",     "-1",     "0.1",     "3.7",    "1e3",
                                          "-0",  "5e-324", "1e308", "nan",    "inf",     "-1e308", "-inf",
                                          "abc", "1e400",  {},      "0.4999", "199999.9"};
  static const std::vector<Cell> strings = {"north",
                                            "south",
                                            "o'dd \"key\"; --",
                                            "süd",
                                            "s\u00fcd\u0301",
                                            "NORTH",
                                            "a,b",
                                            " north",
                                            "",
                                            {},
                                            "line\nbreak",
                                            "\u202Etxt",
                                            "12",
                                            "\xf0\x9f\x98\x80",
                                            "\xFF\xFE",
                                            "a\rb",
                                            "\"",
                                            "\xC3",
                                            std::string("n\0l", 3)};
  static const std::vector<Cell> dates = {"1999-01-01", "1997-05-19",  "2000-02-29", "2001-02-29", "0001-01-01",
                                          "9999-12-31", "10000-01-01", "infinity",   "soon",       {}};
  switch (type) {
    case Type::boolean:
      return booleans;
    case Type::integer:
      return integers;
    case Type::real:
      return reals;
    case Type::string:
      return strings;
    case Type::date:
      break;
  }
  return dates;
}

// How the rows of one unit lean, so that its part comes near the bounds.
enum class Lean : std::uint8_t { none, up, down };

Cell cell_of(Draw& draw, const Column& column, Lean lean) {
  if (!column.keys.empty() && !draw.one_in(6)) return text_of(draw.one_of(column.keys));
  if (column.range && lean != Lean::none && !draw.one_in(10)) {
    const query::Value& bound = lean == Lean::up ? column.range->upper : column.range->lower;
    if (column.type == Type::date || draw.one_in(2)) return text_of(bound);
    return lean == Lean::up ? (column.type == Type::real ? "1e300" : "9223372036854775807")
                            : (column.type == Type::real ? "-1e300" : "-9223372036854775808");
  }
  if (column.range && draw.one_in(3)) return text_of(draw.one_in(2) ? column.range->lower : column.range->upper);
  return draw.one_of(cells_of(column.type));
}

// The names of units, each another value of the type; the first is what names nobody. A catalog has no real units.
const std::vector<Cell>& names_of(Type type) {
  static const std::vector<Cell> integers = {{},
                                             "1",
                                             "0",
                                             "-1",
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "42",
                                             "7",
                                             "8",
                                             "9007199254740993",
                                             "9007199254740992",
                                             "3"};
  static const std::vector<Cell> strings = {{},        "a",      "A",    "a ", " a", "a'b\"; --",  "é",
                                            "e\u0301", "\u200b", "NULL", "0",  "-",  "line\nbreak"};
  static const std::vector<Cell> booleans = {"maybe", "true", "false"};
  static const std::vector<Cell> dates = {"soon", "2000-01-01", "2000-01-02", "0001-01-01", "9999-12-31", "1970-01-01"};
  switch (type) {
    case Type::string:
      return strings;
    case Type::boolean:
      return booleans;
    case Type::date:
      return dates;
    default:
      return integers;
  }
}

Row row_of(Draw& draw, const query::Table& table, const Cell& unit, Lean lean) {
  Row row{unit};
  for (std::size_t i = 1; i < table.columns.size(); ++i) row.push_back(cell_of(draw, table.columns[i], lean));
  return row;
}

// The rows of a unit; a copy now and then, so that it has several in one group.
std::vector<Row> rows_of(Draw& draw, const query::Table& table, const Cell& unit, std::size_t most) {
  const auto lean = static_cast<Lean>(draw.below(3));
  std::vector<Row> rows;
  for (std::size_t left = draw.below(most + 1); left > 0; --left) {
    const bool again = !rows.empty() && draw.one_in(2);
    rows.push_back(again ? draw.one_of(rows) : row_of(draw, table, unit, lean));
  }
  return rows;
}

void add(std::vector<Row>& rows, const std::vector<Row>& more) { rows.insert(rows.end(), more.begin(), more.end()); }

// Every row is a unit of its own, whatever its first cell says.
Neighbours rows_that_differ(Draw& draw, const query::Table& table) {
  Neighbours both;
  for (const Cell& name : names_of(table.columns.front().type)) add(both.first, rows_of(draw, table, name, 3));
  both.second = both.first;
  const auto lean = [&] { return static_cast<Lean>(draw.below(3)); };
  const Row one = row_of(draw, table, "1", lean()), other = row_of(draw, table, "2", lean());
  both.first.push_back(one);
  if (table.neighbours == privacy::Neighbours::replace) both.second.push_back(other);
  return both;
}

}  // namespace

Neighbours random_neighbours_of(Draw& draw, const query::Table& table, std::size_t victim) {
  const std::vector<Cell>& names = names_of(table.columns.front().type);
  Neighbours both;
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (i != victim) add(both.first, rows_of(draw, table, names[i], 4));
  }
  both.second = both.first;
  const std::size_t many = draw.one_in(3) ? 40 : 12;
  add(both.first, rows_of(draw, table, names[victim], many));
  if (table.neighbours == privacy::Neighbours::replace) add(both.second, rows_of(draw, table, names[victim], many));
  add(both.first, rows_of(draw, table, names.front(), 4));
  add(both.second, rows_of(draw, table, names.front(), 4));
  return both;
}

std::size_t units_of(Type type) { return names_of(type).size() - 1; }
Cell name_of_unit(Type type, std::size_t unit) { return names_of(type)[unit]; }

Row random_row(Draw& draw, const query::Table& table, const Cell& first) {
  return row_of(draw, table, first, static_cast<Lean>(draw.below(3)));
}

std::vector<Row> random_public_rows(Draw& draw, const query::Table& table) {
  std::vector<Row> rows;
  for (std::size_t left = 5 + draw.below(40); left > 0; --left) {
    Row row;
    for (const Column& column : table.columns) row.push_back(cell_of(draw, column, Lean::none));
    rows.push_back(std::move(row));
  }
  return rows;
}

Neighbours random_neighbours(Draw& draw, const query::Table& table) {
  const std::size_t units = units_of(table.columns.front().type);
  Neighbours both =
      table.unit ? random_neighbours_of(draw, table, 1 + draw.below(units)) : rows_that_differ(draw, table);
  draw.shuffle(both.first);
  draw.shuffle(both.second);
  if (draw.one_in(2)) std::swap(both.first, both.second);
  return both;
}

}  // namespace vernier::twin
