#include "bindings.hpp"
#include "errors.hpp"
#include "vernier/core/version.hpp"

// The module vernier._core: thin, since the package's Python files are what people import. Each topic binds its own.
NB_MODULE(_core, module) {
  using namespace vernier::python;
  bind_errors();
  module.attr("__version__") = std::string(vernier::version());
  bind_calibrate(module);
  bind_compose(module);
  bind_coverage(module);
  bind_frames(module);
  bind_law(module);
  bind_law_perturb(module);
  bind_ledger(module);
  bind_numbers(module);
  bind_opendp(module);
  bind_program(module);
  bind_study(module);
}
