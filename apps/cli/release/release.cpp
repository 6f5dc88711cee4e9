#include <filesystem>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/release/documents.hpp"
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
          "                  [--json]",
      .subject = "STUDY.toml",
      .subject_help = "the study, which names its catalog unless --catalog does",
      .options = with_study_catalog(
          with_asker({{"--out", Takes::one_value, "DIR",
                       "the new folder for the files; unless given it is STUDY-release, in the current one"}})),
      .example =
          "  vernier release study.toml\n"
          "  vernier release study.toml --out published --json\n"
          "  vernier release study.toml --analyst anna --request 2026-census-1\n"
          "  vernier release study.toml --catalog /srv/census/catalog.toml\n"
          "  vernier release study.toml --catalogs /srv/census\n"};
}

Result<void> run_release(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid("the study is missing; write for example 'vernier release study.toml'");
  }
  const std::string folder = folder_for(arguments);
  VERNIER_TRY(const study::Study study, study::Study::read(arguments.subject, catalog_rule(arguments)));
  VERNIER_TRY(const study::Plan plan, study.plan());
  study::Request request = request_of(arguments, documents_beside(Files::all()));
  request.folder = folder;
  VERNIER_TRY(const study::Answer answer, release_watched(plan, std::move(request)));
  write_answer(output, answer, arguments.has("--json"));
  if (!arguments.has("--json")) output.write(fmt::format("written to {}\n", folder));
  return {};
}

}  // namespace vernier::cli
