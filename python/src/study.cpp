#include "vernier/study.hpp"

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
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/chart_json.hpp"
#include "cli/release/documents.hpp"
#include "cli/sweep.hpp"
#include "cli/texts.hpp"
#include "errors.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/query/study.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

// Rows that a program gave, to be given back to nobody: Python can hold them, and pass them on to a release.
struct Frame {
  std::shared_ptr<const engine::ArrowTable> rows;
};

// Of a dictionary from the names of tables to frames.
engine::MemoryTables memory_of(const nb::dict& frames) {
  engine::MemoryTables memory;
  for (const auto& [name, frame] : frames) memory[nb::cast<std::string>(name)] = nb::cast<const Frame&>(frame).rows;
  return memory;
}

constexpr const char* capsule_name = "arrow_array_stream";  // by the Arrow PyCapsule interface

// Taking a stream runs code of the library that made it, which may be Python's, so the GIL is held.
Frame taken(nb::handle capsule) {
  void* const stream =
      PyCapsule_IsValid(capsule.ptr(), capsule_name) != 0 ? PyCapsule_GetPointer(capsule.ptr(), capsule_name) : nullptr;
  if (stream == nullptr)
    raise_invalid("a frame is no stream of Arrow; give a pandas or polars frame, or an Arrow table");
  return {value_of(engine::ArrowTable::take(static_cast<ArrowArrayStream*>(stream)))};
}

// A truth value, a number or a text of Python's; none for everything else, and for text that has no UTF-8.
std::optional<query::Value> value_in(PyObject* cell) {
  if (PyBool_Check(cell)) return cell == Py_True;
  if (PyFloat_Check(cell)) return PyFloat_AS_DOUBLE(cell);
  if (PyLong_Check(cell)) {
    int is_beyond = 0;
    const std::int64_t number = PyLong_AsLongLongAndOverflow(cell, &is_beyond);
    return is_beyond == 0 ? std::optional<query::Value>(number) : std::nullopt;
  }
  if (!PyUnicode_Check(cell)) return std::nullopt;
  Py_ssize_t length = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(cell, &length);
  if (text == nullptr) PyErr_Clear();
  return text == nullptr ? std::nullopt
                         : std::optional<query::Value>(std::string(text, static_cast<std::size_t>(length)));
}

nb::object object_of(const query::Value& value) {
  if (const auto* const day = std::get_if<query::Day>(&value)) return nb::int_(day->number);
  if (const auto* const truth = std::get_if<bool>(&value)) return nb::bool_(*truth);
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return nb::int_(*number);
  if (const auto* const real = std::get_if<double>(&value)) return nb::float_(*real);
  const auto& text = std::get<std::string>(value);
  return nb::str(text.data(), text.size());
}

nb::list read_cells(const nb::list& cells, const std::string& declared) {
  const std::optional<query::Type> type = query::type_named(declared);
  nb::list read;
  for (const nb::handle cell : cells) {
    const std::optional<query::Value> value = type ? value_in(cell.ptr()) : std::nullopt;
    const std::optional<query::Value> as_it_is = value ? engine::as_declared(*type, *value) : std::nullopt;
    read.append(as_it_is ? object_of(*as_it_is) : nb::none());
  }
  return read;
}

// Paths and texts come as bytes: a path need not be UTF-8, and the hash of a catalog is that of its bytes.
std::string string_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// A catalog, a study or a record as Python has it: where it lies or would lie, and its text.
using Located = std::pair<nb::bytes, nb::bytes>;
study::Text located(const Located& file) {
  return {std::filesystem::path(string_of(file.first)), string_of(file.second)};
}

// Runs C++ that needs no Python, and holds the GIL again before its error is raised.
template <class Work>
auto without_gil(const Work& work) {
  auto result = [&] {
    const nb::gil_scoped_release released;
    return work();
  }();
  return value_of(std::move(result));
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
  return cli::catalog_json(text);
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

using Documents = std::vector<std::pair<std::string, nb::bytes>>;

Documents documents_of(const ledger::Documents& documents) {
  Documents made;
  for (const ledger::Document& one : documents) made.emplace_back(one.name, bytes_of(one.content));
  return made;
}

// Whoever stops a release is told, where Python can say it, whether it was paid for.
void raise_if_stopped(Watcher& watcher, const Result<study::Answer>& answer) {
  try {
    watcher.raise_if_stopped();
  } catch (nb::python_error& stopped) {
    if (!answer && nb::hasattr(stopped.value(), "add_note"))
      stopped.value().attr("add_note")(answer.error().sentence(keyword_spelling));
    throw;
  }
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

std::pair<Documents, bool> release(const study::Study& study, const nb::dict& frames, const std::string& analyst,
                                   const std::string& request, const std::vector<std::string>& documents,
                                   const std::optional<nb::bytes>& folder, nb::object show) {
  Watcher watcher(std::move(show));
  const study::Request wanted{.analyst = analyst,
                              .request = request,
                              .documents = cli::documents_beside(files_of(documents)),
                              .folder = folder ? std::optional(string_of(*folder)) : std::nullopt,
                              .memory = memory_of(frames),
                              .progress = watcher.progress()};
  Result<study::Answer> answer = [&] {
    const nb::gil_scoped_release released_lock;
    return study.plan().and_then([&](const study::Plan& plan) { return plan.release(wanted); });
  }();
  raise_if_stopped(watcher, answer);
  const study::Answer made = value_of(std::move(answer));
  return {documents_of(made.documents), made.is_repeated};
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
  nb::class_<Frame>(module, "Frame", "Rows in memory that a release may read. Nothing of them can be asked here.");
  module.def("take_frame", &taken, nb::arg("capsule").none(),
             "Takes the rows out of a capsule of Arrow's, without a copy.");
  module.def("read_cells", &read_cells, nb::arg("cells"), nb::arg("declared"),
             "What each of the cells is in the declared type, a day as its number since 1970; None where it is nothing "
             "there.");
  module.def("read_text", &read_text, nb::arg("path"), "The text of a catalog or a study.");
  module.def("catalog_json", &catalog_json, nb::arg("catalog"),
             "What `vernier catalog check --json` prints: the declarations, or all problems.");
  module.def("catalog_of_study", &catalog_of_study, nb::arg("study"), nb::arg("is_needed"),
             "The path of the catalog that a study names; empty where it names none and need not.");
  nb::class_<study::Study>(module, "Study", "A study that was read and bound to its catalog. It holds no data.")
      .def_prop_ro("statistics", &statistics_of, "The names of its statistics.")
      .def_prop_ro("tables_in_memory", &tables_in_memory, "The tables of which a program gives the rows.");
  module.def("bind_study", &bound_study, nb::arg("name"), nb::arg("study"), nb::arg("catalog"),
             "Reads a study and its catalog, each once, or raises what is wrong.");
  module.def("plan", &plan, nb::arg("study"), nb::arg("analyst"), nb::arg("what_if"),
             "What `vernier plan` prints, with --json and without.");
  module.def("plan_chart", &plan_chart, nb::arg("study"), nb::arg("what_if"),
             "The chart of `vernier plan --plot`, as JSON.");
  module.def("release", &release, nb::arg("study"), nb::arg("frames"), nb::arg("analyst"), nb::arg("request"),
             nb::arg("documents"), nb::arg("folder").none(), nb::arg("show").none(),
             "Runs a study: the documents of the answer, and whether it was given before.");
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
