#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/compose/compose.hpp"
#include "cli/coverage/coverage.hpp"
#include "errors.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

// What is asked without data: simulations and compositions. What is given comes by name, numbers as they are written.
namespace vernier::python {
namespace {

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Named = std::map<std::string, std::vector<std::string>>;
using Tell = Result<std::string> (*)(const cli::Given&);

cli::Given given(const Named& named) { return {{named.begin(), named.end()}}; }

std::string composed(Tell tell, const Named& named) {
  const cli::Given asked = given(named);
  Result<std::string> text = [&] {
    const nb::gil_scoped_release released;
    return tell(asked);
  }();
  return value_of(std::move(text));
}

std::string coverage(const Named& named, const std::optional<Values>& values, const std::string& origin,
                     nb::object show) {
  const cli::Given asked = given(named);
  std::optional<cli::CoverageValues> own;
  if (values) own = cli::CoverageValues{{values->data(), values->data() + values->size()}, origin};
  Watcher watcher(std::move(show));
  Result<std::string> text = [&] {
    const nb::gil_scoped_release released;
    return cli::coverage_json(asked, own, watcher.progress());
  }();
  watcher.raise_if_stopped();
  return value_of(std::move(text));
}

}  // namespace

void bind_questions(nb::module_& module) {
  module.def(
      "compose", [](const Named& given) { return composed(&cli::compose_json, given); }, nb::arg("given"),
      "What `vernier compose --json` prints for these parameters.");
  module.def(
      "compose_chart", [](const Named& given) { return composed(&cli::compose_chart_json, given); }, nb::arg("given"),
      "What `vernier compose --plot` draws for these parameters, as JSON.");
  module.def("coverage", &coverage, nb::arg("given"), nb::arg("values").none(), nb::arg("origin"),
             nb::arg("show").none(),
             "What `vernier coverage --json` prints for these parameters; values, where there are any, are in the "
             "place of a file, and show is called with the share that is done.");
}

}  // namespace vernier::python
