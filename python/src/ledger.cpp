#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/program.hpp"
#include "errors.hpp"
#include "located.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

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
  const cli::LocatedText text = located(catalog);
  return watched(std::move(show),
                 [&](const Progress& progress) { return cli::ledger_show_json(text, within, progress); });
}

std::string history_of(const Located& catalog, const std::optional<std::string>& analyst,
                       std::optional<std::int64_t> last, nb::object show) {
  const cli::LocatedText text = located(catalog);
  return watched(std::move(show),
                 [&](const Progress& progress) { return cli::ledger_history_json(text, analyst, last, progress); });
}

std::string verdict_of(const Located& catalog, const std::vector<Located>& releases, nb::object show) {
  const cli::LocatedText text = located(catalog);
  std::vector<cli::LocatedText> published;
  for (const Located& release : releases) published.push_back(located(release));
  return watched(std::move(show),
                 [&](const Progress& progress) { return cli::ledger_verify_json(text, published, progress); });
}

}  // namespace

void bind_ledger(nb::module_& module) {
  module.def("ledger_show", &show_of, nb::arg("catalog"), nb::arg("within"), nb::arg("show").none(),
             "What `vernier ledger show --json` prints.");
  module.def("ledger_history", &history_of, nb::arg("catalog"), nb::arg("analyst").none(), nb::arg("last").none(),
             nb::arg("show").none(), "What `vernier ledger history --json` prints.");
  module.def("ledger_verify", &verdict_of, nb::arg("catalog"), nb::arg("releases"), nb::arg("show").none(),
             "What `vernier ledger verify --json` prints.");
}

}  // namespace vernier::python
