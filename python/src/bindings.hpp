#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

// What each file of this folder adds to the module. There is no binding of data, of an engine or of sums without noise.
namespace vernier::python {

void bind_calibrate(nanobind::module_& module);
void bind_cells(nanobind::module_& module);
void bind_questions(nanobind::module_& module);
void bind_law(nanobind::module_& module);
void bind_numbers(nanobind::module_& module);
void bind_opendp(nanobind::module_& module);
void bind_study(nanobind::module_& module);
void bind_series(nanobind::module_& module);
void bind_asking(nanobind::module_& module);

}  // namespace vernier::python
