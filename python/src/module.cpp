#include <string>
#include <vector>

#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/commands.hpp"
#include "errors.hpp"
#include "vernier/core/version.hpp"

// The module vernier._core: thin, since the package's Python files are what people import. Each topic binds its own.
NB_MODULE(_core, module) {
  using namespace vernier::python;
  bind_errors();
  module.attr("__version__") = std::string(vernier::version());
  bind_calibrate(module);
  bind_questions(module);
  bind_law(module);
  bind_numbers(module);
  bind_opendp(module);
  bind_study(module);
  module.def("run_program", &vernier::cli::run_program, nanobind::arg("words"),
             nanobind::call_guard<nanobind::gil_scoped_release>(), "The command line with these words; its exit code.");
}
