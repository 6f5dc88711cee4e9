#include "cli/release.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "cli/publish.hpp"
#include "cli/release_csv.hpp"
#include "cli/release_folder.hpp"
#include "cli/release_json.hpp"
#include "cli/release_report.hpp"
#include "cli/slug.hpp"

namespace vernier::cli {
namespace {

std::vector<std::string> names_of(const plan::BoundStudy& study) {
  std::vector<std::string> names;
  for (const plan::BoundStatistic& statistic : study.statistics) names.push_back(statistic.name);
  return names;
}

Result<void> write_files(const ReleaseFolder& folder, const AskedStudy& asked, const release::Release& release) {
  const Result<std::string> json = release_json(asked, release);
  if (!json) return Failure(json.error());
  if (Result<void> written = folder.write("release.json", *json); !written) return written;
  const std::vector<std::string> slugs = slugs_of(names_of(release.plan.study));
  for (std::size_t i = 0; i < slugs.size(); ++i) {
    const std::string csv = release_csv(release.plan.study.statistics[i].query, release.tables[i]);
    if (Result<void> written = folder.write(slugs[i] + ".csv", csv); !written) return written;
  }
  return {};
}

std::string folder_for(const Arguments& arguments) {
  if (arguments.has("--out")) return arguments.one("--out");
  return std::filesystem::path(arguments.subject).stem().string() + "-release";
}

}  // namespace

Result<release::Release> release_into(const std::string& place, const AskedStudy& asked) {
  const Result<plan::Plan> plan = plan::allocate(asked.bound);
  if (!plan) return Failure(plan.error());
  if (Result<void> checked = check_sources(asked); !checked) return Failure(checked.error());
  Result<ReleaseFolder> folder = ReleaseFolder::begin(place);
  if (!folder) return Failure(folder.error());
  Result<release::Release> release = publish(asked, *plan);
  if (!release) return release;
  const Result<void> written =
      write_files(*folder, asked, *release).and_then([&]() -> Result<void> { return folder->finish(); });
  if (!written) return fail(ErrorKind::system, written.error().sentence + "; the budget stays spent");
  return release;
}

Usage release_usage() {
  return {.name = "release",
          .summary = "runs a study: numbers with intervals, as release.json and one CSV per statistic",
          .synopsis = "vernier release STUDY.toml [--out DIR] [--json]",
          .subject = "STUDY.toml",
          .subject_help = "the study, which names its catalog",
          .options = {{"--out", Takes::one_value, "DIR",
                       "the new folder for the files; unless given it is STUDY-release, in the current one"}},
          .example =
              "  vernier release study.toml\n"
              "  vernier release study.toml --out published --json\n"};
}

Result<void> run_release(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid("the study is missing; write for example 'vernier release study.toml'");
  }
  const std::string folder = folder_for(arguments);
  const Result<AskedStudy> asked = read_asked_study(arguments.subject);
  if (!asked) return Failure(asked.error());
  const Result<release::Release> release = release_into(folder, *asked);
  if (!release) return Failure(release.error());
  if (arguments.has("--json")) {
    return release_json(*asked, *release).map([&](const std::string& json) { output.write(json); });
  }
  write_release_report(output, *asked, *release);
  output.write(fmt::format("written to {}\n", folder));
  return {};
}

}  // namespace vernier::cli
