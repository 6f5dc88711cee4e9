#include <optional>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/texts.hpp"
#include "errors.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::optional<cli::CoverageValues> copied(const std::optional<Numbers>& values, const std::string& origin) {
  if (!values) return {};
  return cli::CoverageValues{{values->data(), values->data() + values->size()}, origin};
}

std::string coverage(const std::vector<std::string>& words, const std::optional<Numbers>& values,
                     const std::string& origin, nb::object show) {
  const std::optional<cli::CoverageValues> own = copied(values, origin);
  Watcher watcher(std::move(show));
  Result<std::string> text = [&] {
    const nb::gil_scoped_release released;
    return cli::coverage_json(words, own, watcher.progress());
  }();
  watcher.raise_if_stopped();
  return value_of(std::move(text));
}

}  // namespace

void bind_coverage(nb::module_& module) {
  module.def("coverage", &coverage, nb::arg("words"), nb::arg("values").none(), nb::arg("origin"),
             nb::arg("show").none(),
             "What `vernier coverage --json` prints for these words; values, where there are any, are in the place of "
             "a file, and show is told the share that is done.");
}

}  // namespace vernier::python
