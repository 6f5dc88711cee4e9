#include "bytes/shape.hpp"
#include "support/packed.hpp"

namespace vernier::bytes {
namespace {

using query::Type;

using Cells = std::vector<std::string>;

// How the file is written, which the catalog says or a reader must not care about.
struct Mode {
  char delimiter;
  bool quoted;
  bool has_quotes;       // of quoted files: around all clean cells
  bool line_breaks;      // of quoted files: a cell in quotes may go over several lines
  std::string line_end;  // of clean records
  bool has_byte_order;
  bool has_more_columns;  // that were not declared
  bool ends_with_line;    // the last record has a line end, too
  std::size_t place;      // of the record
  std::string packed;     // ".gz", ".zst", or nothing
  std::size_t cut;        // records of the first file, of several; 0: all in one
};

Mode drawn_mode(Draw& draw, std::uint64_t number, std::size_t rows) {
  const bool quoted = number % 2 == 0;
  return {.delimiter = draw.one_of<char>({',', ',', ';', '\t', '|'}),
          .quoted = quoted,
          .has_quotes = quoted && draw.one_in(2),
          .line_breaks = number % 6 == 2,
          .line_end = draw.one_in(3) ? "\r\n" : "\n",
          .has_byte_order = draw.one_in(5),
          .has_more_columns = draw.one_in(3),
          .ends_with_line = !draw.one_in(4),
          .place = draw.one_in(3) ? rows : draw.below(rows + 1),
          .packed = number % 7 == 3   ? ".gz"
                    : number % 7 == 5 ? ".zst"
                                      : "",
          .cut = number % 4 == 1 ? 1 + number % rows : 0};
}

std::vector<std::string> names_of(const Mode& mode) {
  return {mode.line_breaks ? "line breaks"
          : mode.quoted    ? "quoted"
                           : "not quoted",
          std::string("delimiter ") + (mode.delimiter == '\t' ? "tab" : std::string(1, mode.delimiter)),
          mode.line_end == "\n" ? "LF" : "CRLF",
          mode.has_byte_order ? "BOM first" : "no BOM",
          mode.has_more_columns ? "more columns" : "declared columns alone",
          mode.ends_with_line ? "line end at the end" : "no line end at the end",
          mode.cut > 0 ? "several files" : "one file",
          std::string("packed as ").append(mode.packed)};
}

std::string clean_cell(Draw& draw, Type type) {
  switch (type) {
    case Type::boolean:
      return draw.one_of<std::string>({"true", "false", "1"});
    case Type::integer:
      return draw.one_of<std::string>({"1", "7", "-3", "", "12"});
    case Type::real:
      return draw.one_of<std::string>({"0.5", "1", "-2.25", "", "1e1"});
    case Type::string:
      return draw.one_of<std::string>({"a", "north", "12", "", "süd"});
    case Type::date:
      break;
  }
  return draw.one_of<std::string>({"1999-01-01", "1997-06-01", "", "2020-02-29"});
}

Cells clean_record(Draw& draw, const query::Table& table, std::int64_t unit) {
  return {unit_text(table, unit), std::to_string(draw.below(11)), draw.one_of<std::string>({"north", "south", "west"}),
          clean_cell(draw, table.columns[3].type), clean_cell(draw, table.columns[4].type)};
}

std::string joined(const Mode& mode, const Cells& cells, bool in_quotes) {
  std::string line;
  for (const std::string& cell : cells) line.append(in_quotes ? '"' + cell + '"' : cell).append(1, mode.delimiter);
  return line.substr(0, line.size() - 1);
}

std::string line_of(const Mode& mode, Cells cells) {
  if (mode.has_more_columns) cells.insert(cells.begin() + 1, "more");
  return joined(mode, cells, mode.has_quotes);
}

// Records that are odd as a whole; of the others one cell has odd bytes.
const std::vector<std::string> whole = {"random record",    "too few cells",    "too many cells", "no cells",
                                        "delimiters alone", "the header again", "a remark",       "forged rows",
                                        "an open quote",    "a very long cell"};

std::string without_line_end(std::string record) {
  std::erase(record, '\n');
  return record;
}

std::string whole_record(Draw& draw, const Mode& mode, Cells cells, const std::string& oddity) {
  const std::string delimiter(1, mode.delimiter);
  if (oddity == "too few cells")
    return joined(mode, {cells.begin(), cells.begin() + 1 + draw.below(4)}, mode.has_quotes);
  if (oddity == "too many cells") return line_of(mode, cells) + delimiter + "x" + delimiter + delimiter + "\"y";
  if (oddity == "no cells") return draw.one_of<std::string>({"", "\r", " ", "\"\""});
  if (oddity == "delimiters alone") return std::string(draw.below(9), mode.delimiter);
  if (oddity == "the header again") return line_of(mode, {"id", "n", "k", "x", "y"});
  if (oddity == "a remark") return "# " + line_of(mode, cells);
  if (oddity == "forged rows") {
    std::string forged = line_of(mode, cells);
    for (int i = 0; i < 5; ++i) forged += '\r' + line_of(mode, cells);
    return forged;
  }
  if (oddity == "an open quote") {
    cells[draw.below(cells.size())].insert(0, "\"");
    return joined(mode, cells, false);
  }
  if (oddity == "a very long cell") {  // longer than the engine's buffer now and then
    cells[4] = std::string(draw.one_in(40) ? 2'300'000 : 20'000, 'x');
    return line_of(mode, cells);
  }
  return odd_bytes(draw, Oddity::random) + delimiter + odd_bytes(draw, Oddity::random);
}

std::string cell_record(Draw& draw, const Mode& mode, Cells cells, Oddity oddity) {
  for (std::size_t left = 1 + draw.below(2); left > 0; --left)
    cells[draw.below(cells.size())] = odd_bytes(draw, oddity);
  return draw.one_in(2) ? line_of(mode, cells) : joined(mode, cells, mode.quoted && draw.one_in(2));
}

// Where rows end outside of quotes, a record is what a correct writer makes of any bytes: all cells in quotes, and each
// quote within them twice (RFC 4180). What an open quote does to other lines is declared (engine/csv/csv.md).
std::string written_record(Draw& draw, const Mode& mode, Cells cells, Oddity oddity) {
  for (std::size_t left = 1 + draw.below(2); left > 0; --left)
    cells[draw.below(cells.size())] = odd_bytes(draw, oddity) + draw.one_of<std::string>({"", "\n", "\r\n", "\n\"\n"});
  for (std::string& cell : cells) {
    std::string doubled;
    for (const char c : cell) doubled.append(c == '"' ? 2 : 1, c);
    cell = doubled;
  }
  if (mode.has_more_columns) cells.insert(cells.begin() + 1, "more");
  return joined(mode, cells, true);
}

constexpr auto oddities = static_cast<std::size_t>(Oddity::count);

std::string name_of_kind(std::size_t kind) {
  return kind < oddities ? "a cell of " + std::string(name_of(static_cast<Oddity>(kind))) : whole[kind - oddities];
}

// Nothing behind the last line end is no record, so that an empty one has its own.
std::string file_of(const Mode& mode, const std::vector<std::string>& records) {
  std::string file = (mode.has_byte_order ? "\xEF\xBB\xBF" : "") + line_of(mode, {"ID", "n", "K", "x", "y"});
  for (const std::string& record : records) file += mode.line_end + record;
  file += mode.ends_with_line || records.empty() || records.back().empty() ? mode.line_end : "";
  return mode.packed == ".gz" ? testing::gzip(file) : mode.packed == ".zst" ? testing::zstd(file) : file;
}

Content content_of(const Mode& mode, const std::vector<std::string>& records) {
  if (mode.cut == 0) return {file_of(mode, records), nullptr};
  const auto middle = records.begin() + static_cast<std::ptrdiff_t>(mode.cut);
  return {file_of(mode, {records.begin(), middle}), nullptr, {file_of(mode, {middle, records.end()})}};
}

Content with_record(const Mode& mode, std::vector<std::string> records, const std::string& record) {
  records.insert(records.begin() + static_cast<std::ptrdiff_t>(mode.place),
                 mode.line_breaks ? record : without_line_end(record));
  return content_of(mode, records);
}

}  // namespace

Shape csv_shape(std::uint64_t number) {
  static const std::vector<Type> types = {Type::boolean, Type::integer, Type::real, Type::string, Type::date};
  Draw draw(number);
  Shape shape{.table = declared_table(draw, types[number % 5], draw.one_of(types))};
  const std::size_t rows = 2 + draw.below(8);
  const Mode mode = drawn_mode(draw, number, rows);
  shape.table.source = {(mode.cut > 0 ? "-*.csv" : ".csv") + mode.packed, query::SourceKind::csv, mode.delimiter,
                        mode.quoted, mode.line_breaks};
  if (mode.line_breaks) shape.table.public_count = false;  // the catalog refuses both together
  shape.modes = names_of(mode);
  std::vector<std::string> records;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t unit = first_unit + static_cast<std::int64_t>(i);
    shape.units.push_back(unit_constant(shape.table, unit));
    records.push_back(line_of(mode, clean_record(draw, shape.table, unit)));
  }
  shape.odd_unit = unit_constant(shape.table, odd_unit_number);
  const Cells clean = clean_record(draw, shape.table, odd_unit_number);
  shape.base = is_replaced(shape.table) ? with_record(mode, records, line_of(mode, clean)) : content_of(mode, records);
  for (std::size_t i = 0; i < odd_tables; ++i) {
    const std::size_t kind =
        mode.line_breaks ? (number + i) % oddities : (number * odd_tables + i) % (oddities + whole.size());
    const std::string record = mode.line_breaks  ? written_record(draw, mode, clean, static_cast<Oddity>(kind))
                               : kind < oddities ? cell_record(draw, mode, clean, static_cast<Oddity>(kind))
                                                 : whole_record(draw, mode, clean, whole[kind - oddities]);
    shape.odd.push_back({name_of_kind(kind), with_record(mode, records, record)});
  }
  return shape;
}

std::vector<std::string> csv_modes() {
  std::vector<std::string> modes = {"quoted",
                                    "line breaks",
                                    "not quoted",
                                    "delimiter ,",
                                    "delimiter ;",
                                    "delimiter tab",
                                    "delimiter |",
                                    "LF",
                                    "CRLF",
                                    "BOM first",
                                    "no BOM",
                                    "more columns",
                                    "declared columns alone",
                                    "line end at the end",
                                    "no line end at the end",
                                    "one file",
                                    "several files",
                                    "packed as ",
                                    "packed as .gz",
                                    "packed as .zst"};
  for (std::size_t kind = 0; kind < oddities + whole.size(); ++kind) modes.push_back(name_of_kind(kind));
  return modes;
}

}  // namespace vernier::bytes
