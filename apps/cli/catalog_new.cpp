#include "cli/catalog_new.hpp"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "cli/catalog_skeleton.hpp"
#include "cli/file.hpp"
#include "cli/json.hpp"
#include "vernier/core/names.hpp"
#include "vernier/engine/column_names.hpp"

namespace vernier::cli {
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
  if (Result<void> is_new = check_new(out); !is_new) return is_new;
  VERNIER_TRY(const Skeleton skeleton, skeleton_of(arguments, out));
  if (Result<void> written = write_file(out, skeleton_text(skeleton)); !written) return written;
  write_answer(output, skeleton, out, arguments.has("--json"));
  return {};
}

}  // namespace vernier::cli
