#include "bytes/shape.hpp"
#include "support/packed.hpp"

namespace vernier::bytes {
namespace {

using query::Type;

using Cells = std::vector<std::string>;  // of id, n, k, x and y: values as JSON writes them

struct Mode {
  std::string line_end;  // of clean records
  bool has_byte_order;
  bool has_more_members;  // that were not declared, lists among them
  bool is_spaced;         // blanks between all parts
  bool is_shuffled;       // members stand in another order in every record
  bool ends_with_line;
  std::size_t place;   // of the record
  std::size_t cut;     // records of the first file, of several; 0: all in one
  std::string packed;  // ".gz", ".zst", or nothing
};

Mode drawn_mode(Draw& draw, std::uint64_t number, std::size_t rows) {
  return {.line_end = draw.one_in(3) ? "\r\n" : "\n",
          .has_byte_order = draw.one_in(5),
          .has_more_members = draw.one_in(3),
          .is_spaced = draw.one_in(3),
          .is_shuffled = draw.one_in(3),
          .ends_with_line = !draw.one_in(4),
          .place = draw.one_in(3) ? rows : draw.below(rows + 1),
          .cut = number % 3 == 1 ? 1 + draw.below(rows) : 0,
          .packed = number % 7 == 3   ? ".gz"
                    : number % 7 == 5 ? ".zst"
                                      : ""};
}

std::vector<std::string> names_of(const Mode& mode) {
  return {mode.line_end == "\n" ? "LF" : "CRLF",
          mode.has_byte_order ? "BOM first" : "no BOM",
          mode.has_more_members ? "more members" : "declared members alone",
          mode.is_spaced ? "blanks" : "no blanks",
          mode.is_shuffled ? "in any order" : "in one order",
          mode.ends_with_line ? "line end at the end" : "no line end at the end",
          mode.cut > 0 ? "several files" : "one file",
          std::string("packed as ").append(mode.packed)};
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string clean_cell(Draw& draw, Type type) {
  switch (type) {
    case Type::boolean:
      return draw.one_of<std::string>({"true", "false", "1", "\"true\"", "null"});
    case Type::integer:
      return draw.one_of<std::string>({"1", "7", "-3", "null", "12.0", "\"12\"", "1e1"});
    case Type::real:
      return draw.one_of<std::string>({"0.5", "1", "-2.25", "null", "1E1", "NaN"});
    case Type::string:
      return draw.one_of<std::string>({"\"a\"", "\"north\"", "12", "\"\"", "\"s\\u00FCd\"", "\"\\ud83d\\ude00\""});
    case Type::date:
      break;
  }
  return draw.one_of<std::string>({"\"1999-01-01\"", "\"1997-06-01\"", "null", "\"2020-02-29\""});
}

Cells clean_record(Draw& draw, const query::Table& table, std::int64_t unit) {
  const bool is_text = table.columns.front().type == Type::string;
  const std::string id = unit_text(table, unit);
  return {is_text ? quoted(id) : id, std::to_string(draw.below(11)),
          quoted(draw.one_of<std::string>({"north", "south", "west"})), clean_cell(draw, table.columns[3].type),
          clean_cell(draw, table.columns[4].type)};
}

std::string line_of(Draw& draw, const Mode& mode, const Cells& cells) {
  const std::vector<std::string> names = {"ID", "n", "K", "x", "y"};
  std::vector<std::string> members;
  const std::string blank = mode.is_spaced ? " \t" : "";
  for (std::size_t i = 0; i < cells.size(); ++i) members.push_back(quoted(names[i]) + blank + ":" + blank + cells[i]);
  if (mode.has_more_members) members.insert(members.begin() + 1, "\"more\": [1, {\"x\": 9, \"y\": [\"}\"]}, \"\\\"\"]");
  if (mode.is_shuffled) draw.shuffle(members);
  std::string line;
  for (const std::string& member : members) line += (line.empty() ? "{" : blank + "," + blank) + member;
  return blank + line + "}" + blank;
}

// Records that are odd as a whole; of the others one value has odd bytes.
const std::vector<std::string> whole = {
    "random record", "no members",     "a member twice",    "nothing",      "a list",           "a value",
    "a remark",      "forged records", "an open quote",     "an open list", "deep lists",       "odd escapes",
    "cut short",     "behind its end", "another's members", "odd names",    "a very long value"};

std::string cut_short(Draw& draw, const std::string& line) { return line.substr(0, draw.below(line.size())); }

std::string deep(Draw& draw) {
  const std::size_t depth = 1 + draw.below(50'000);
  const std::string closed = draw.one_in(2) ? std::string(depth, ']') : std::string();
  return std::string(depth, '[') + closed;
}

std::string whole_record(Draw& draw, const Mode& mode, Cells cells, const std::string& oddity) {
  const std::string clean = line_of(draw, mode, cells);
  if (oddity == "no members") return "{}";
  if (oddity == "a member twice") return "{\"n\": 3, \"n\": 9, \"N\": [], " + clean.substr(clean.find('{') + 1);
  if (oddity == "nothing") return draw.one_of<std::string>({"", "\r", " ", "null"});
  if (oddity == "a list") return "[" + clean + "]";
  if (oddity == "a value") return draw.one_of<std::string>({"1", "\"{}\"", "true", "-"});
  if (oddity == "a remark") return "// " + clean;
  if (oddity == "forged records") return clean + '\r' + clean + '\r' + clean;
  if (oddity == "an open quote") cells[draw.below(cells.size())].insert(0, "\"");
  if (oddity == "an open list")
    cells[draw.below(cells.size())] = draw.one_of<std::string>({"[1, 2", "{\"x\": 1", "]", "}"});
  if (oddity == "deep lists") cells[3 + draw.below(2)] = deep(draw);
  if (oddity == "odd escapes")
    cells[draw.below(cells.size())] = quoted(draw.one_of<std::string>(
        {"\\ud800", "\\udc00\\ud800", "\\u0000", "\\x41", "\\u12", "\\", "\\u000a", "\\ud83dx", "\\u202e"}));
  if (oddity == "cut short") return cut_short(draw, clean);
  if (oddity == "behind its end") return clean + draw.one_of<std::string>({"x", ",", "{}", "}", "\x1E"});
  if (oddity == "another's members") return "{\"xx\": 1, \"\": 2, \"i d\": 7, \"y \": 3, \"x\\u0000\": 4}";
  if (oddity == "odd names") return "{\"\\u0078\": 1, \"\xFF\": 2, \"Y\": 3, \"i\\u0064\": 77}";
  if (oddity == "a very long value") cells[4] = quoted(std::string(draw.one_in(40) ? 2'300'000 : 20'000, 'x'));
  if (oddity == "random record") return odd_bytes(draw, Oddity::random) + odd_bytes(draw, Oddity::braces);
  return line_of(draw, mode, cells);
}

std::string value_record(Draw& draw, const Mode& mode, Cells cells, Oddity oddity) {
  for (std::size_t left = 1 + draw.below(2); left > 0; --left) {
    const std::string odd = odd_bytes(draw, oddity);
    cells[draw.below(cells.size())] = draw.one_in(3) ? odd : quoted(odd);
  }
  return line_of(draw, mode, cells);
}

constexpr auto oddities = static_cast<std::size_t>(Oddity::count);

std::string name_of_kind(std::size_t kind) {
  return kind < oddities ? "a value of " + std::string(name_of(static_cast<Oddity>(kind))) : whole[kind - oddities];
}

// Nothing behind the last line end is no record, so that an empty one has its own.
std::string file_of(const Mode& mode, const std::vector<std::string>& records) {
  std::string file = mode.has_byte_order ? "\xEF\xBB\xBF" : "";
  for (std::size_t i = 0; i < records.size(); ++i) file += (i == 0 ? "" : mode.line_end) + records[i];
  if (!records.empty() && (mode.ends_with_line || records.back().empty())) file += mode.line_end;
  return mode.packed == ".gz" ? testing::gzip(file) : mode.packed == ".zst" ? testing::zstd(file) : file;
}

Content content_of(const Mode& mode, std::vector<std::string> records, const std::optional<std::string>& record) {
  if (record) {
    std::string line = *record;
    std::erase(line, '\n');
    records.insert(records.begin() + static_cast<std::ptrdiff_t>(mode.place), line);
  }
  const auto middle = records.begin() + static_cast<std::ptrdiff_t>(mode.cut);
  if (mode.cut == 0) return {file_of(mode, records), nullptr};
  return {file_of(mode, {records.begin(), middle}), nullptr, {file_of(mode, {middle, records.end()})}};
}

}  // namespace

Shape json_shape(std::uint64_t number) {
  static const std::vector<Type> types = {Type::boolean, Type::integer, Type::real, Type::string, Type::date};
  Draw draw(number);
  Shape shape{.table = declared_table(draw, types[number % 5], draw.one_of(types))};
  const std::size_t rows = 2 + draw.below(8);
  const Mode mode = drawn_mode(draw, number, rows);
  shape.table.source = {(mode.cut > 0 ? "-*.jsonl" : ".jsonl") + mode.packed, query::SourceKind::csv};
  shape.modes = names_of(mode);
  std::vector<std::string> records;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t unit = first_unit + static_cast<std::int64_t>(i);
    shape.units.push_back(unit_constant(shape.table, unit));
    records.push_back(line_of(draw, mode, clean_record(draw, shape.table, unit)));
  }
  shape.odd_unit = unit_constant(shape.table, odd_unit_number);
  const Cells clean = clean_record(draw, shape.table, odd_unit_number);
  shape.base =
      content_of(mode, records, is_replaced(shape.table) ? std::optional(line_of(draw, mode, clean)) : std::nullopt);
  for (std::size_t i = 0; i < odd_tables; ++i) {
    const std::size_t kind = (number * odd_tables + i) % (oddities + whole.size());
    const std::string record = kind < oddities ? value_record(draw, mode, clean, static_cast<Oddity>(kind))
                                               : whole_record(draw, mode, clean, whole[kind - oddities]);
    shape.odd.push_back({name_of_kind(kind), content_of(mode, records, record)});
  }
  return shape;
}

std::vector<std::string> json_modes() {
  std::vector<std::string> modes = {"LF",
                                    "CRLF",
                                    "BOM first",
                                    "no BOM",
                                    "more members",
                                    "blanks",
                                    "no blanks",
                                    "in any order",
                                    "in one order",
                                    "declared members alone",
                                    "one file",
                                    "several files",
                                    "line end at the end",
                                    "no line end at the end",
                                    "packed as ",
                                    "packed as .gz",
                                    "packed as .zst"};
  for (std::size_t kind = 0; kind < oddities + whole.size(); ++kind) modes.push_back(name_of_kind(kind));
  return modes;
}

}  // namespace vernier::bytes
