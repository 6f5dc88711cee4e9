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
  bind_cells(module);
  bind_questions(module);
  bind_law(module);
  bind_numbers(module);
  bind_opendp(module);
  bind_study(module);
  bind_series(module);
  bind_asking(module);
  module.def(
      "run_program",
      [](const std::vector<std::string>& words, std::vector<std::string> own) {
        vernier::cli::start_again_by(std::move(own));
        return vernier::cli::run_program(words);
      },
      nanobind::arg("words"), nanobind::arg("own") = std::vector<std::string>(),
      nanobind::call_guard<nanobind::gil_scoped_release>(),
      "The command line with these words; its exit code. `own` are the words that start this program again.");
}
