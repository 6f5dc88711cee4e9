#include "vernier/study/synthetic.hpp"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "text/numbers.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

Result<std::int64_t> rows_of(const Arguments& arguments) {
  if (!arguments.has("--rows")) return invalid("--rows is missing: say how many, such as --rows 10000");
  const std::string& text = arguments.one("--rows");
  std::int64_t rows = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (error == std::errc() && end == text.data() + text.size() && rows >= 1 && rows <= study::most_made_rows)
    return rows;
  return invalid("--rows must be a whole number from 1 to 10,000,000, but it is '" + one_line(text) + "'");
}

// The folder of the release itself, or that of the study's release.
Result<fs::path> folder_of(const Arguments& arguments) {
  std::error_code ignored;
  if (fs::is_directory(arguments.subject, ignored)) return fs::path(arguments.subject);
  const fs::path subject(arguments.subject);
  const fs::path folder = arguments.has("--release") ? fs::path(arguments.one("--release"))
                                                     : fs::path(subject.stem().string() + "-release");
  if (fs::is_directory(folder, ignored)) return folder;
  return invalid(fmt::format("there is no release in the folder '{}'", folder.string()),
                 fmt::format("name it by --release DIR, or publish the tables by 'vernier release {}', which is what "
                             "costs budget; rows made from them cost nothing",
                             arguments.subject));
}

std::string place_for(const Arguments& arguments) {
  if (arguments.has("--out")) return arguments.one("--out");
  fs::path subject = fs::path(arguments.subject).lexically_normal();
  if (!subject.has_filename()) subject = subject.parent_path();
  return subject.stem().string() + "-synthetic.csv";
}

Result<std::string> content_for(const std::string& place, const study::MadeRows& made) {
  return place.ends_with(".parquet") ? release::rows_parquet(made.columns, made.places)
                                     : Result<std::string>(study::rows_csv(made));
}

void write_json(Output& output, const std::string& place, std::int64_t rows, const study::MadeRows& made) {
  JsonWriter json(output);
  json.begin_object();
  json.member("file", std::string_view(place));
  json.member("rows", rows);
  json.key("columns");
  json.begin_array();
  for (const release::CodedColumn& one : made.columns) json.value(std::string_view(one.name));
  json.end_array();
  json.member("epsilon", 0.0);
  json.end_object();
  output.write("\n");
}

}  // namespace

Usage synthetic_usage() {
  return {
      .name = "synthetic",
      .summary = "rows that look like released tables, made from these alone: they cost nothing more",
      .synopsis =
          "vernier synthetic (STUDY.toml | DIR) --rows N [--release DIR] [--table NAME] [--out FILE.csv|FILE.parquet]\n"
          "                  [--json]",
      .subject = "STUDY.toml|DIR",
      .subject_help = "the folder of a release with a [[table]], or its study, whose release lies in STUDY-release",
      .options = {{"--rows", Takes::one_value, "N", "how many rows, up to 10,000,000"},
                  {"--release", Takes::one_value, "DIR", "the folder of the study's release"},
                  {"--table", Takes::one_value, "NAME", "the [[table]], where the release has several"},
                  {"--out", Takes::one_value, "FILE",
                   "a new file, .csv or .parquet (default STUDY-synthetic.csv, in the current folder)"}},
      .example =
          "  vernier synthetic study.toml --rows 10000\n"
          "  vernier synthetic published --rows 50000 --out people.parquet\n"};
}

Result<void> run_synthetic(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid("the study is missing; write for example 'vernier synthetic study.toml --rows 10000'");
  }
  VERNIER_TRY(const std::int64_t rows, rows_of(arguments));
  VERNIER_TRY(const fs::path folder, folder_of(arguments));
  const std::string place = place_for(arguments);
  VERNIER_TRY(study::check_new(place));
  const auto name = arguments.has("--table") ? std::optional(arguments.one("--table")) : std::nullopt;
  VERNIER_TRY(const study::ReleasedTables released, study::released_tables(folder, name));
  const study::MadeRows made = study::rows_from(released, rows);
  VERNIER_TRY(const std::string content, content_for(place, made));
  VERNIER_TRY(study::write_file(place, content));
  if (arguments.has("--json")) {
    write_json(output, place, rows, made);
    return {};
  }
  output.write(
      fmt::format("{} rows of {} columns written to {}; they cost no budget\n"
                  "the tables of the release say more than rows made from them: publish those, with their "
                  "intervals\n",
                  text::grouped(rows), made.columns.size(), one_line(place)));
  return {};
}

}  // namespace vernier::cli
