#include "cli/compose/compose.hpp"

#include <string>
#include <vector>

#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "errors.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

using Words = std::vector<std::string>;
using Tell = Result<std::string> (*)(const Words&);

std::string told(Tell tell, const Words& words) {
  Result<std::string> text = [&] {
    const nb::gil_scoped_release released;
    return tell(words);
  }();
  return value_of(std::move(text));
}

}  // namespace

void bind_compose(nb::module_& module) {
  module.def(
      "compose", [](const Words& words) { return told(&cli::compose_json, words); }, nb::arg("words"),
      "What `vernier compose --json` prints for these words.");
  module.def(
      "compose_chart", [](const Words& words) { return told(&cli::compose_chart_json, words); }, nb::arg("words"),
      "What `vernier compose --plot` draws for these words, as JSON.");
}

}  // namespace vernier::python
