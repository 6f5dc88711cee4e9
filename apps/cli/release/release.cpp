#include <filesystem>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/plan/series.hpp"
#include "cli/release/documents.hpp"
#include "cli/release/series.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::cli {
namespace {

std::string folder_for(const Arguments& arguments) {
  if (arguments.has("--out")) return arguments.one("--out");
  return std::filesystem::path(arguments.subject).stem().string() + "-release";
}

}  // namespace

Usage release_usage() {
  return {
      .name = "release",
      .summary =
          "runs a study: numbers with intervals, as report.html with charts, release.json and one CSV per statistic",
      .synopsis =
          "vernier release STUDY.toml [--catalog FILE] [--catalogs DIR] [--out DIR] [--analyst NAME] [--request ID]\n"
          "                  [--json]\n"
          "  vernier release SERIES.toml (--step DATE | --due [--today DATE]) [--out DIR] [--analyst NAME] [--json]",
      .subject = "STUDY.toml",
      .subject_help = "the study, which names its catalog unless --catalog does",
      .options = with_study_catalog(with_asker(
          {{"--out", Takes::one_value, "DIR",
            "the new folder for the files (default STUDY-release, in the current one)"},
           {"--step", Takes::one_value, "DATE", "of a study of series: the step in which this day lies"},
           {"--due", Takes::nothing, "", "of a study of series: all steps that have ended, one after the other"},
           {"--today", Takes::one_value, "DATE", "with --due, in place of the day of this machine's clock"}})),
      .example =
          "  vernier release study.toml\n"
          "  vernier release study.toml --out published --json\n"
          "  vernier release study.toml --analyst anna --request 2026-census-1\n"
          "  vernier release study.toml --catalog /srv/census/catalog.toml\n"
          "  vernier release study.toml --catalogs /srv/census\n"
          "  vernier release cases.toml --step 2027-03-05\n"
          "  vernier release cases.toml --due --out /srv/cases\n"};
}

Result<void> run_release(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid("the study is missing; write for example 'vernier release study.toml'");
  }
  if (names_series(arguments.subject)) return run_series_release(arguments, output);
  if (arguments.has("--step") || arguments.has("--due") || arguments.has("--today")) {
    return invalid("--step, --due and --today are for a study with [[series]], and this one has none",
                   "leave them out");
  }
  const std::string folder = folder_for(arguments);
  VERNIER_TRY(const study::Study study, study::Study::read(arguments.subject, catalog_rule(arguments)));
  VERNIER_TRY(const study::Plan plan, study.plan());
  tell_assumed_limits(study, "write max_rows and max_groups below the statistic");
  study::Request request = request_of(arguments, documents_beside(Files::all()));
  request.folder = folder;
  VERNIER_TRY(const study::Answer answer, release_watched(plan, std::move(request)));
  write_answer(output, answer, arguments.has("--json"));
  if (!arguments.has("--json")) output.write(fmt::format("written to {}\n", folder));
  return {};
}

}  // namespace vernier::cli
