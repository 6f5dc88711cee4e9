#include "vernier/query/read/table.hpp"

#include <algorithm>
#include <map>

#include "vernier/core/names.hpp"
#include "vernier/query/read/column.hpp"
#include "vernier/query/read/definitions.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

// Why this is not the name of one file on this machine; none where it is. Engines take *, ?, [ and { for patterns, a
// tilde for a home folder, and addresses for other machines.
std::optional<std::string> fault_of_source(const std::string& source) {
  if (auto fault = fault_of_text(source)) return fault;
  if (source.find_first_of("*?[]{}") != std::string::npos) return "it has a pattern in it (one of *?[]{})";
  if (source.starts_with('~')) return "it begins with ~";
  if (source.find("://") != std::string::npos) return "it is an address";
  return std::nullopt;
}

std::string read_path(TableReader& reader) {
  const TomlNode* const node = reader.require("source", "source = \"people.csv\"");
  const auto source = reader.text("source", "people.csv");
  if (!source) return {};
  if (const auto fault = fault_of_source(*source)) {
    reader.refuse(node->place, reader.subject("source"), "must be the path of one file, but " + *fault,
                  "write it in full, or from the folder of this file on");
  }
  return *source;
}

// None where it is not said, or wrong.
std::optional<SourceKind> read_format(TableReader& reader) {
  const auto format = reader.word("format", {"csv", "parquet", "arrow"});
  if (!format) return std::nullopt;
  return *format == "csv" ? SourceKind::csv : *format == "parquet" ? SourceKind::parquet : SourceKind::arrow;
}

SourceKind kind_by_ending(TableReader& reader, const std::string& path) {
  const std::string extension = fold_case(std::filesystem::path(path).extension().string());
  if (extension == ".parquet") return SourceKind::parquet;
  if (extension != ".csv" && !path.empty() && reader.find("format") == nullptr) {
    reader.refuse(reader.find("source")->place, reader.subject("source"), "ends neither in .csv nor in .parquet",
                  "add format = \"csv\" or format = \"parquet\"");
  }
  return SourceKind::csv;
}

// A character of ASCII that can stand between cells and not within a number, a name or a quotation.
bool is_delimiter(const std::string& text) {
  return text.size() == 1 && std::string_view(",;|\t:^~!#$%&*/ ").find(text.front()) != std::string_view::npos;
}

char read_delimiter(TableReader& reader) {
  const auto delimiter = reader.text("delimiter", ";");
  if (!delimiter) return ',';
  if (is_delimiter(*delimiter)) return delimiter->front();
  reader.refuse(reader.find("delimiter")->place, reader.subject("delimiter"),
                "must be one character that no cell needs, such as \",\", \";\", \"|\" or \"\\t\"", {});
  return ',';
}

void refuse(TableReader& reader, const char* key, const std::string& why) {
  const TomlNode* const node = reader.find(key);
  if (node != nullptr) reader.refuse(node->place, reader.subject(key) + why);
}

void refuse_unless_csv(TableReader& reader, SourceKind kind) {
  const std::string source = kind == SourceKind::parquet ? "Parquet" : "Arrow";
  for (const char* key : {"delimiter", "quoted", "line_breaks"})
    refuse(reader, key, " is for CSV only, but the source is " + source + "; leave it out");
}

Source read_csv(TableReader& reader, const std::string& path) {
  const char delimiter = read_delimiter(reader);
  const bool quoted = reader.boolean("quoted").value_or(true);
  const bool line_breaks = reader.boolean("line_breaks").value_or(false);
  if (line_breaks && !quoted)
    refuse(reader, "line_breaks", " needs quotes around cells, but quoted is false; leave one of them out");
  return {path, SourceKind::csv, delimiter, quoted, line_breaks};
}

// Rows that the program which releases has in memory.
Source read_memory(TableReader& reader) {
  refuse(reader, "source",
         " names a file, but with format = \"arrow\" the rows are given by the program that releases; leave it out, or "
         "write format = \"csv\" or \"parquet\"");
  refuse_unless_csv(reader, SourceKind::arrow);
  return {.path = {}, .kind = SourceKind::arrow};
}

}  // namespace

Source read_source(TableReader& reader) {
  const std::optional<SourceKind> format = read_format(reader);
  if (format == SourceKind::arrow) return read_memory(reader);
  const std::string path = read_path(reader);
  const SourceKind kind = format ? *format : kind_by_ending(reader, path);
  if (kind == SourceKind::csv) return read_csv(reader, path);
  refuse_unless_csv(reader, kind);
  return {.path = path, .kind = kind};
}

namespace {

// Why the number of rows is not the same in neighbouring tables; empty where it is.
std::string fault_of_count(const Table& table) {
  if (table.neighbours != privacy::Neighbours::replace) {
    return "neighbours = \"replace\", since add-remove protects whether a row is there, and with it how many there are";
  }
  if (table.unit) return "unit = \"row\", since a unit that is replaced may have another number of rows";
  if (table.source.line_breaks) {
    return "a file without line_breaks, with which the quotes in one row decide how many lines it has, and so how many "
           "rows there are";
  }
  return "";
}

}  // namespace

bool read_public_count(TableReader& reader, const Table& table) {
  if (!reader.boolean("public_count").value_or(false)) return false;
  const std::string fault = fault_of_count(table);
  if (fault.empty()) return true;
  reader.refuse(reader.find("public_count")->place, reader.subject("public_count"), "needs " + fault,
                "write that, or leave public_count out");
  return false;
}

bool read_never_null(TableReader& reader, const Column& column) {
  if (!reader.boolean("never_null").value_or(false)) return false;
  const bool is_number = column.type == Type::integer || column.type == Type::real;
  if (is_number && column.range) return true;
  reader.refuse(reader.find("never_null")->place, reader.subject("never_null"),
                "is for numbers with bounds, since a value that is missing in spite of it counts as the lower "
                "one",
                "give the column bounds, or leave never_null out");
  return false;
}

namespace {

bool is_number(const Column& column) { return column.type == Type::integer || column.type == Type::real; }

bool is_negative(const Value& bound) {
  const auto* const whole = std::get_if<std::int64_t>(&bound);
  return whole != nullptr ? *whole < 0 : std::get<double>(bound) < 0;
}

std::string not_a_column(const std::string& name, const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return " must be one of its columns, but it is " + in_quotes(name) + suggestion(name, names);
}

// Why the column has no weights, behind the name of the key; empty where it has.
std::string fault_of(const Column& column, const Table& table) {
  const std::string is = " is " + in_quotes(column.name);
  if (table.unit == column.name) {
    return is + ", which is also its unit; a weight says for how many members a row stands, and not whose row it is";
  }
  if (!is_number(column)) {
    return is + ", of type " + std::string(name_of(column.type)) +
           ", but weights are numbers; declare the column as integer or real";
  }
  if (!column.range) {
    return is + ", which has no bounds, so that one row could weigh anything; declare its lower and upper";
  }
  if (is_negative(column.range->lower)) {
    return is + ", whose lower bound is negative, but weights are 0 or more; write lower = 0";
  }
  if (table.sampled) {
    return " and its sampled exclude each other: sampled says that all members have the same chance to be in the "
           "table, and weights that they have not; leave one of them out";
  }
  return "";
}

}  // namespace

std::optional<std::string> read_weight(TableReader& reader, const Table& table) {
  const auto name = reader.text("weight", "survey_weight");
  if (!name) return std::nullopt;
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& one) { return one.name == *name; });
  const std::string fault = found == table.columns.end() ? not_a_column(*name, table.columns) : fault_of(*found, table);
  if (!fault.empty()) reader.refuse(reader.find("weight")->place, reader.subject("weight") + fault);
  return name;
}

namespace {

std::vector<Column> read_columns(TableReader& reader, const std::string& table, std::vector<Problem>& problems) {
  const std::string example = "[tables." + table + ".columns]";
  reader.require("columns", example);
  const TomlTable* const entries = reader.table("columns", example);
  if (entries == nullptr) return {};
  if (entries->empty())
    reader.refuse(reader.find("columns")->place, reader.name(), "has no columns",
                  "write each as name = { type = \"integer\" }");
  refuse_duplicates(*entries, "column", problems);
  std::vector<Column> columns;
  for (const TomlEntry& entry : *entries) columns.push_back(read_column(entry, problems));
  return columns;
}

// The unit must be one of the columns, to the letter: a mistake here protects the wrong thing.
void check_unit(TableReader& reader, Place place, const std::string& unit, const std::vector<Column>& columns) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == unit; });
  if (found != columns.end()) {
    if (found->type != Type::real) return;
    return reader.refuse(place, reader.subject("unit"),
                         "is " + in_quotes(unit) + ", a real number, which is no identity",
                         "declare it as integer or string");
  }
  std::vector<std::string> names = {"row"};
  for (const Column& column : columns) names.push_back(column.name);
  reader.refuse(place, reader.subject("unit"),
                "must be one of its columns, or \"row\" where every row is a person of its own, but it is " +
                    in_quotes(unit) + suggestion(unit, names),
                {});
}

std::optional<std::string> read_unit(TableReader& reader, const Table& table) {
  const TomlNode* const node =
      reader.require("unit", "unit = \"person_id\", the column that says whose row it is, or unit = \"row\"");
  const auto unit = reader.text("unit", "person_id");
  if (!unit) return std::nullopt;
  if (*unit != "row") {
    check_unit(reader, node->place, *unit, table.columns);
    return unit;
  }
  if (table.column("row") != nullptr) {
    reader.refuse(node->place, reader.subject("unit"), "is \"row\", which also names a column",
                  "rename the column in the file and here");
  }
  return std::nullopt;
}

privacy::Neighbours read_neighbours(TableReader& reader) {
  using privacy::Neighbours;
  const auto name = reader.word("neighbours", {std::string(privacy::name_of(Neighbours::add_remove)),
                                               std::string(privacy::name_of(Neighbours::replace))});
  return name && *name == privacy::name_of(Neighbours::replace) ? Neighbours::replace : Neighbours::add_remove;
}

// What protects has no place where nothing is protected.
void refuse_for_public(TableReader& reader, const char* key) {
  const TomlNode* const node = reader.find(key);
  if (node == nullptr) return;
  reader.refuse(node->place, reader.subject(key), "is for tables that are protected, and this one is public",
                std::string("leave ") + key + " out, or leave out public = true");
}

std::optional<numeric::Rational> read_sampled(TableReader& reader) {
  auto sampled = reader.number("sampled");
  if (!sampled) return std::nullopt;
  if (*sampled < numeric::Rational::of_decimal("1e-9").value() || *sampled > numeric::Rational::of(1)) {
    const TomlNode& node = *reader.find("sampled");
    reader.refuse(node.place, reader.subject("sampled"),
                  "must be between 1e-9 and 1, the probability with which each member of the "
                  "population is in the table, but it is " +
                      described(node),
                  {});
  }
  return sampled;
}

// A release names the files of public tables by their hashes.
void refuse_public_memory(TableReader& reader, const Table& table) {
  if (table.source.kind != SourceKind::arrow) return;
  reader.refuse(reader.find("format")->place, reader.subject("format"),
                "is arrow, but a public table is a file, which releases name by its hash",
                "write source = "
                "\"places.csv\" instead");
}

void read_protection(TableReader& reader, Table& table) {
  table.is_public = reader.boolean("public").value_or(false);
  if (table.is_public) {
    refuse_public_memory(reader, table);
    for (const char* const key :
         {"unit", "neighbours", "row_limit", "expressions", "sampled", "weight", "public_count"})
      refuse_for_public(reader, key);
    return;
  }
  table.unit = read_unit(reader, table);
  table.neighbours = read_neighbours(reader);
  table.row_limit = reader.whole("row_limit", 1, greatest_row_limit).value_or(default_row_limit);
  table.sampled = read_sampled(reader);
  table.weight = read_weight(reader, table);
  table.public_count = read_public_count(reader, table);
}

}  // namespace

void refuse_duplicates(const TomlTable& named, const char* what, std::vector<Problem>& problems) {
  std::map<std::string, const TomlEntry*> seen;
  for (const TomlEntry& entry : named) {
    const auto [first, is_new] = seen.emplace(fold_case(entry.key), &entry);
    if (is_new) continue;
    problems.push_back({entry.place,
                        std::string("the ") + what + " " + in_quotes(entry.key) + " differs only by case from " +
                            in_quotes(first->second->key) + " in line " + std::to_string(first->second->place.line) +
                            ", and engines take them for one",
                        "rename one of them"});
  }
}

Table read_table(const TomlEntry& entry, std::vector<Problem>& problems) {
  Table table{.name = entry.key, .source = {}, .unit = {}, .columns = {}, .place = entry.place};
  const std::string subject = "the table " + in_quotes(entry.key);
  if (const auto fault = fault_of_name(entry.key)) {
    problems.push_back({entry.place, "a table cannot have this name, since " + *fault, "choose another"});
  }
  const auto* const content = std::get_if<TomlTable>(&entry.node.content);
  if (content == nullptr) {
    problems.push_back(
        {entry.node.place, subject + " must be a table such as [tables.people], but it is " + described(entry.node)});
    return table;
  }
  TableReader reader(*content, entry.place, subject, problems);
  table.source = read_source(reader);
  table.columns = read_columns(reader, entry.key, problems);
  read_protection(reader, table);
  if (!table.is_public) table.expressions = read_expressions(reader, table.columns, problems);
  reader.finish();
  return table;
}

}  // namespace vernier::query
