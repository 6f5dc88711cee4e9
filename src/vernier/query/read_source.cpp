#include "vernier/query/read_source.hpp"

#include "vernier/core/names.hpp"

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
    reader.refuse(node->place, reader.subject("source") + " must be the path of one file, but " + *fault +
                                   "; write it in full, or from the folder of this file on");
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
    reader.refuse(reader.find("source")->place,
                  reader.subject("source") +
                      " ends neither in .csv nor in .parquet; add format = \"csv\" or format = \"parquet\"");
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
  reader.refuse(reader.find("delimiter")->place,
                reader.subject("delimiter") +
                    " must be one character that no cell needs, such as \",\", \";\", \"|\" or \"\\t\"");
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

}  // namespace vernier::query
