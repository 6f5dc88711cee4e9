#include "vernier/query/study.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/chart_json.hpp"
#include "cli/program.hpp"
#include "cli/sweep.hpp"
#include "errors.hpp"
#include "frames.hpp"
#include "located.hpp"
#include "vernier/core/seen_text.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

// Runs C++ that needs no Python, and holds the GIL again before its error is raised.
template <class Work>
auto without_gil(const Work& work) {
  auto result = [&] {
    const nb::gil_scoped_release released;
    return work();
  }();
  return value_of(std::move(result));
}

// A study and its catalog as Python has them.
struct Question {
  std::string name;
  cli::LocatedText study;
  cli::LocatedText catalog;

  Result<cli::AskedStudy> asked() const { return cli::ask(name, study, catalog); }
};

Question question(const std::string& name, const Located& study, const Located& catalog) {
  return {name, located(study), located(catalog)};
}

nb::bytes read_text(const nb::bytes& path) {
  const std::filesystem::path place = string_of(path);
  return bytes_of(without_gil([&] { return cli::located_text(place); }).text);
}

std::string catalog_json(const Located& catalog) {
  const cli::LocatedText text = located(catalog);
  const nb::gil_scoped_release released;
  return cli::catalog_json(text);
}

nb::bytes catalog_of_study(const Located& study, bool is_needed) {
  const cli::LocatedText text = located(study);
  const auto named_by = is_needed ? query::CatalogOf::study : query::CatalogOf::runner;
  const auto reading = query::examine_study_text(text.path, text.text, named_by);
  if (!reading.content) raise(query::first_of(text.path, reading.problems));
  return bytes_of(reading.content->catalog.string());
}

std::vector<std::string> check_study(const std::string& name, const Located& study, const Located& catalog) {
  const Question asked = question(name, study, catalog);
  std::vector<std::string> names;
  for (const query::Statistic& one : without_gil([&] { return asked.asked(); }).study.statistics)
    names.push_back(one.name);
  return names;
}

constexpr std::size_t most_points = 100;

// Numbers as they are written, or one range "0.5:2:4" as on the command line.
Result<std::vector<cli::Decimal>> epsilons_of(const std::vector<std::string>& what_if) {
  if (what_if.size() == 1 && what_if.front().find(':') != std::string::npos) {
    const bool has_key = what_if.front().find('=') != std::string::npos;
    return cli::read_sweep((has_key ? "" : "epsilon=") + what_if.front(), {"epsilon"}, "what_if", most_points)
        .map([](cli::Sweep sweep) { return std::move(sweep.points); });
  }
  if (what_if.size() > most_points) return invalid("what_if has more than 100 numbers; give fewer");
  std::vector<cli::Decimal> epsilons;
  for (const std::string& text : what_if) {
    VERNIER_TRY(const cli::Decimal epsilon, cli::read_decimal("what_if", text));
    epsilons.push_back(epsilon);
  }
  return epsilons;
}

Result<cli::PlanAnswer> planned(const Question& question, const std::string& analyst,
                                const std::vector<std::string>& what_if) {
  VERNIER_TRY(const std::vector<cli::Decimal> epsilons, epsilons_of(what_if));
  return question.asked().and_then(
      [&](cli::AskedStudy asked) { return cli::plan_of(std::move(asked), analyst, epsilons); });
}

std::pair<std::string, std::string> plan(const std::string& name, const Located& study, const Located& catalog,
                                         const std::string& analyst, const std::vector<std::string>& what_if) {
  const Question asked = question(name, study, catalog);
  return without_gil([&] {
    return planned(asked, analyst, what_if).map([](const cli::PlanAnswer& answer) {
      return std::pair(cli::plan_json(answer), cli::plan_text(answer));
    });
  });
}

std::string plan_chart(const std::string& name, const Located& study, const Located& catalog,
                       const std::vector<std::string>& what_if) {
  const Question asked = question(name, study, catalog);
  return without_gil([&] {
    return planned(asked, "", what_if).and_then([](const cli::PlanAnswer& answer) {
      return cli::drawn_plan(answer, nobody_watches).map([](const plot::Chart& chart) {
        return cli::chart_json(chart);
      });
    });
  });
}

using Documents = std::vector<std::pair<std::string, nb::bytes>>;

Documents documents_of(const ledger::Documents& documents) {
  Documents made;
  for (const ledger::Document& one : documents) made.emplace_back(one.name, bytes_of(one.content));
  return made;
}

// What is written, where a release goes into a folder; else it is only answered.
Result<release::Answer> released(const Question& question, const cli::Asker& asker, const cli::Supply& supply,
                                 const std::optional<std::string>& folder) {
  VERNIER_TRY(const cli::AskedStudy asked, question.asked());
  if (!folder) return cli::release_of(asked, asker, supply);
  return cli::release_into(*folder, asked, asker, cli::make_documents(cli::Files::all), supply);
}

// Whoever stops a release is told, where Python can say it, whether it was paid for.
void raise_if_stopped(Watcher& watcher, const Result<release::Answer>& answer) {
  try {
    watcher.raise_if_stopped();
  } catch (nb::python_error& stopped) {
    if (!answer && nb::hasattr(stopped.value(), "add_note")) stopped.value().attr("add_note")(answer.error().sentence);
    throw;
  }
}

std::pair<Documents, bool> release(const std::string& name, const Located& study, const Located& catalog,
                                   const nb::dict& frames, const std::string& analyst, const std::string& request,
                                   const std::optional<nb::bytes>& folder, nb::object show) {
  const Question asked = question(name, study, catalog);
  const std::optional<std::string> place = folder ? std::optional(string_of(*folder)) : std::nullopt;
  Watcher watcher(std::move(show));
  const cli::Supply supply{memory_of(frames), watcher.progress()};
  Result<release::Answer> answer = [&] {
    const nb::gil_scoped_release released_lock;
    return released(asked, {analyst, request}, supply, place);
  }();
  raise_if_stopped(watcher, answer);
  const release::Answer made = value_of(std::move(answer));
  return {documents_of(made.documents), made.is_repeated};
}

void save_release(const nb::bytes& folder, const Documents& documents) {
  const std::string place = string_of(folder);
  ledger::Documents files;
  for (const auto& [name, content] : documents) files.push_back({name, string_of(content)});
  without_gil([&] {
    return cli::ReleaseFolder::begin(place).and_then([&](cli::ReleaseFolder begun) {
      return cli::write_documents(begun, files).and_then([&] { return begun.finish(); });
    });
  });
}

std::string verify(const nb::bytes& record, const std::optional<std::string>& public_key) {
  const std::string text = string_of(record);
  return without_gil([&] { return cli::verdict_on(text, public_key).map(cli::verdict_json); });
}

std::string verify_folder(const nb::bytes& folder, const std::optional<std::string>& public_key) {
  const std::string place = string_of(folder);
  return without_gil([&] { return cli::verdict_on_folder(place, public_key).map(cli::verdict_json); });
}

std::string shown_text(const nb::bytes& text) { return seen_text(string_of(text)); }

}  // namespace

void bind_study(nb::module_& module) {
  module.def("read_text", &read_text, nb::arg("path"), "The text of a catalog or a study.");
  module.def("catalog_json", &catalog_json, nb::arg("catalog"),
             "What `vernier catalog check --json` prints: the declarations, or all problems.");
  module.def("catalog_of_study", &catalog_of_study, nb::arg("study"), nb::arg("is_needed"),
             "The path of the catalog that a study names; empty where it names none and need not.");
  module.def("check_study", &check_study, nb::arg("name"), nb::arg("study"), nb::arg("catalog"),
             "Reads a study and binds it to its catalog, or raises what is wrong; the names of its statistics.");
  module.def("plan", &plan, nb::arg("name"), nb::arg("study"), nb::arg("catalog"), nb::arg("analyst"),
             nb::arg("what_if"), "What `vernier plan` prints, with --json and without.");
  module.def("plan_chart", &plan_chart, nb::arg("name"), nb::arg("study"), nb::arg("catalog"), nb::arg("what_if"),
             "The chart of `vernier plan --plot`, as JSON.");
  module.def("release", &release, nb::arg("name"), nb::arg("study"), nb::arg("catalog"), nb::arg("frames"),
             nb::arg("analyst"), nb::arg("request"), nb::arg("folder").none(), nb::arg("show").none(),
             "Runs a study: the documents of the answer, and whether it was given before.");
  module.def("save_release", &save_release, nb::arg("folder"), nb::arg("documents"),
             "Writes the documents of a release into a new folder.");
  module.def("verify", &verify, nb::arg("record"), nb::arg("public_key").none(),
             "What `vernier verify --json` prints of a release.json.");
  module.def("verify_folder", &verify_folder, nb::arg("folder"), nb::arg("public_key").none(),
             "The same of a folder, with every file in it.");
  module.def("seen_text", &shown_text, nb::arg("text"), "UTF-8 with all that cannot be seen spelled out.");
}

}  // namespace vernier::python
