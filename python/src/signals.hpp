#pragma once

#include <nanobind/nanobind.h>

namespace vernier::python {

// For long work without the interpreter's lock: takes it, and raises what Ctrl-C or another signal asks for.
inline void raise_on_signal() {
  const nanobind::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace vernier::python
