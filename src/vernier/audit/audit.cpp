#include "vernier/audit/audit.hpp"

#include "vernier/audit/covering.hpp"
#include "vernier/audit/faults.hpp"
#include "vernier/audit/laws.hpp"
#include "vernier/audit/mutants.hpp"
#include "vernier/audit/twins.hpp"

namespace vernier::audit {
namespace {

// Parts of the time; the rest is for the ledger, whose trials are few.
constexpr double laws_part = 0.2, twins_part = 0.45, coverage_part = 0.2;

Result<Released> asked(const Program& program, const Folder& folder, const std::vector<std::string>& words) {
  VERNIER_TRY(const Ran ran, program.run(folder.path(), words));
  if (ran.code != 0) {
    return fail(ErrorKind::system, "the program refused a release of the audit: " + ran.said.substr(0, 300));
  }
  return read_released(ran.printed);
}

Result<Released> released(const Program& program, const Settings& settings, const TwinCase& twin,
                          const Canaries& canaries) {
  VERNIER_TRY(const Folder folder, Folder::make());
  VERNIER_TRY(folder.write("t.csv", canaries.csv));
  const std::string catalog = catalog_of(twin, canaries.coins.size());
  VERNIER_TRY(folder.write("catalog.toml", catalog));
  if (twin.is_parquet) {
    VERNIER_TRY(settings.to_parquet(folder.path() / "t.csv", folder.path() / "t.parquet"));
  }
  return asked(program, folder, query_of(twin));
}

Result<Released> released(const Program& program, const CoverageCase& one, const Sample& sample) {
  VERNIER_TRY(const Folder folder, Folder::make());
  VERNIER_TRY(folder.write("t.csv", sample.csv));
  const std::string catalog = coverage_catalog(one.groups);
  VERNIER_TRY(folder.write("catalog.toml", catalog));
  return asked(program, folder, coverage_query(one));
}

}  // namespace

Result<Report> audited(const Settings& settings, const Progress& progress) {
  const Timekeeper time(settings.minutes, progress);
  VERNIER_TRY(const Folder home, Folder::make());
  const Program program(settings.program, home.path());
  Report report{{}, {}, settings.minutes};
  const std::function<Result<Section>()> sections[] = {
      [&] { return audited_laws(time, laws_part); },
      [&] {
        return audited_twins(
            [&](const TwinCase& twin, const Canaries& canaries) { return released(program, settings, twin, canaries); },
            time, twins_part, report.engines);
      },
      [&] {
        return audited_coverage(
            [&](const CoverageCase& one, const Sample& sample) { return released(program, one, sample); }, time,
            coverage_part);
      },
      [&] { return audited_ledger(program, time); },
      [&] { return audited_mutants(settings.mutants, time); },
  };
  for (const auto& audit_section : sections) {
    VERNIER_TRY(Section section, audit_section());
    report.sections.push_back(std::move(section));
  }
  return report;
}

}  // namespace vernier::audit
