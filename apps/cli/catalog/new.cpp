#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "vernier/core/names.hpp"
#include "vernier/engine/source_columns.hpp"
#include "vernier/study/files.hpp"

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
)";

constexpr std::string_view types =
    R"(# Every column needs a type: "integer", "real", "string", "boolean" or "date". A cell that cannot be read so is NULL.
#   age    = { type = "integer", lower = 0, upper = 110 }
#   income = { type = "real", lower = 0, upper = 200000, granularity = 1 }
#   region = { type = "string", keys = ["north", "south"], labels = { north = "The North" } }
# lower, upper   SUM and AVG need them; what lies outside is moved to the nearer one, so wide bounds cost accuracy
# granularity    of reals: the step to which values are rounded, a power of two
# keys           the values by which results may be grouped, all published, empty or not; without them keys are private
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

std::string skeleton_text(const Skeleton& skeleton) {
  const std::string table = toml_key(skeleton.table);
  std::string text = fmt::format("{}[tables.{}]\nsource = {}\n", head, table, toml_text(skeleton.source));
  if (skeleton.delimiter != ',') text += fmt::format("delimiter = {}\n", toml_text({&skeleton.delimiter, 1}));
  text += fmt::format("{}\n[tables.{}.columns]\n{}", choices, table, types);
  for (const std::string& column : skeleton.columns) text += fmt::format("{} = {{}}\n", toml_key(column));
  return text;
}

namespace {

using query::SourceKind;

Result<SourceKind> kind_of(const std::filesystem::path& data) {
  const std::string extension = fold_case(data.extension().string());
  if (extension == ".parquet") return SourceKind::parquet;
  if (extension == ".csv") return SourceKind::csv;
  return invalid(fmt::format("'{}' ends neither in .csv nor in .parquet; rename the file so that its kind is known",
                             data.string()));
}

Result<char> delimiter_of(const Arguments& arguments, SourceKind kind) {
  if (!arguments.has("--delimiter")) return ',';
  if (kind == SourceKind::parquet) return invalid("--delimiter is for CSV only; leave it out for a Parquet file");
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

Result<Skeleton> skeleton_of(const Arguments& arguments, const std::string& out) {
  const std::filesystem::path data = arguments.object;
  VERNIER_TRY(const SourceKind kind, kind_of(data));
  VERNIER_TRY(const char delimiter, delimiter_of(arguments, kind));
  const std::string stem = data.stem().string();
  const std::string source = source_text(data, out);
  if (const auto fault = fault_of_text(source)) {
    return invalid(fmt::format("the path of the data cannot stand in a catalog, since {}; rename the file", *fault));
  }
  VERNIER_TRY(std::vector<std::string> names, engine::column_names(data.string(), kind, delimiter));
  return Skeleton{fault_of_name(stem) ? "data" : stem, source, delimiter, std::move(names)};
}

void write_answer(Output& output, const Skeleton& skeleton, const std::string& out, bool json) {
  if (!json) {
    output.write(
        fmt::format("{} names the {} columns of {} and waits for their types, the unit and the budget;\n"
                    "fill it in, then see what is missing: vernier catalog check {}\n",
                    out, skeleton.columns.size(), skeleton.source, out));
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

Result<void> run_catalog_new(const Arguments& arguments, Output& output) {
  const std::string out = arguments.has("--out") ? arguments.one("--out") : "catalog.toml";
  if (Result<void> is_new = study::check_new(out); !is_new) return is_new;
  VERNIER_TRY(const Skeleton skeleton, skeleton_of(arguments, out));
  if (Result<void> written = study::write_file(out, skeleton_text(skeleton)); !written) return written;
  write_answer(output, skeleton, out, arguments.has("--json"));
  return {};
}

}  // namespace vernier::cli
