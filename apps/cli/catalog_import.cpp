#include "cli/catalog_import.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "cli/file.hpp"
#include "cli/json.hpp"
#include "cli/smartnoise.hpp"
#include "vernier/core/names.hpp"

namespace vernier::cli {
namespace {

void write_notes(Output& output, const ImportedCatalog& catalog, bool are_open) {
  for (const ImportNote& note : catalog.notes) {
    if (note.is_open == are_open) output.write(fmt::format("  line {}: {}\n", note.line, note.sentence));
  }
}

void write_list(Output& output, const ImportedCatalog& catalog, const std::string& out) {
  output.write(
      fmt::format("{} has {} from SmartNoise's metadata; open, to be filled in:\n"
                  "  epsilon of [budget]: the total of this catalog for ever\n",
                  out, catalog.tables.size() == 1 ? "a table" : fmt::format("{} tables", catalog.tables.size())));
  write_notes(output, catalog, true);
  output.write("what SmartNoise has and a catalog has not, or has otherwise:\n");
  write_notes(output, catalog, false);
  output.write(fmt::format("then see what is missing: vernier catalog check {}\n", out));
}

void write_notes(JsonWriter& json, const ImportedCatalog& catalog, bool are_open) {
  json.key(are_open ? "open" : "left_out");
  json.begin_array();
  for (const ImportNote& note : catalog.notes) {
    if (note.is_open != are_open) continue;
    json.begin_object();
    json.member("line", std::int64_t{note.line});
    json.member("sentence", std::string_view(note.sentence));
    json.end_object();
  }
  json.end_array();
}

void write_json(Output& output, const ImportedCatalog& catalog, const std::string& out, const std::string& text) {
  JsonWriter json(output);
  json.begin_object();
  if (out.empty()) {
    json.member("text", std::string_view(text));
  } else {
    json.member("catalog", std::string_view(out));
  }
  json.key("tables");
  json.begin_array();
  for (const ImportedTable& table : catalog.tables) json.value(std::string_view(table.name));
  json.end_array();
  write_notes(json, catalog, true);
  write_notes(json, catalog, false);
  json.end_object();
  output.write("\n");
}

}  // namespace

Result<void> run_catalog_import(const Arguments& arguments, Output& output) {
  const std::string& path = arguments.object;
  const std::string out = arguments.has("--out") ? arguments.one("--out") : "";
  if (!out.empty()) {
    if (Result<void> is_new = check_new(out); !is_new) return is_new;
  }
  const Result<std::string> yaml = query::read_text_file(path);
  if (!yaml) return Failure(yaml.error());
  const auto catalog = read_smartnoise(*yaml);
  if (!catalog) return invalid(query::located(path, catalog.error()));
  const std::string name = std::filesystem::path(path).filename().string();
  const std::string text = catalog_text(*catalog, fault_of_text(name) ? "a file" : name);
  if (!out.empty()) {
    if (Result<void> written = write_file(out, text); !written) return written;
  }
  if (arguments.has("--json")) {
    write_json(output, *catalog, out, text);
  } else if (out.empty()) {
    output.write(text);
  } else {
    write_list(output, *catalog, out);
  }
  return {};
}

}  // namespace vernier::cli
