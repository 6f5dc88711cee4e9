#include <string>
#include <vector>

#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/run_program.hpp"

namespace nb = nanobind;

namespace vernier::python {

void bind_program(nb::module_& module) {
  module.def("run_program", &cli::run_program, nb::arg("words"), nb::call_guard<nb::gil_scoped_release>(),
             "The command line with these words; its exit code.");
}

}  // namespace vernier::python
