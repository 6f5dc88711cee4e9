#include "cli/release/release.hpp"

#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "cli/progress.hpp"
#include "cli/release/documents.hpp"
#include "cli/release/folder.hpp"
#include "cli/study/publish.hpp"

namespace vernier::cli {
namespace {

std::string folder_for(const Arguments& arguments) {
  if (arguments.has("--out")) return arguments.one("--out");
  return std::filesystem::path(arguments.subject).stem().string() + "-release";
}

Failure not_written(const Error& error, const Asker& asker) {
  const std::string again = asker.request.empty() ? "" : "; the same request gives the answer again";
  return fail(ErrorKind::system, error.sentence() + "; the budget stays spent" + again);
}

using Publish = std::function<Result<release::Answer>(const plan::Plan&)>;

Result<release::Answer> published_into(const std::string& place, const AskedStudy& asked, const Asker& asker,
                                       const engine::MemoryTables& memory, const Publish& publish) {
  VERNIER_TRY(const plan::Plan plan, plan::allocate(asked.bound));
  VERNIER_TRY(check_sources(asked, memory));
  VERNIER_TRY(ReleaseFolder folder, ReleaseFolder::begin(place));
  Result<release::Answer> answer = publish(plan);
  if (!answer) return answer;
  const Result<void> written =
      write_documents(folder, answer->documents).and_then([&]() -> Result<void> { return folder.finish(); });
  if (!written) return not_written(written.error(), asker);
  return answer;
}

}  // namespace

Result<release::Answer> release_into(const std::string& place, const AskedStudy& asked, const Asker& asker,
                                     const MakeDocuments& make, const Supply& supply) {
  return published_into(place, asked, asker, supply.memory,
                        [&](const plan::Plan& plan) { return publish(asked, plan, asker, make, supply); });
}

// From here on Ctrl-C ends the program in order: no part of a folder is left, and what is paid for is written.
Result<release::Answer> release_into(const std::string& place, const AskedStudy& asked, const Asker& asker,
                                     const MakeDocuments& make) {
  const Interrupt interrupt;
  return published_into(place, asked, asker, {},
                        [&](const plan::Plan& plan) { return publish(asked, plan, asker, make); });
}

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
  VERNIER_TRY(const AskedStudy asked, catalog_rule(arguments).and_then([&](const CatalogRule& rule) {
    return read_asked_study(arguments.subject, rule);
  }));
  VERNIER_TRY(const release::Answer answer, release_into(folder, asked, asker_of(arguments)));
  write_answer(output, answer, arguments.has("--json"));
  if (!arguments.has("--json")) output.write(fmt::format("written to {}\n", folder));
  return {};
}

}  // namespace vernier::cli
