#include "vernier/query/read/table.hpp"

#include <algorithm>
#include <map>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/read/column.hpp"
#include "vernier/query/read/definitions.hpp"
#include "vernier/query/read/engine.hpp"
#include "vernier/query/read/moment.hpp"
#include "vernier/query/read/via.hpp"
#include "vernier/query/source_files.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

// Why this is not the name of files on this machine; none where it is. Engines take [ and { for patterns, a tilde for a
// home folder, and addresses for other machines.
std::optional<std::string> fault_of_source(const std::string& source) {
  if (auto fault = fault_of_text(source)) return fault;
  if (source.find_first_of("[]{}") != std::string::npos) return "it has one of []{} in it";
  if (source.find("**") != std::string::npos) return "it has ** in it, and * stands for a part of one name";
  if (source.starts_with('~')) return "it begins with ~";
  if (source.find("://") != std::string::npos) return "it is an address";
  return std::nullopt;
}

void refuse_faults(TableReader& reader, Place place, const std::string& source) {
  if (const auto fault = fault_of_source(source)) {
    reader.refuse(place, reader.subject("source"), "must be the path of a file, but " + *fault,
                  "write it in full, or from the folder of this file on");
  }
}

// source = ["north.csv", "south-*.csv"]
std::string read_paths(TableReader& reader, const TomlNode& node, const TomlArray& list) {
  std::vector<std::string> parts;
  for (const TomlNode& one : list) {
    const auto* const part = std::get_if<std::string>(&one.content);
    if (part == nullptr) {
      reader.refuse(one.place, reader.subject("source"), "must be paths of files, but one is " + described(one),
                    "write " + toml("source = [\"north.csv\", \"south.csv\"]"));
      continue;
    }
    refuse_faults(reader, one.place, *part);
    parts.push_back(*part);
  }
  if (list.empty()) reader.refuse(node.place, reader.subject("source"), "names no file", "name one");
  return joined_parts(parts).string();
}

std::string read_path(TableReader& reader) {
  const TomlNode* const node = reader.require("source", toml("source = \"people.csv\""));
  if (const auto* const list = node == nullptr ? nullptr : std::get_if<TomlArray>(&node->content))
    return read_paths(reader, *node, *list);
  const auto source = reader.text("source", "people.csv");
  if (!source) return {};
  refuse_faults(reader, node->place, *source);
  return *source;
}

// None where it is not said, or wrong.
std::optional<SourceKind> read_format(TableReader& reader) {
  const auto format = reader.word("format", {"csv", "parquet", "arrow"});
  if (!format) return std::nullopt;
  return *format == "csv" ? SourceKind::csv : *format == "parquet" ? SourceKind::parquet : SourceKind::arrow;
}

// Of one part, behind what says that it is compressed: how rows are written in its files.
std::string ending_of(const std::filesystem::path& part) {
  const std::string ending = fold_case(std::filesystem::path(unpacked_name(part.string())).extension().string());
  return ending == ".ndjson" ? ".jsonl" : ending;
}

// Rows are read in one way from all files of a table.
void refuse_several_endings(TableReader& reader, const std::string& path) {
  const std::vector<std::filesystem::path> parts = parts_of(path);
  for (const std::filesystem::path& part : parts) {
    if (ending_of(part) == ending_of(parts.front())) continue;
    return reader.refuse(reader.find("source")->place, reader.subject("source"),
                         "names files of several kinds, and those of a table are of one",
                         "write all of them in one way, or declare a table for each kind");
  }
}

SourceKind kind_by_ending(TableReader& reader, const std::string& path) {
  const std::string ending = ending_of(parts_of(path).front());
  if (ending == ".parquet") return SourceKind::parquet;
  if (ending != ".csv" && ending != ".tsv" && ending != ".jsonl" && !path.empty() && reader.find("format") == nullptr) {
    reader.refuse(reader.find("source")->place, reader.subject("source"),
                  "ends neither in .csv, .tsv or .jsonl nor in .parquet",
                  "add " + toml("format = \"csv\"") + " or " + toml("format = \"parquet\""));
  }
  return SourceKind::csv;
}

// A character of ASCII that can stand between cells and not within a number, a name or a quotation.
bool is_delimiter(const std::string& text) {
  return text.size() == 1 && std::string_view(",;|\t:^~!#$%&*/ ").find(text.front()) != std::string_view::npos;
}

char read_delimiter(TableReader& reader, const std::string& path) {
  const auto delimiter = reader.text("delimiter", ";");
  if (!delimiter) return fold_case(unpacked_name(path)).ends_with(".tsv") ? '\t' : ',';
  if (is_delimiter(*delimiter)) return delimiter->front();
  reader.refuse(reader.find("delimiter")->place, reader.subject("delimiter"),
                "must be one character that no cell needs, such as \",\", \";\", \"|\" or \"\\t\"", {});
  return ',';
}

void refuse(TableReader& reader, const char* key, const std::string& why) {
  const TomlNode* const node = reader.find(key);
  if (node != nullptr) reader.refuse(node->place, reader.subject(key) + why);
}

void refuse_unless_csv(TableReader& reader, const std::string& source) {
  for (const char* key : {"delimiter", "quoted", "line_breaks"})
    refuse(reader, key, " is for CSV only, but the source is " + source + "; leave it out");
}

// Rows of objects, which name their columns themselves.
Source read_json(TableReader& reader, const std::string& path) {
  refuse_unless_csv(reader, "JSON lines");
  refuse(reader, "format",
         " is not for files that end in .jsonl or .ndjson, which are read as JSON lines; leave it out");
  return {.path = path, .kind = SourceKind::csv, .quoted = false};
}

Source read_csv(TableReader& reader, const std::string& path) {
  if (is_json_lines(parts_of(path).front())) return read_json(reader, path);
  const char delimiter = read_delimiter(reader, path);
  const bool quoted = reader.boolean("quoted").value_or(true);
  const bool line_breaks = reader.boolean("line_breaks").value_or(false);
  if (line_breaks && !quoted)
    refuse(reader, "line_breaks", " needs quotes around cells, but quoted is false; leave one of them out");
  return {path, SourceKind::csv, delimiter, quoted, line_breaks};
}

// Rows that the program which releases has in memory.
Source read_memory(TableReader& reader) {
  refuse(reader, "source",
         " names a file, but with " + toml("format = \"arrow\"") +
             " the rows are given by the program that releases; leave it out, or write " + toml("format = \"csv\"") +
             " or \"parquet\"");
  refuse_unless_csv(reader, "Arrow");
  return {.path = {}, .kind = SourceKind::arrow};
}

}  // namespace

namespace {

// source = { table = "public.people" }
Source read_engine_table(TableReader& reader, const TomlNode& node, const TomlTable& content,
                         std::vector<Problem>& problems) {
  Source source{.path = {}, .kind = SourceKind::table};
  for (const char* key : {"format", "delimiter", "quoted", "line_breaks"})
    refuse(reader, key, " is for files, but the source is a table of the engine; leave it out");
  TableReader inner(content, node.place, reader.subject("source"), problems);
  inner.require("table", toml("source = { table = \"public.people\" }"));
  const auto name = inner.text("table", "public.people");
  if (name) source.table = parts_of_name(*name);
  if (name && source.table.empty()) {
    reader.refuse(node.place, reader.subject("source"),
                  "must name a table with its schema, such as public.people, but it is " + in_quotes(*name), {});
  }
  inner.finish();
  return source;
}

}  // namespace

Source read_source(TableReader& reader, std::vector<Problem>& problems) {
  const TomlNode* const node = reader.find("source");
  if (const auto* const content = node == nullptr ? nullptr : std::get_if<TomlTable>(&node->content)) {
    return read_engine_table(reader, *node, *content, problems);
  }
  const std::optional<SourceKind> format = read_format(reader);
  if (format == SourceKind::arrow) return read_memory(reader);
  const std::string path = read_path(reader);
  refuse_several_endings(reader, path);
  const SourceKind kind = format ? *format : kind_by_ending(reader, path);
  if (kind == SourceKind::csv) return read_csv(reader, path);
  refuse_unless_csv(reader, "Parquet");
  return {.path = path, .kind = kind};
}

namespace {

// Why the number of rows is not the same in neighbouring tables; empty where it is.
std::string fault_of_count(const Table& table) {
  if (table.neighbours != privacy::Neighbours::replace) {
    return toml("neighbours = \"replace\"") +
           ", since add-remove protects whether a row is there, and with it how many there are";
  }
  if (table.unit) return toml("unit = \"row\"") + ", since a unit that is replaced may have another number of rows";
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
    return is + ", whose lower bound is negative, but weights are 0 or more; write " + toml("lower = 0");
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

std::vector<Column> read_columns(TableReader& reader, const std::string& table, const SourceFormat& source,
                                 std::vector<NamedExpression>& moments, std::vector<Problem>& problems) {
  const std::string example = toml("[tables." + table + ".columns]");
  reader.require("columns", example);
  const TomlTable* const entries = reader.table("columns", example);
  if (entries == nullptr) return {};
  if (entries->empty())
    reader.refuse(reader.find("columns")->place, reader.name(), "has no columns",
                  "write each as " + toml("name = { type = \"integer\" }"));
  refuse_duplicates(*entries, "column", problems);
  std::vector<Column> columns;
  for (const TomlEntry& entry : *entries) {
    const std::optional<NamedExpression> moment = read_moment(entry, problems);
    columns.push_back(read_column(moment ? as_text_column(entry) : entry, source, problems));
    if (moment) moments.push_back(*moment);
  }
  return columns;
}

// Rows of public tables are looked up as they are.
void add_moments(Table& table, std::vector<NamedExpression> moments, std::vector<Problem>& problems) {
  for (NamedExpression& moment : moments) {
    if (table.is_public) {
      problems.push_back({moment.place,
                          "the column " + in_quotes(moment.name) + " is of a public table, which has no times",
                          "declare it as string, and write CAST(... AS TIMESTAMP) around it in statements"});
    } else {
      table.expressions.push_back(std::move(moment));
    }
  }
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

std::optional<std::string> read_unit(TableReader& reader, Table& table, std::vector<Problem>& problems) {
  const TomlNode* const node = reader.require(
      "unit", toml("unit = \"person_id\"") + ", the column that says whose row it is, or " + toml("unit = \"row\""));
  if (const auto* const content = node == nullptr ? nullptr : std::get_if<TomlTable>(&node->content)) {
    table.via = read_via(reader, *node, *content, table, problems);
    return table.via ? std::optional(table.via->is) : std::nullopt;
  }
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
                std::string("leave ") + key + " out, or leave out " + toml("public = true"));
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
                "write " + toml("source = \"places.csv\"") + " instead");
}

std::optional<std::int64_t> read_limit(TableReader& reader, const Table& table, const char* key, std::int64_t most) {
  auto limit = reader.whole(key, 1, most);
  if (limit && !table.unit) {
    reader.refuse(reader.find(key)->place, reader.subject(key),
                  "is for units with several rows, but here every row is one", "leave it out");
  }
  return limit;
}

void read_protection(TableReader& reader, Table& table, std::vector<Problem>& problems) {
  table.is_public = reader.boolean("public").value_or(false);
  if (table.is_public) {
    refuse_public_memory(reader, table);
    for (const char* const key : {"unit", "neighbours", "row_limit", "expressions", "sampled", "weight", "public_count",
                                  "max_groups", "max_rows", "append_only"})
      refuse_for_public(reader, key);
    return;
  }
  table.unit = read_unit(reader, table, problems);
  table.neighbours = read_neighbours(reader);
  table.row_limit = reader.whole("row_limit", 1, greatest_row_limit).value_or(default_row_limit);
  table.max_groups = read_limit(reader, table, "max_groups", greatest_max_groups);
  table.max_rows = read_limit(reader, table, "max_rows", greatest_max_rows);
  table.sampled = read_sampled(reader);
  table.weight = read_weight(reader, table);
  table.public_count = read_public_count(reader, table);
  reader.boolean("append_only");  // what series rest on: is_append_only (series.hpp) reads it
}

}  // namespace

void refuse_duplicates(const TomlTable& named, const char* what, std::vector<Problem>& problems) {
  std::map<std::string, const TomlEntry*> seen;
  for (const TomlEntry& entry : named) {
    const auto [first, is_new] = seen.emplace(fold_case(entry.key), &entry);
    if (is_new) continue;
    problems.push_back({entry.place,
                        std::string("the ") + what + " " + in_quotes(entry.key) + " differs only by case from " +
                            in_quotes(first->second->key) + in_line(first->second->place.line) +
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
        {entry.node.place, subject + " must be " + term(Term::tables) + ", but it is " + described(entry.node)});
    return table;
  }
  TableReader reader(*content, entry.place, subject, problems);
  table.source = read_source(reader, problems);
  if (table.source.kind != SourceKind::csv) refuse_text_formats(reader, table.source.kind);
  std::vector<NamedExpression> moments;
  table.columns = read_columns(reader, entry.key, {table.source.kind, read_format_of_table(reader)}, moments, problems);
  read_protection(reader, table, problems);
  if (!table.is_public) table.expressions = read_expressions(reader, table.columns, problems);
  add_moments(table, std::move(moments), problems);
  reader.finish();
  return table;
}

}  // namespace vernier::query
