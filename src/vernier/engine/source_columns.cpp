#include "vernier/engine/source_columns.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "vernier/core/hash.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/engine/arrow/column.hpp"
#include "vernier/engine/csv/file.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/json/line.hpp"
#include "vernier/engine/parquet/schema.hpp"
#include "vernier/query/source_files.hpp"
#include "vernier/query/value.hpp"

namespace vernier::engine {
namespace {

bool is_like_data(const std::string& cell) { return read_number("a name", cell) || query::read_day(cell); }

// A file without a header begins with data, which must not become names.
Result<void> check_header(const std::string& path, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_like_data(names[i])) continue;
    return invalid("column " + std::to_string(i + 1) + " of the first line of '" + path +
                       "' is a number or a date, so that line seems to be data",
                   "begin the file with a line of column names");
  }
  return {};
}

Result<void> check_names(const std::string& path, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto fault = fault_of_name(names[i])) {
      return invalid(
          "the name of column " + std::to_string(i + 1) + " of '" + path + "' cannot be used, since " + *fault,
          "rename it in the file");
    }
    const auto [first, is_new] = seen.emplace(fold_case(names[i]), i + 1);
    if (is_new) continue;
    return invalid("columns " + std::to_string(first->second) + " and " + std::to_string(i + 1) + " of '" + path +
                       "' have the same name, up to case",
                   "rename one of them in the file");
  }
  return {};
}

// Of the first line, whose kinds of values are looked at: what is a list or an object no catalog can declare.
Result<std::vector<std::string>> json_names(const std::string& path) {
  VERNIER_TRY(const std::string line, first_line_of(path));
  const std::vector<JsonMember> members = json_members(line);
  if (members.empty()) {
    return invalid("the first line of '" + path + "' is no object of JSON",
                   "write every record as an object on a line of its own, as pandas does with orient=\"records\" and "
                   "lines=True");
  }
  std::vector<std::string> names;
  for (const JsonMember& member : members) names.push_back(member.name);
  return names;
}

}  // namespace

namespace {

// Whether all names can be compared as texts; where not, cells cannot either.
Result<void> check_encoding(const std::string& path, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_utf8(names[i]))
      return invalid("the name of column " + std::to_string(i + 1) + " of '" + path + "' is not UTF-8",
                     "save the file in UTF-8: texts in another encoding are NULL");
  }
  return {};
}

// Of CSV, whose columns nobody has to declare: the first one of pandas and R has no name.
std::vector<std::string> usable_names(const std::vector<std::string>& names) {
  std::map<std::string, int> seen;
  for (const std::string& name : names) ++seen[fold_case(name)];
  std::vector<std::string> usable;
  std::ranges::copy_if(names, std::back_inserter(usable),
                       [&](const std::string& name) { return !fault_of_name(name) && seen[fold_case(name)] == 1; });
  return usable;
}

}  // namespace

Result<std::vector<std::string>> column_names(const std::string& path, query::SourceKind kind, char delimiter) {
  const bool is_json = kind == query::SourceKind::csv && query::is_json_lines(path);
  const bool is_csv = kind == query::SourceKind::csv && !is_json;
  VERNIER_TRY(std::vector<std::string> names, is_json  ? json_names(path)
                                              : is_csv ? csv_header(path, delimiter)
                                                       : parquet_names(path));
  VERNIER_TRY(is_csv ? check_header(path, names) : Result<void>());
  VERNIER_TRY(is_csv ? check_encoding(path, names) : check_names(path, names));
  std::vector<std::string> usable = is_csv ? usable_names(names) : std::move(names);
  VERNIER_TRY(usable.empty() ? check_names(path, names) : Result<void>());
  if (usable.empty()) return invalid("'" + path + "' has no columns that a catalog could name");
  return usable;
}

Result<std::map<std::string, std::string>> stored_types(const std::string& path) {
  VERNIER_TRY(const std::vector<ParquetColumn> columns, parquet_columns(path));
  std::map<std::string, std::string> types;
  for (const ParquetColumn& column : columns) {
    const std::string type = column.type == "decimal" ? "real" : column.type == "uuid" ? "string" : column.type;
    if (query::type_named(type)) types.emplace(column.name, type);
  }
  return types;
}

namespace {

using query::SourceKind;
using query::Type;

Result<void> check_file(const std::filesystem::path& path) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  const std::string name = "the file '" + path.string() + "' ";
  if (status.type() == std::filesystem::file_type::not_found)
    return fail(ErrorKind::system, name + "is not there", "put it there, or correct `source` in the catalog");
  if (failure) return fail(ErrorKind::system, name + "cannot be read: " + failure.message());
  if (std::filesystem::is_directory(status))
    return fail(ErrorKind::system, name + "is a folder",
                "name its files in `source`, as \"" + path.filename().string() + "/*.csv\" does");
  if (path.string().find_first_of("*?[") != std::string::npos)
    return invalid(name + "has one of *, ? and [ in its path, which engines take for a pattern", "rename it");
  if (!std::filesystem::is_regular_file(status))
    return fail(ErrorKind::system, name + "is no regular file", "copy the data into one");
  return {};
}

// Those of CSV have no type.
std::vector<ParquetColumn> columns_in(const CsvFile& file) {
  std::vector<ParquetColumn> columns;
  for (const std::string& name : file.names()) columns.push_back({name, ""});
  return columns;
}

// Rows in memory, which say of each column how it lies there.
std::vector<ParquetColumn> columns_in(const ArrowTable& rows) {
  std::vector<ParquetColumn> columns;
  const std::vector<std::string> names = rows.names();
  for (std::size_t i = 0; i < names.size(); ++i)
    columns.push_back({names[i], arrow_type_name(*rows.schema().children[i])});
  return columns;
}

// What the types of a catalog are called. Rows in memory may have a column as any of them, since libraries infer it
// from all of its values, and one odd value may change it: each value is read as the declared type, or is NULL
// (arrow.md).
bool is_type_of_values(std::string_view stored) { return stored == "null" || query::type_named(stored).has_value(); }

bool is_stored_as(SourceKind kind, Type declared, std::string_view stored) {
  if (kind == SourceKind::arrow) return is_type_of_values(stored);
  switch (declared) {
    case Type::boolean:
      return stored == "boolean";
    case Type::integer:
      return stored == "integer" || stored == "real" || stored == "decimal";  // whole numbers among them
    case Type::real:
      return stored == "real" || stored == "decimal" || stored == "integer";
    case Type::string:
      return stored == "string" || stored == "uuid";
    case Type::date:
      break;
  }
  return stored == "date";
}

// As programs call the type in Arrow.
std::string_view arrow_name(Type declared) {
  switch (declared) {
    case Type::boolean:
      return "bool";
    case Type::integer:
      return "int64";
    case Type::real:
      return "float64";
    case Type::string:
      return "string";
    case Type::date:
      break;
  }
  return "date32";
}

// What to do about a column whose type is not the declared one.
std::string remedy(SourceKind kind, Type declared, std::string_view stored) {
  if (kind != SourceKind::arrow) return "declare the type that is stored, or write the file anew";
  const std::string cast = "cast it to " + std::string(arrow_name(declared));
  return stored.ends_with("time zone") ? "take the day in the time zone that is meant, and " + cast : cast;
}

// Finds declared columns in a file or in memory, whatever their case.
class Finder {
 public:
  Finder(std::string source, SourceKind kind, std::vector<ParquetColumn> columns)
      : file_(std::move(source)), kind_(kind), columns_(std::move(columns)) {
    for (const ParquetColumn& column : columns_) folded_.push_back(fold_case(column.name));
  }

  Result<std::size_t> place_of(const query::Column& column) const {
    const std::string wanted = fold_case(column.name);
    const auto found = std::find(folded_.begin(), folded_.end(), wanted);
    if (found == folded_.end()) return missing(column);
    const auto again = std::find(found + 1, folded_.end(), wanted);
    if (again != folded_.end())
      return invalid(file_ + has() + "two columns '" + column.name + "'", "rename one of them");
    const auto place = static_cast<std::size_t>(found - folded_.begin());
    const std::string& stored = columns_[place].type;
    if (!stored.empty() && !is_stored_as(kind_, column.type, stored)) return other_type(column, stored);
    return place;
  }

  bool finds_none_of(const query::Table& table) const {
    return std::none_of(table.columns.begin(), table.columns.end(), [this](const query::Column& column) {
      return std::find(folded_.begin(), folded_.end(), fold_case(column.name)) != folded_.end();
    });
  }

 private:
  Failure missing(const query::Column& column) const {
    return invalid(file_ + has() + "no column '" + column.name + "', which the catalog declares",
                   "correct its name in the catalog, or leave it out there");
  }

  Failure other_type(const query::Column& column, const std::string& stored) const {
    return invalid("the column '" + column.name + "' is declared as " + std::string(query::name_of(column.type)) +
                   ", but " + file_ + (kind_ == SourceKind::arrow ? " have it as " : " stores it as ") + stored + "; " +
                   remedy(kind_, column.type, stored));
  }

  const char* has() const { return kind_ == SourceKind::arrow ? " have " : " has "; }

  std::string file_;
  SourceKind kind_;
  std::vector<ParquetColumn> columns_;
  std::vector<std::string> folded_;
};

// A file that begins with data, or is cut at another character than it was written with.
Failure no_header(const std::filesystem::path& path, const query::Source& source) {
  const std::string delimiter = source.delimiter == '\t' ? "\\t" : std::string(1, source.delimiter);
  return invalid("the first line of the file '" + path.string() + "' has none of the columns that the catalog declares",
                 "begin the file with a line of their names, with "
                 "\"" +
                     delimiter + "\" between them, or correct `delimiter` in the catalog");
}

Result<std::vector<std::size_t>> found(const Finder& finder, const query::Table& table) {
  std::vector<std::size_t> places;
  for (const query::Column& column : table.columns) {
    VERNIER_TRY(const std::size_t place, finder.place_of(column));
    places.push_back(place);
  }
  return places;
}

// No line of it is looked at, since every one is a row.
Result<SourceFile> in_json(const std::filesystem::path& path, const query::Table& table) {
  VERNIER_TRY(const auto file, CsvFile::open(path, {.quoted = false, .is_json = true}));
  SourceFile made{path, {}, {}, file, file->identity()};
  for (const query::Column& column : table.columns) {
    made.places.push_back(made.names.size());
    made.names.push_back(column.name);
  }
  return made;
}

Result<SourceFile> in_csv(const std::filesystem::path& path, const query::Table& table) {
  const query::Source& source = table.source;
  VERNIER_TRY(const auto file, CsvFile::open(path, {source.delimiter, source.quoted, source.line_breaks}));
  const Finder finder("the file '" + path.string() + "'", source.kind, columns_in(*file));
  if (finder.finds_none_of(table)) return no_header(path, source);
  VERNIER_TRY(std::vector<std::size_t> places, found(finder, table));
  return SourceFile{path, file->names(), std::move(places), file, file->identity()};
}

Result<SourceFile> in_parquet(const std::filesystem::path& path, const query::Table& table) {
  VERNIER_TRY(const auto stored, parquet_columns(path.string()));
  const Finder finder("the file '" + path.string() + "'", table.source.kind, stored);
  VERNIER_TRY(std::vector<std::size_t> places, found(finder, table));
  return SourceFile{path, names_of(stored), std::move(places), {}, identity_of(path), stored};
}

Result<SourceFile> in_file(const std::filesystem::path& path, const query::Table& table) {
  VERNIER_TRY(check_file(path));
  if (table.source.kind != SourceKind::csv) return in_parquet(path, table);
  return query::is_json_lines(table.source.path) ? in_json(path, table) : in_csv(path, table);
}

// Two paths or links to one file would count each of its rows twice.
Result<void> refuse_twice(const std::vector<SourceFile>& files, const SourceFile& next, const query::Table& table) {
  for (const SourceFile& file : files) {
    if (!file.identity || file.identity != next.identity) continue;
    return invalid("'" + file.path.string() + "' and '" + next.path.string() +
                       "' are one file, whose rows the table '" + table.name + "' would have twice",
                   "name it once in `source`");
  }
  return {};
}

Result<SourceColumns> in_files(const query::Catalog& catalog, const query::Table& table) {
  VERNIER_TRY(const std::vector<std::filesystem::path> paths, query::files_of(catalog.path, table.source.path));
  SourceColumns source;
  for (const std::filesystem::path& path : paths) {
    VERNIER_TRY(SourceFile file, in_file(path, table));
    VERNIER_TRY(refuse_twice(source.files, file, table));
    source.files.push_back(std::move(file));
  }
  return source;
}

// Their layout is checked too, which no file tells before it is read.
Result<SourceColumns> in_memory(const query::Table& table, const MemoryTables& memory) {
  VERNIER_TRY(auto rows, rows_of(table, memory));
  const std::vector<ParquetColumn> stored = columns_in(*rows);
  const Finder finder("the rows of the table '" + table.name + "'", SourceKind::arrow, stored);
  VERNIER_TRY(std::vector<std::size_t> places, found(finder, table));
  for (const std::size_t place : places) {
    VERNIER_TRY(ArrowColumn::of(*rows, place));
  }
  return SourceColumns{{}, rows, std::move(places)};
}

}  // namespace

Result<SourceColumns> source_columns(const query::Catalog& catalog, const query::Table& table,
                                     const MemoryTables& memory) {
  if (table.source.kind == SourceKind::table) {
    return invalid("the table '" + table.name + "' is one of another engine, and the embedded one reads files");
  }
  return table.source.kind == SourceKind::arrow ? in_memory(table, memory) : in_files(catalog, table);
}

Result<std::string> sha256_of_files(const SourceColumns& source) {
  if (source.files.size() == 1) return sha256_of_file(source.files.front().path);
  std::string hashes;
  for (const SourceFile& file : source.files) {
    VERNIER_TRY(const std::string hash, sha256_of_file(file.path));
    hashes += hash;
  }
  return sha256(hashes);
}

Result<void> check_source(const query::Catalog& catalog, const query::Table& table, const MemoryTables& memory) {
  VERNIER_TRY(source_columns(catalog, table, memory));
  return {};
}

}  // namespace vernier::engine
