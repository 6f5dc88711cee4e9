#include "arrays.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "errors.hpp"
#include "numbers.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

constexpr const char* advice = "give numbers, or an array of them";

template <class Value>
std::vector<Value> copied(nb::handle array) {
  const auto view = nb::cast<nb::ndarray<const Value, nb::c_contig, nb::device::cpu>>(array);
  return {view.data(), view.data() + view.size()};
}

// Unsigned integers beyond 64 signed bits would turn negative.
void check_unsigned(std::string_view name, nb::handle array) {
  const nb::object size = array.attr("size");
  if (nb::cast<std::size_t>(size) == 0) return;
  const nb::object greatest = array.attr("max")();
  if (greatest.attr("item")() > nb::int_(std::numeric_limits<std::int64_t>::max())) {
    raise_invalid(fmt::format("{} has an integer that does not fit in 64 bits; give smaller ones", name));
  }
}

nb::object array_of(std::string_view name, nb::handle several) {
  try {
    return nb::module_::import_("numpy").attr("asarray")(several);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
  }
  raise_invalid(fmt::format("{} has rows of different lengths, or no numbers; {}", name, advice));
}

}  // namespace

bool is_several(nb::handle value) {
  if (value.is_none() || PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr())) return false;
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr()) || PyDict_Check(value.ptr())) return false;
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) return true;
  if (nb::hasattr(value, "ndim")) return !nb::object(value.attr("ndim")).equal(nb::int_(0));
  return nb::hasattr(value, "__len__") && nb::hasattr(value, "__getitem__");
}

void check_length(std::string_view name, nb::handle several) {
  const Py_ssize_t length = PyObject_Size(several.ptr());
  if (length < 0) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError) &&
        !PyErr_ExceptionMatches(PyExc_OverflowError)) {
      nb::raise_python_error();
    }
    PyErr_Clear();
    raise_invalid(fmt::format("{} is {} that does not tell its length; {}", name, kind_of(several), advice));
  }
  if (length > greatest_length) {
    raise_invalid(fmt::format("{} has {} numbers; give at most {} at a time", name, length, greatest_length));
  }
}

Numbers numbers_of(std::string_view name, nb::handle several) {
  check_length(name, several);
  const nb::object array = array_of(name, several);
  const nb::object type = array.attr("dtype");
  const std::string kind = nb::cast<std::string>(type.attr("kind"));
  const nb::tuple shape = array.attr("shape");
  const nb::object astype = array.attr("astype");
  if (kind == "u") check_unsigned(name, array);
  if (kind == "i" || kind == "u") return {copied<std::int64_t>(astype("int64", nb::arg("order") = "C")), shape};
  if (kind == "f") return {copied<double>(astype("float64", nb::arg("order") = "C")), shape};
  raise_invalid(fmt::format("{} is an array of {}; {}", name, nb::str(type).c_str(), advice));
}

}  // namespace vernier::python
