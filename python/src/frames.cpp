#include "frames.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "vernier/engine/as_declared.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

constexpr const char* capsule_name = "arrow_array_stream";  // by the Arrow PyCapsule interface

// Taking a stream runs code of the library that made it, which may be Python's, so the GIL is held.
Frame taken(nb::handle capsule) {
  void* const stream =
      PyCapsule_IsValid(capsule.ptr(), capsule_name) != 0 ? PyCapsule_GetPointer(capsule.ptr(), capsule_name) : nullptr;
  if (stream == nullptr)
    raise_invalid("a frame is no stream of Arrow; give a pandas or polars frame, or an Arrow table");
  return {value_of(engine::ArrowTable::take(static_cast<ArrowArrayStream*>(stream)))};
}

// A truth value, a number or a text of Python's; none for everything else, and for text that has no UTF-8.
std::optional<query::Value> value_in(PyObject* cell) {
  if (PyBool_Check(cell)) return cell == Py_True;
  if (PyFloat_Check(cell)) return PyFloat_AS_DOUBLE(cell);
  if (PyLong_Check(cell)) {
    int is_beyond = 0;
    const std::int64_t number = PyLong_AsLongLongAndOverflow(cell, &is_beyond);
    return is_beyond == 0 ? std::optional<query::Value>(number) : std::nullopt;
  }
  if (!PyUnicode_Check(cell)) return std::nullopt;
  Py_ssize_t length = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(cell, &length);
  if (text == nullptr) PyErr_Clear();
  return text == nullptr ? std::nullopt
                         : std::optional<query::Value>(std::string(text, static_cast<std::size_t>(length)));
}

nb::object object_of(const query::Value& value) {
  if (const auto* const day = std::get_if<query::Day>(&value)) return nb::int_(day->number);
  if (const auto* const truth = std::get_if<bool>(&value)) return nb::bool_(*truth);
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return nb::int_(*number);
  if (const auto* const real = std::get_if<double>(&value)) return nb::float_(*real);
  const auto& text = std::get<std::string>(value);
  return nb::str(text.data(), text.size());
}

nb::list read_cells(const nb::list& cells, const std::string& declared) {
  const std::optional<query::Type> type = query::type_named(declared);
  nb::list read;
  for (const nb::handle cell : cells) {
    const std::optional<query::Value> value = type ? value_in(cell.ptr()) : std::nullopt;
    const std::optional<query::Value> as_it_is = value ? engine::as_declared(*type, *value) : std::nullopt;
    read.append(as_it_is ? object_of(*as_it_is) : nb::none());
  }
  return read;
}

}  // namespace

engine::MemoryTables memory_of(const nb::dict& frames) {
  engine::MemoryTables memory;
  for (const auto& [name, frame] : frames) memory[nb::cast<std::string>(name)] = nb::cast<const Frame&>(frame).rows;
  return memory;
}

void bind_frames(nb::module_& module) {
  nb::class_<Frame>(module, "Frame", "Rows in memory that a release may read. Nothing of them can be asked here.");
  module.def("take_frame", &taken, nb::arg("capsule").none(),
             "Takes the rows out of a capsule of Arrow's, without a copy.");
  module.def("read_cells", &read_cells, nb::arg("cells"), nb::arg("declared"),
             "What each of the cells is in the declared type, a day as its number since 1970; None where it is nothing "
             "there.");
}

}  // namespace vernier::python
