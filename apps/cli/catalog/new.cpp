#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "vernier/core/names.hpp"
#include "vernier/engine/csv/file.hpp"
#include "vernier/engine/json/line.hpp"
#include "vernier/engine/source_columns.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/query/read/engine.hpp"
#include "vernier/query/source_files.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/session.hpp"

namespace vernier::cli {
namespace {

constexpr std::string_view head =
    R"(# What is protected, what may be spent, and everything that is public about the data.
# Fill in what is left open, then run: vernier catalog check FILE
# Only the names of the columns came from the data. Take bounds and keys from the codebook, the law or common sense,
# never from a look at the data: what is written here is public.

[budget]                # of everything that is ever published from this catalog
# epsilon = 1.0         # the total; a smaller one protects more
# delta = 1e-6          # the chance outside of it; leave it out for none

)";

constexpr std::string_view choices =
    R"(# unit = "person_id"    # whose presence is protected: the column that says whose row it is, or "row"
# neighbours = "add-remove"   # presence is protected (the default); or "replace": the content
# row_limit = 10000000000     # there are never more rows than this (the default)
# max_rows = 1                # rows of a unit that count in a group, where the unit is a column (1 is the default)
# max_groups = 1              # groups in which they count; docs/guide/limits-per-person.md shows the trade
)";

constexpr std::string_view types =
    R"(# Every column needs a type: "integer", "real", "string", "boolean" or "date". A cell that cannot be read so is NULL.
#   age    = { type = "integer", lower = 0, upper = 110 }
#   income = { type = "real", lower = 0, upper = 200000, granularity = 1 }
#   region = { type = "string", keys = ["north", "south"], labels = { north = "The North" } }
# lower, upper   SUM and AVG need them; what lies outside is moved to the nearer one, so wide bounds cost accuracy
# granularity    of reals: the step to which values are rounded, a power of two
#                bounds that nobody knows: vernier bounds CATALOG TABLE.COLUMN --epsilon 0.1 finds some, privately
# keys           the values by which results may be grouped, all published, empty or not; without them keys are private,
#                and a result says which have enough rows
# labels         what a report writes for a value
)";

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\t') {
      quoted += "\\t";
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string toml_key(std::string_view key) { return is_bare(key) ? std::string(key) : toml_text(key); }

namespace {

std::string engine_text(const query::Engine& engine) {
  const std::string address = engine.address.empty() ? "" : fmt::format("address = {}\n", toml_text(engine.address));
  return fmt::format("[engine]                # where the rows lie and are added up\nkind = {}\n{}\n",
                     toml_text(engine.kind), address);
}

std::string source_of(const Skeleton& skeleton) {
  const std::string name = toml_text(skeleton.source);
  return skeleton.engine ? fmt::format("{{ table = {} }}", name) : name;
}

// What the engine stores and no type of a catalog holds is left out.
std::string column_text(const Skeleton& skeleton, std::size_t i) {
  const std::string key = toml_key(skeleton.columns[i]);
  if (skeleton.nested.contains(skeleton.columns[i]))
    return fmt::format("# {}: a list or an object; a member of its own is needed for what counts of it\n", key);
  if (skeleton.types.empty()) return fmt::format("{} = {{}}\n", key);
  if (skeleton.types[i].empty()) return fmt::format("# {}: no type of a catalog holds it\n", key);
  return fmt::format("{} = {{ type = {} }}\n", key, toml_text(skeleton.types[i]));
}

}  // namespace

std::string skeleton_text(const Skeleton& skeleton) {
  const std::string table = toml_key(skeleton.table);
  std::string text = fmt::format("{}{}[tables.{}]\nsource = {}\n", head,
                                 skeleton.engine ? engine_text(*skeleton.engine) : "", table, source_of(skeleton));
  if (skeleton.delimiter != ',') text += fmt::format("delimiter = {}\n", toml_text({&skeleton.delimiter, 1}));
  text += fmt::format("{}\n[tables.{}.columns]\n{}", choices, table, types);
  for (std::size_t i = 0; i < skeleton.columns.size(); ++i) text += column_text(skeleton, i);
  for (const std::string& sentence : skeleton.left_out) text += fmt::format("# {}\n", sentence);
  return text;
}

namespace {

using query::SourceKind;

std::filesystem::path unpacked(const std::filesystem::path& data) { return query::unpacked_name(data.string()); }

// Whose own kind of file it is that ends so; empty where none is known.
std::string_view program_of(const std::string& extension) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> programs = {{{".dta", "Stata"},
                                                                                       {".sav", "SPSS"},
                                                                                       {".zsav", "SPSS"},
                                                                                       {".por", "SPSS"},
                                                                                       {".sas7bdat", "SAS"},
                                                                                       {".xpt", "SAS"},
                                                                                       {".rds", "R"},
                                                                                       {".rdata", "R"},
                                                                                       {".feather", "Arrow"},
                                                                                       {".arrow", "Arrow"},
                                                                                       {".pkl", "Python"},
                                                                                       {".pickle", "Python"},
                                                                                       {".h5", "HDF5"},
                                                                                       {".sqlite", "SQLite"},
                                                                                       {".mdb", "Access"}}};
  const auto found = std::ranges::find(programs, extension, [](const auto& one) { return one.first; });
  return found == programs.end() ? std::string_view() : found->second;
}

Result<SourceKind> kind_of(const std::filesystem::path& data) {
  const std::string extension = fold_case(unpacked(data).extension().string());
  const std::string name = data.string();
  if (query::is_json_lines(data)) return SourceKind::csv;
  if (extension == ".parquet" && data == unpacked(data)) return SourceKind::parquet;
  if (extension == ".csv" || extension == ".tsv") return SourceKind::csv;
  if (extension == ".xlsx" || extension == ".xls" || extension == ".ods")
    return invalid(fmt::format("'{}' is a spreadsheet; save the sheet as CSV, and name that file", name));
  if (extension == ".parquet")
    return invalid(fmt::format("'{}' is a compressed Parquet file, which is compressed within; unpack it", name));
  if (extension == ".json")
    return invalid(fmt::format(
        "'{}' may be one value of JSON, and rows are read from lines; where every line is an object, rename it to "
        "'{}.jsonl', and else write it so, as DuckDB does by COPY (FROM '{}') TO '{}.jsonl'",
        name, unpacked(data).stem().string(), name, unpacked(data).stem().string()));
  if (std::filesystem::is_directory(data))
    return invalid(fmt::format("'{}' is a folder; name the files in it by a pattern in quotes, such as '{}/*.csv'",
                               name, data.string()));
  if (extension == ".zip" || extension == ".bz2" || extension == ".xz")
    return invalid(fmt::format(
        "'{}' is compressed in a way that cannot be read; unpack it, or pack it as .csv.gz or .csv.zst", name));
  if (const std::string_view program = program_of(extension); !program.empty())
    return invalid(
        fmt::format("'{}' is a file of {}; write it as CSV or Parquet there, and name that file", name, program));
  return invalid(fmt::format(
      "'{}' ends neither in .csv, .tsv or .jsonl nor in .parquet; rename the file so that its kind is known", name));
}

// What cuts the first line into the most columns; a comma where nothing cuts it.
Result<char> found_delimiter(const std::filesystem::path& data, SourceKind kind) {
  char best = ',';
  std::size_t most = 0;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    if (kind != SourceKind::csv) break;
    const auto cells = engine::csv_header(data.string(), delimiter);
    if (!cells || cells->size() <= most) continue;
    most = cells->size();
    best = delimiter;
  }
  return best;
}

Result<char> delimiter_of(const Arguments& arguments, const std::filesystem::path& data, SourceKind kind) {
  const bool is_json = query::is_json_lines(data);
  if (!arguments.has("--delimiter")) return is_json ? Result<char>(',') : found_delimiter(data, kind);
  if (kind == SourceKind::parquet || is_json)
    return invalid(
        fmt::format("--delimiter is for CSV only; leave it out for {}", is_json ? "JSON lines" : "a Parquet file"));
  const std::string& text = arguments.one("--delimiter");
  if (text == "tab") return '\t';
  if (text.size() == 1 && std::string_view(",;|").find(text.front()) != std::string_view::npos) return text.front();
  return invalid(fmt::format("--delimiter must be one of , ; | or the word tab, but it is '{}'", text));
}

// The data as the catalog names it: from its own folder on.
std::string source_text(const std::filesystem::path& data, const std::filesystem::path& catalog) {
  const std::filesystem::path folder = std::filesystem::absolute(catalog).lexically_normal().parent_path();
  const std::filesystem::path target = std::filesystem::absolute(data).lexically_normal();
  return target.lexically_relative(folder).string();
}

// A line that no delimiter cuts, and that begins as comments do.
bool is_comment(const std::vector<std::string>& names) {
  return names.size() == 1 && (names.front().starts_with('#') || names.front().starts_with("//"));
}

// The name of the file, or of the folder where a pattern names the files.
std::string table_name(const std::filesystem::path& data) {
  const std::string stem = unpacked(data).stem().string();
  const std::string name = query::is_pattern(stem) ? data.parent_path().filename().string() : stem;
  return query::is_pattern(name) || fault_of_name(name) ? "data" : name;
}

std::set<std::string> nested_in(const std::string& file) {
  std::set<std::string> names;
  const auto line = engine::first_line_of(file);
  if (!line) return names;
  for (const engine::JsonMember& member : engine::json_members(*line)) {
    if (member.kind == engine::JsonCell::Kind::nested) names.insert(member.name);
  }
  return names;
}

// A sentence for each column of a CSV file that has none of these names. No sentence has a name of the file in it.
std::vector<std::string> left_out_of(const std::string& file, char delimiter, const std::vector<std::string>& names) {
  std::vector<std::string> sentences;
  const auto header = engine::csv_header(file, delimiter);
  for (std::size_t i = 0; header && i < header->size(); ++i) {
    const std::string& name = (*header)[i];
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto fault = fault_of_name(name);
    const std::string why = name.empty() ? "it is empty" : fault ? *fault : "it is that of another one, up to case";
    sentences.push_back(
        fmt::format("column {} is left out, since its name cannot stand in a catalog: {}; where it is needed, rename "
                    "it in the file",
                    i + 1, why));
  }
  return sentences;
}

Result<Skeleton> skeleton_of(const Arguments& arguments, const std::string& out) {
  const std::filesystem::path named = arguments.object;
  VERNIER_TRY(const SourceKind kind, kind_of(named));
  VERNIER_TRY(const std::vector<std::filesystem::path> files, query::files_of({}, named));
  const std::filesystem::path& data = files.front();
  VERNIER_TRY(const char delimiter, delimiter_of(arguments, data, kind));
  const std::string source = source_text(named, out);
  if (const auto fault = fault_of_text(source)) {
    return invalid(fmt::format("the path of the data cannot stand in a catalog, since {}; rename the file", *fault));
  }
  VERNIER_TRY(std::vector<std::string> names, engine::column_names(data.string(), kind, delimiter));
  const bool is_json = query::is_json_lines(data);
  if (kind == SourceKind::csv && !is_json && is_comment(names)) {
    return invalid(fmt::format("the first line of '{}' is a comment", data.string()),
                   "remove what stands before the line with the names of the columns");
  }
  if (kind == SourceKind::csv && !is_json && names.front().starts_with("sep=")) {
    return invalid(fmt::format("the first line of '{}' only tells Excel how cells are parted", data.string()),
                   "remove it, so that the names of the columns come first");
  }
  std::vector<std::string> left_out;
  if (kind == SourceKind::csv && !is_json) left_out = left_out_of(data.string(), delimiter, names);
  std::vector<std::string> stored;
  if (kind == SourceKind::parquet) {
    VERNIER_TRY(const auto known, engine::stored_types(data.string()));
    for (const std::string& name : names) stored.push_back(known.contains(name) ? known.at(name) : "");
  }
  return Skeleton{table_name(named),
                  source,
                  delimiter,
                  std::move(names),
                  {},
                  std::move(stored),
                  is_json ? nested_in(data.string()) : std::set<std::string>(),
                  files.size(),
                  std::move(left_out)};
}

std::string told_delimiter(char delimiter) { return delimiter == '\t' ? "tabs" : fmt::format("\"{}\"", delimiter); }

}  // namespace

Result<Skeleton> skeleton_of_table(const query::Source& source, const query::Engine& engine,
                                   engine::Connection& connection) {
  VERNIER_TRY(const std::vector<engine::EngineColumn> columns, connection.columns(source));
  Skeleton made{source.table.back(), source.told(), ',', {}, engine, {}};
  for (const engine::EngineColumn& column : columns) {
    made.columns.push_back(column.name);
    made.types.emplace_back(column.may_be.empty() ? "" : query::name_of(column.may_be.front()));
  }
  return made;
}

namespace {

Result<Skeleton> skeleton_by_address(const Arguments& arguments) {
  const query::Source source{
      .path = {}, .kind = query::SourceKind::table, .table = query::parts_of_name(arguments.object)};
  if (source.table.empty() || arguments.has("--delimiter")) {
    return invalid("with --engine a table is named with its schema, and nothing of a file",
                   "write for example 'vernier catalog new public.people --engine postgresql://reader@db/health'");
  }
  VERNIER_TRY(const query::Engine engine, study::engine_at(arguments.one("--engine")));
  VERNIER_TRY(const std::unique_ptr<engine::Connection> connection, engine::connect(engine));
  return skeleton_of_table(source, engine, *connection);
}

void write_answer(Output& output, const Skeleton& skeleton, const std::string& out, bool json) {
  if (!json) {
    const bool is_uncut = skeleton.columns.size() == 1 && skeleton.left_out.empty() && skeleton.types.empty() &&
                          !query::is_json_lines(skeleton.source);
    output.write(fmt::format(
        "{} names the {} of {}{}{} and waits for {}, the unit and the budget;\n"
        "fill it in, then see what is missing: vernier catalog check {}\n",
        out, skeleton.columns.size() == 1 ? "one column" : fmt::format("{} columns", skeleton.columns.size()),
        skeleton.source,
        skeleton.delimiter == ',' ? "" : fmt::format(", cut at {},", told_delimiter(skeleton.delimiter)),
        skeleton.files == 1 ? "" : fmt::format(", as the first of its {} files has them,", skeleton.files),
        skeleton.types.empty() ? "their types" : "bounds and keys", out));
    for (const std::string& sentence : skeleton.left_out) output.write(sentence + "\n");
    if (is_uncut && !skeleton.engine)
      output.write(
          "where its first line is a title, remove what stands before the line with the names of the columns\n");
    return;
  }
  JsonWriter writer(output);
  writer.begin_object();
  writer.member("catalog", std::string_view(out));
  writer.member("table", std::string_view(skeleton.table));
  writer.member("source", std::string_view(skeleton.source));
  writer.key("columns");
  writer.begin_array();
  for (const std::string& name : skeleton.columns) writer.value(std::string_view(name));
  writer.end_array();
  writer.end_object();
  output.write("\n");
}

}  // namespace

Result<Skeleton> skeleton_of_file(const std::filesystem::path& data, const std::filesystem::path& catalog) {
  return skeleton_of(Arguments{.subject = "new", .object = data.string(), .values = {}}, catalog.string());
}

Result<void> run_catalog_new(const Arguments& arguments, Output& output) {
  const std::string out = arguments.has("--out") ? arguments.one("--out") : "catalog.toml";
  if (Result<void> is_new = study::check_new(out); !is_new) return is_new;
  VERNIER_TRY(const Skeleton skeleton,
              arguments.has("--engine") ? skeleton_by_address(arguments) : skeleton_of(arguments, out));
  if (Result<void> written = study::write_file(out, skeleton_text(skeleton)); !written) return written;
  write_answer(output, skeleton, out, arguments.has("--json"));
  return {};
}

}  // namespace vernier::cli
