#include "vernier/study.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "asked.hpp"
#include "bindings.hpp"
#include "cli/catalog/catalog.hpp"
#include "cli/chart_json.hpp"
#include "cli/program_error.hpp"
#include "cli/release/documents.hpp"
#include "cli/sweep.hpp"
#include "cli/texts.hpp"
#include "errors.hpp"
#include "report/text.hpp"
#include "tongue.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/engine/arrow/buffers.hpp"
#include "vernier/engine/arrow/file.hpp"
#include "vernier/query/read/engine.hpp"
#include "vernier/query/study.hpp"
#include "vernier/study/session.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

constexpr const char* capsule_name = "arrow_array_stream";  // by the Arrow PyCapsule interface

ArrowArrayStream* stream_in(nb::handle capsule) {
  void* const stream =
      PyCapsule_IsValid(capsule.ptr(), capsule_name) != 0 ? PyCapsule_GetPointer(capsule.ptr(), capsule_name) : nullptr;
  if (stream == nullptr)
    raise_invalid("a frame is no stream of Arrow; give a pandas or polars frame, or an Arrow table");
  return static_cast<ArrowArrayStream*>(stream);
}

// Taking a stream runs code of the library that made it, which may be Python's, so the GIL is held.
Frame taken(nb::handle capsule, nb::object held, std::vector<std::string> watched) {
  Frame frame{value_of(engine::ArrowTable::take(stream_in(capsule))), std::move(held), std::move(watched)};
  if (!frame.watched.empty()) frame.print = engine::fingerprint_of(*frame.rows, frame.watched);
  return frame;
}

Frame streamed(nb::handle capsule, const std::vector<std::string>& names) {
  return {value_of(engine::take_to_file(stream_in(capsule), names)), nb::none()};
}

bool is_unchanged(const Frame& frame) {
  return frame.watched.empty() || engine::fingerprint_of(*frame.rows, frame.watched) == frame.print;
}

study::Study bound_study(const std::string& name, const Located& study, const Located& catalog) {
  const study::Text asked = located(study), declared = located(catalog);
  return without_gil([&]() -> Result<study::Study> {
    VERNIER_TRY(const study::Catalog read, study::Catalog::of(declared));
    return study::Study::of(name, asked, read);
  });
}

std::vector<std::string> statistics_of(const study::Study& study) {
  std::vector<std::string> names;
  for (const query::Statistic& one : study.question.statistics) names.push_back(one.name);
  return names;
}

// What counts of a unit in statistics of which nobody has said how much may, and the table that they ask.
std::vector<std::pair<std::string, std::string>> assumed_limits_of(const study::Study& study) {
  std::vector<std::pair<std::string, std::string>> limits;
  for (const plan::BoundStatistic& one : study.with_assumed_limits()) {
    std::pair told(report::limits_sentence(one), one.table.name);
    if (std::ranges::find(limits, told) == limits.end()) limits.push_back(std::move(told));
  }
  return limits;
}

std::vector<std::string> tables_of(const study::Study& study) {
  std::vector<std::string> names;
  for (const query::TableSet& one : study.question.tables) names.push_back(one.name);
  return names;
}

// The tables that are asked of which a program has the rows.
std::vector<std::string> tables_in_memory(const study::Study& study) {
  std::vector<std::string> names;
  for (const query::Table& table : study.tables()) {
    if (table.source.kind == query::SourceKind::arrow) names.push_back(table.name);
  }
  return names;
}

nb::bytes read_text(const nb::bytes& path) {
  const std::filesystem::path place = string_of(path);
  return bytes_of(without_gil([&] { return study::read_text(place); }).text);
}

std::string catalog_json(const Located& catalog) {
  const study::Text text = located(catalog);
  const nb::gil_scoped_release released;
  const bool is_made = cli::is_of_program(text.path.string());
  return cli::catalog_json(text, is_made ? python_spelling : plain_spelling);
}

nb::bytes catalog_of_study(const Located& study, bool is_needed) {
  const study::Text text = located(study);
  const auto named_by = is_needed ? query::CatalogOf::study : query::CatalogOf::runner;
  const auto reading = query::examine_study_text(text.path, text.text, named_by);
  if (!reading.content) raise(query::problems_in(text.path, reading.problems));
  return bytes_of(reading.content->catalog.string());
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

Result<cli::PlanAnswer> planned(const study::Study& study, const std::string& analyst,
                                const std::vector<std::string>& what_if) {
  const bool names_key = what_if.size() == 1 && what_if.front().find('=') != std::string::npos;
  if (names_key) return cli::plan_at(study, analyst, what_if.front(), "what_if");
  VERNIER_TRY(const std::vector<cli::Decimal> epsilons, epsilons_of(what_if));
  return cli::plan_of(study, analyst, epsilons);
}

std::pair<std::string, std::string> plan(const study::Study& study, const std::string& analyst,
                                         const std::vector<std::string>& what_if) {
  return without_gil([&] {
    return planned(study, analyst, what_if).map([](const cli::PlanAnswer& answer) {
      return std::pair(cli::plan_json(answer), cli::plan_text(answer));
    });
  });
}

std::string plan_chart(const study::Study& study, const std::vector<std::string>& what_if) {
  return without_gil([&] {
    return planned(study, "", what_if).and_then([](const cli::PlanAnswer& answer) {
      return cli::drawn_plan(answer, nobody_watches).map([](const plot::Chart& chart) {
        return cli::chart_json(chart);
      });
    });
  });
}

// A session of an engine that Python has, behind the few things that vernier/_engines.py answers. Errors of Python are
// not looked at, since they may tell of data: only that somebody stopped the run.
class PythonSession {
 public:
  PythonSession(nb::object session, Watcher& watcher) : session_(std::move(session)), watcher_(&watcher) {}

  std::shared_ptr<const engine::GivenSession> given() {
    auto made = std::make_shared<engine::GivenSession>();
    made->kind = nb::cast<std::string>(session_.attr("kind"));
    made->version = nb::cast<std::string>(session_.attr("version"));
    made->columns = [this](const query::Source& source) { return columns(source); };
    made->read = [this](const std::string& sql, std::int64_t seconds, const Progress&) { return read(sql, seconds); };
    made->is_lost = [this] { return is_lost(); };
    made->renew = [this] { return renew(); };
    return made;
  }

 private:
  // Why the table cannot be read, or its columns.
  using Looked = std::pair<std::string, engine::GivenSession::Columns>;

  Result<engine::GivenSession::Columns> columns(const query::Source& source) {
    const nb::gil_scoped_acquire acquired;
    try {
      auto [problem, columns] = nb::cast<Looked>(session_.attr("columns")(source.table));
      if (problem.empty()) return std::move(columns);
      return invalid("the table '" + source.told() + "' " + problem, "nothing was spent");
    } catch (nb::python_error& error) {
      if (is_stopped(error)) return engine::stopped_run();
      return fail(ErrorKind::system, "the session of the engine does not tell what it has", "nothing was spent");
    }
  }

  Result<std::shared_ptr<const engine::ArrowTable>> read(const std::string& sql, std::int64_t seconds) {
    const nb::gil_scoped_acquire acquired;
    try {
      const nb::object capsule = session_.attr("read")(sql, seconds);
      auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), capsule_name));
      if (stream == nullptr) throw nb::python_error();
      auto taken = engine::ArrowTable::take(stream);
      return taken ? std::move(taken) : engine::failed_run();
    } catch (nb::python_error& error) {
      return is_stopped(error) ? engine::stopped_run() : engine::failed_run();
    }
  }

  bool is_lost() const {
    const nb::gil_scoped_acquire acquired;
    return nb::cast<bool>(session_.attr("is_lost"));
  }

  Result<void> renew() {
    const nb::gil_scoped_acquire acquired;
    try {
      session_.attr("renew")();
      return {};
    } catch (nb::python_error& error) {
      return is_stopped(error) ? engine::stopped_run() : engine::failed_run();
    }
  }

  bool is_stopped(nb::python_error& error) {
    if (error.matches(PyExc_Exception)) return false;
    watcher_->stop(std::move(error));
    return true;
  }

  nb::object session_;
  Watcher* watcher_;
};

// Of work that asks a session of Python's; what stopped it is raised again.
template <class Work>
auto asking(nb::object session, const Work& work) {
  Watcher watcher{nb::none()};
  PythonSession python(std::move(session), watcher);
  const auto given = python.given();
  const auto answer = [&] {
    const nb::gil_scoped_release released;
    return work(given);
  }();
  watcher.raise_if_stopped();
  return value_of(answer);
}

// An error where a table or a column of the catalog is not there, or the session means something else than we do.
void check_session(const Located& catalog, nb::object session) {
  const study::Text text = located(catalog);
  asking(std::move(session), [&](const std::shared_ptr<const engine::GivenSession>& given) -> Result<bool> {
    VERNIER_TRY(const study::Catalog read, study::Catalog::of(text));
    VERNIER_TRY(study::open_session(read.content(), study::all_tables(read.content()), {}, given));
    return true;
  });
}

// A catalog to fill in, of a table that a session has.
std::string new_catalog(const std::string& table, nb::object session) {
  return asking(
      std::move(session), [&](const std::shared_ptr<const engine::GivenSession>& given) -> Result<std::string> {
        const query::Source source{.path = {}, .kind = query::SourceKind::table, .table = query::parts_of_name(table)};
        if (source.table.empty()) {
          return invalid("the table '" + table + "' must be named with its schema", "write for example census.people");
        }
        query::Engine engine;
        engine.kind = given->kind;
        VERNIER_TRY(const std::unique_ptr<engine::Connection> connection, engine::connect_given(engine, given));
        VERNIER_TRY(const cli::Skeleton skeleton, cli::skeleton_of_table(source, engine, *connection));
        return cli::skeleton_text(skeleton);
      });
}

// The files that are made beside the record, by the names of their kinds.
cli::Files files_of(const std::vector<std::string>& kinds) {
  cli::Files files;
  for (const std::string& kind : kinds) {
    if (kind == "csv") {
      files.csv = true;
    } else if (kind == "charts") {
      files.charts = true;
    } else if (kind == "page") {
      files.page = true;
    } else if (kind == "parquet") {
      files.parquet = true;
    } else if (kind == "text") {
      files.text = true;
    } else {
      raise_invalid(fmt::format("documents must be of csv, charts, page, parquet and text, but one is '{}'", kind));
    }
  }
  return files;
}

Told release(const study::Study& study, const nb::dict& frames, const std::string& analyst, const std::string& request,
             bool is_same, const std::vector<std::string>& documents, const std::optional<nb::bytes>& folder,
             nb::object session, nb::object show) {
  Watcher watcher(std::move(show));
  const bool is_given = !session.is_none();
  PythonSession python(std::move(session), watcher);
  const study::Request wanted{.analyst = analyst,
                              .request = request,
                              .same = is_same,
                              .documents = cli::documents_beside(files_of(documents)),
                              .folder = folder ? std::optional(string_of(*folder)) : std::nullopt,
                              .memory = memory_of(frames),
                              .session = is_given ? python.given() : nullptr,
                              .progress = watcher.progress()};
  return released(watcher,
                  [&] { return study.plan().and_then([&](const study::Plan& plan) { return plan.release(wanted); }); });
}

void save_release(const nb::bytes& folder, const Documents& documents) {
  const std::string place = string_of(folder);
  ledger::Documents files;
  for (const auto& [name, content] : documents) files.push_back({name, string_of(content)});
  without_gil([&] { return study::write_folder(place, files); });
}

std::string verify(const nb::bytes& record, const std::optional<std::string>& public_key) {
  const std::string text = string_of(record);
  return without_gil([&] {
    return study::expected_key(public_key).map([&](const auto& key) {
      return cli::verdict_json(release::verify(text, key));
    });
  });
}

std::string verify_folder(const nb::bytes& folder, const std::optional<std::string>& public_key) {
  const std::string place = string_of(folder);
  return without_gil([&] {
    return study::expected_key(public_key)
        .and_then([&](const auto& key) { return study::verify_folder(place, key); })
        .map(cli::verdict_json);
  });
}

std::string shown_text(const nb::bytes& text) { return seen_text(string_of(text)); }

// Reads the ledger without the GIL; Ctrl-C stops it.
template <class Read>
std::string watched(nb::object show, const Read& read) {
  Watcher watcher(std::move(show));
  Result<std::string> text = [&] {
    const nb::gil_scoped_release released;
    return read(watcher.progress());
  }();
  watcher.raise_if_stopped();
  return value_of(std::move(text));
}

std::string show_of(const Located& catalog, const std::vector<std::int64_t>& within, nb::object show) {
  const study::Text text = located(catalog);
  return watched(std::move(show),
                 [&](const Progress& progress) { return cli::ledger_show_json(text, within, progress); });
}

std::string history_of(const Located& catalog, const std::optional<std::string>& analyst,
                       std::optional<std::int64_t> last, nb::object show) {
  const study::Text text = located(catalog);
  return watched(std::move(show),
                 [&](const Progress& progress) { return cli::ledger_history_json(text, analyst, last, progress); });
}

std::string verdict_of(const Located& catalog, const std::vector<Located>& releases, nb::object show) {
  const study::Text text = located(catalog);
  std::vector<study::Text> published;
  for (const Located& release : releases) published.push_back(located(release));
  return watched(std::move(show),
                 [&](const Progress& progress) { return cli::ledger_verify_json(text, published, progress); });
}

}  // namespace

void bind_study(nb::module_& module) {
  nb::class_<Frame>(module, "Frame", "Rows that a release may read. Nothing of them can be asked here.");
  module.def("is_unchanged", &is_unchanged, nb::arg("frame"),
             "Whether the columns that are watched are what they were.");
  module.def("take_frame", &taken, nb::arg("capsule").none(), nb::arg("held").none() = nb::none(),
             nb::arg("watched") = std::vector<std::string>(),
             "Takes the rows out of a capsule of Arrow's, without a copy; `held` lives as long as they do. The columns "
             "that are `watched` somebody else may write into.");
  module.def(
      "stream_frame", &streamed, nb::arg("capsule").none(), nb::arg("names"),
      "Reads a capsule of Arrow's batch by batch, and keeps the columns of these names in a file without a name.");
  module.def("read_text", &read_text, nb::arg("path"), "The text of a catalog or a study.");
  module.def("catalog_json", &catalog_json, nb::arg("catalog"),
             "What `vernier catalog check --json` prints: the declarations, or all problems.");
  module.def("check_tables", &check_session, nb::arg("catalog"), nb::arg("session"),
             "Compares the tables of a catalog with those of a session of its engine.");
  module.def("new_catalog", &new_catalog, nb::arg("table"), nb::arg("session"),
             "The text of a catalog to fill in, of a table that a session has.");
  module.def("catalog_of_study", &catalog_of_study, nb::arg("study"), nb::arg("is_needed"),
             "The path of the catalog that a study names; empty where it names none and need not.");
  nb::class_<study::Study>(module, "Study", "A study that was read and bound to its catalog. It holds no data.")
      .def_prop_ro("statistics", &statistics_of, "The names of its statistics.")
      .def_prop_ro("assumed_limits", &assumed_limits_of,
                   "What counts of a unit where nobody has said how much may, each with its table.")
      .def_prop_ro("tables", &tables_of, "The names of its sets of tables.")
      .def_prop_ro("tables_in_memory", &tables_in_memory, "The tables of which a program gives the rows.");
  module.def("bind_study", &bound_study, nb::arg("name"), nb::arg("study"), nb::arg("catalog"),
             "Reads a study and its catalog, each once, or raises what is wrong.");
  module.def("plan", &plan, nb::arg("study"), nb::arg("analyst"), nb::arg("what_if"),
             "What `vernier plan` prints, with --json and without.");
  module.def("plan_chart", &plan_chart, nb::arg("study"), nb::arg("what_if"),
             "The chart of `vernier plan --plot`, as JSON.");
  module.def("release", &release, nb::arg("study"), nb::arg("frames"), nb::arg("analyst"), nb::arg("request"),
             nb::arg("is_same"), nb::arg("documents"), nb::arg("folder").none(), nb::arg("session").none(),
             nb::arg("show").none(),
             "Runs a study: the documents of the answer, whether it was given before, and what is left of epsilon and "
             "delta. Without a request of one's own, is_same makes one from the plan and the rows.");
  module.def("save_release", &save_release, nb::arg("folder"), nb::arg("documents"),
             "Writes the documents of a release into a new folder.");
  module.def("verify", &verify, nb::arg("record"), nb::arg("public_key").none(),
             "What `vernier verify --json` prints of a release.json.");
  module.def("verify_folder", &verify_folder, nb::arg("folder"), nb::arg("public_key").none(),
             "The same of a folder, with every file in it.");
  module.def("seen_text", &shown_text, nb::arg("text"), "UTF-8 with all that cannot be seen spelled out.");
  module.def("ledger_show", &show_of, nb::arg("catalog"), nb::arg("within"), nb::arg("show").none(),
             "What `vernier ledger show --json` prints.");
  module.def("ledger_history", &history_of, nb::arg("catalog"), nb::arg("analyst").none(), nb::arg("last").none(),
             nb::arg("show").none(), "What `vernier ledger history --json` prints.");
  module.def("ledger_verify", &verdict_of, nb::arg("catalog"), nb::arg("releases"), nb::arg("show").none(),
             "What `vernier ledger verify --json` prints.");
}

}  // namespace vernier::python
