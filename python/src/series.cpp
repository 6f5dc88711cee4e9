#include "cli/plan/series.hpp"

#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "asked.hpp"
#include "bindings.hpp"
#include "cli/chart_json.hpp"
#include "cli/release/series.hpp"
#include "cli/texts.hpp"
#include "vernier/study/series.hpp"

// Studies of series: planned as a whole, released step by step.
namespace vernier::python {
namespace {

namespace nb = nanobind;

study::SeriesStudy bound_series(const std::string& name, const Located& study, const Located& catalog) {
  const study::Text asked = located(study), declared = located(catalog);
  return without_gil([&]() -> Result<study::SeriesStudy> {
    VERNIER_TRY(const study::Catalog read, study::Catalog::of(declared));
    return study::SeriesStudy::of(name, asked, read);
  });
}

std::vector<std::string> names_of(const study::SeriesStudy& study) {
  std::vector<std::string> names;
  for (const query::Series& one : study.question.series) names.push_back(one.name);
  return names;
}

bool has_series(const nb::bytes& text) { return query::has_series(string_of(text)); }

nb::bytes catalog_of_series(const Located& study, bool is_needed) {
  const study::Text text = located(study);
  const auto named_by = is_needed ? query::CatalogOf::study : query::CatalogOf::runner;
  const auto reading = query::examine_series_text(text.path, text.text, named_by);
  if (!reading.content) raise(query::problems_in(text.path, reading.problems));
  return bytes_of(reading.content->catalog.string());
}

std::pair<std::string, std::string> plan_of_series(const study::SeriesStudy& study, const std::string& analyst) {
  return without_gil([&] {
    return cli::series_answer(study, analyst).map([](const cli::SeriesAnswer& answer) {
      cli::Output json, text;
      cli::write_series_json(json, answer);
      cli::write_series_report(text, answer);
      return std::pair(json.text(), text.text());
    });
  });
}

std::string chart_of_series(const study::SeriesStudy& study) {
  return without_gil([&] {
    return cli::series_answer(study, "").map(
        [](const cli::SeriesAnswer& answer) { return cli::chart_json(cli::series_chart(answer)); });
  });
}

using ToldStep = std::tuple<std::string, Documents, bool, bool, std::int64_t>;

ToldStep told_of_step(const study::StepAnswer& answer) {
  return {query::text_of(answer.step), documents_of(answer.documents), answer.is_repeated, answer.is_first,
          answer.skipped};
}

query::Day day_of(const std::string& text) {
  const auto day = query::read_day(text);
  if (!day) raise_invalid("a step is named by a day such as 2027-03-05, but it is '" + text + "'");
  return *day;
}

std::vector<ToldStep> release_of_series(const study::SeriesStudy& study, const std::optional<std::string>& step,
                                        const std::optional<std::string>& today, const std::string& analyst,
                                        const std::optional<nb::bytes>& folder, nb::object show) {
  Watcher watcher(std::move(show));
  study::StepRequest request{.analyst = analyst,
                             .documents = cli::step_documents,
                             .folder = folder ? std::optional<std::filesystem::path>(string_of(*folder)) : std::nullopt,
                             .progress = watcher.progress()};
  const std::optional<query::Day> day = step ? std::optional(day_of(*step)) : std::nullopt;
  const query::Day until = today ? day_of(*today) : query::last_day;
  Result<std::vector<study::StepAnswer>> answers = [&]() -> Result<std::vector<study::StepAnswer>> {
    const nb::gil_scoped_release released;
    if (!day) return study::release_due(study, until, request);
    VERNIER_TRY(study::StepAnswer answer, study::release_step(study, *day, request));
    std::vector<study::StepAnswer> one;
    one.push_back(std::move(answer));
    return one;
  }();
  watcher.raise_if_stopped();
  std::vector<ToldStep> told;
  for (const study::StepAnswer& one : value_of(std::move(answers))) told.push_back(told_of_step(one));
  return told;
}

// Of steps in files and folders; an empty text where they are none.
std::string verify_of_series(const std::vector<nb::bytes>& places, const std::optional<std::string>& public_key) {
  std::vector<std::filesystem::path> paths;
  for (const nb::bytes& one : places) paths.emplace_back(string_of(one));
  return without_gil([&]() -> Result<std::string> {
    VERNIER_TRY(const auto key, study::expected_key(public_key));
    VERNIER_TRY(const auto verdict, study::verify_series(paths, key));
    if (!verdict) return std::string();
    return cli::verdict_json(release::Verdict{verdict->checks, verdict->first_problem, {}, verdict->signer});
  });
}

// The same of their bytes.
std::string verify_of_steps(const std::vector<nb::bytes>& records, const std::optional<std::string>& public_key) {
  std::vector<std::string> texts;
  for (const nb::bytes& one : records) texts.push_back(string_of(one));
  return without_gil([&]() -> Result<std::string> {
    VERNIER_TRY(const auto key, study::expected_key(public_key));
    if (texts.empty() || !std::ranges::all_of(texts, release::is_step_record)) return std::string();
    const release::SeriesVerdict verdict = release::verify_steps(texts, key);
    return cli::verdict_json(release::Verdict{verdict.checks, verdict.first_problem, {}, verdict.signer});
  });
}

}  // namespace

void bind_series(nb::module_& module) {
  nb::class_<study::SeriesStudy>(module, "SeriesStudy", "A study of series that was read, bound and planned.")
      .def_prop_ro("series", &names_of, "The names of its series.");
  module.def("has_series", &has_series, nb::arg("study"), "Whether the text of a study has series.");
  module.def("catalog_of_series", &catalog_of_series, nb::arg("study"), nb::arg("is_needed"),
             "The path of the catalog that a study of series names; empty where it names none and need not.");
  module.def("bind_series", &bound_series, nb::arg("name"), nb::arg("study"), nb::arg("catalog"),
             "Reads a study of series and its catalog, each once, or raises what is wrong.");
  module.def("plan_series", &plan_of_series, nb::arg("study"), nb::arg("analyst"),
             "What `vernier plan` prints, with --json and without.");
  module.def("series_chart", &chart_of_series, nb::arg("study"), "The chart of `vernier plan --plot`, as JSON.");
  module.def("release_series", &release_of_series, nb::arg("study"), nb::arg("step").none(), nb::arg("today").none(),
             nb::arg("analyst"), nb::arg("folder").none(), nb::arg("show").none(),
             "Publishes the step of a day, or all that ended before today: of each its date, its documents, whether it "
             "was published before, whether all steps were paid for now, and how many skipped ones it made up for.");
  module.def("verify_series", &verify_of_series, nb::arg("places"), nb::arg("public_key").none(),
             "What `vernier verify --json` prints of steps of series; an empty text where these are none.");
  module.def("verify_steps", &verify_of_steps, nb::arg("records"), nb::arg("public_key").none(),
             "The same of the bytes of their records.");
}

}  // namespace vernier::python
