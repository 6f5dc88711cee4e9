#include "numbers.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "cli/decimal.hpp"
#include "errors.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/rational.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

using numeric::Rational;

constexpr double exact_integers = 0x1p53;  // whole numbers up to here are doubles

[[noreturn]] void raise_no_number(std::string_view name, nb::handle value) {
  raise_invalid(fmt::format("{} is {}; write a number such as 0.5", name, kind_of(value)));
}

// A class of the standard library; it lives as long as the process.
nb::handle class_of(const char* module, const char* name) {
  return nb::object(nb::module_::import_(module).attr(name)).release();
}

bool is_decimal(nb::handle value) {
  static const nb::handle decimal_class = class_of("decimal", "Decimal");
  return nb::isinstance(value, decimal_class);
}

bool is_fraction(nb::handle value) {
  static const nb::handle fraction_class = class_of("fractions", "Fraction");
  return nb::isinstance(value, fraction_class);
}

std::string repr_of(double value) {
  char* const digits = PyOS_double_to_string(value, 'r', 0, 0, nullptr);
  if (digits == nullptr) nb::raise_python_error();
  std::string text(digits);
  PyMem_Free(digits);
  return text;
}

std::string utf8(std::string_view name, nb::handle value) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  raise_invalid(fmt::format("{} is text with half a character in it; write it anew", name));
}

// Whatever a subclass would rather show. Python itself refuses to write integers of thousands of digits.
std::string digits_of(std::string_view name, nb::handle integer) {
  static const auto repr = reinterpret_cast<reprfunc>(PyType_GetSlot(&PyLong_Type, Py_tp_repr));
  PyObject* const digits = PyLong_Check(integer.ptr()) ? repr(integer.ptr()) : nullptr;
  if (digits != nullptr) return utf8(name, nb::steal(digits));
  PyErr_Clear();
  raise_invalid(fmt::format("{} is an integer of thousands of digits; write a smaller number", name));
}

bool is_plain(nb::handle value) {
  return PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr()) || PyUnicode_Check(value.ptr());
}

// The one number of an array without dimensions, or a scalar of numpy: 0.1 for a float32 that shows as 0.1.
nb::object plain_of_numpy(std::string_view name, nb::handle value) {
  const nb::object scalar = value[nb::tuple()];
  if (is_plain(scalar)) return scalar;
  const std::string kind = utf8(name, scalar.attr("dtype").attr("kind"));
  if (kind == "i" || kind == "u") return scalar.attr("item")();
  if (kind == "f") return nb::str(scalar);
  raise_no_number(name, value);
}

bool is_numpy_scalar(nb::handle value) {
  static const nb::handle scalar = class_of("numpy", "generic");
  static const nb::handle array = class_of("numpy", "ndarray");
  return (nb::isinstance(value, scalar) || nb::isinstance(value, array)) && nb::cast<int>(value.attr("ndim")) == 0;
}

// A double, an integer or text: what every kind of number but a fraction comes to.
nb::object plain(std::string_view name, nb::handle value) {
  if (PyBool_Check(value.ptr())) raise_no_number(name, value);
  if (is_plain(value)) return nb::borrow(value);
  if (is_decimal(value)) return nb::str(value);
  if (is_numpy_scalar(value)) return plain_of_numpy(name, value);
  PyObject* const index = PyIndex_Check(value.ptr()) ? PyNumber_Index(value.ptr()) : nullptr;
  if (index != nullptr) return nb::steal(index);
  if (PyErr_Occurred() != nullptr && !PyErr_ExceptionMatches(PyExc_TypeError)) nb::raise_python_error();
  PyErr_Clear();
  raise_no_number(name, value);
}

// Of what `plain` gives.
std::string text_of(std::string_view name, nb::handle value) {
  if (PyFloat_Check(value.ptr())) return repr_of(PyFloat_AsDouble(value.ptr()));
  return PyLong_Check(value.ptr()) ? digits_of(name, value) : utf8(name, value);
}

// A float or a small integer, if it is one.
std::optional<double> quick(nb::handle value) {
  if (PyFloat_Check(value.ptr())) return PyFloat_AsDouble(value.ptr());
  if (!PyLong_CheckExact(value.ptr())) return std::nullopt;
  int overflow = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  const auto nearest = static_cast<double>(whole);
  return overflow == 0 && std::abs(nearest) < exact_integers ? std::optional(nearest) : std::nullopt;
}

Rational ratio(std::string_view name, nb::handle fraction) {
  const auto part = [&](const char* of) { return value_of(Rational::of_decimal(digits_of(name, fraction.attr(of)))); };
  return value_of(quotient(part("numerator"), part("denominator")));
}

cli::Decimal decimal_of_fraction(std::string_view name, nb::handle value) {
  const Rational exact = ratio(name, value);
  if (exact < Rational::of(0)) {
    raise_invalid(fmt::format("{} must not be negative, but it is {}", name, exact.text()));
  }
  const cli::Decimal around{nearest(exact), exact.round_down(), exact.round_up()};
  if (!std::isfinite(around.up)) raise_invalid(fmt::format("{} is beyond the range of a double", name));
  return around;
}

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

// Without its module, and without asking the class itself, which may say anything.
std::string name_of_class(nb::handle value) {
#if defined(Py_LIMITED_API) || PY_VERSION_HEX >= 0x030B0000
  const nb::object name = nb::steal(PyType_GetName(Py_TYPE(value.ptr())));
  return name.is_valid() ? utf8("the name of a class", name) : std::string();
#else
  const std::string_view name = Py_TYPE(value.ptr())->tp_name;  // of a class in C its module comes first
  return std::string(name.substr(name.rfind('.') + 1));
#endif
}

}  // namespace

std::string kind_of(nb::handle value) {
  if (value.is_none()) return "None";
  const std::string name = name_of_class(value);
  const bool is_vowel = !name.empty() && std::string_view("aeiouAEIOU").find(name.front()) != std::string_view::npos;
  return fmt::format("{} {}", is_vowel || name == "ndarray" ? "an" : "a", name);
}

cli::Decimal decimal(std::string_view name, nb::handle value) {
  if (const std::optional<double> typed = quick(value); typed && std::isfinite(*typed) && !std::signbit(*typed)) {
    return cli::typed_decimal(*typed);
  }
  if (is_fraction(value)) return decimal_of_fraction(name, value);
  return value_of(cli::read_decimal(name, text_of(name, plain(name, value))));
}

cli::Written written(std::string_view name, nb::handle value) {
  const cli::Decimal read = decimal(name, value);
  if (!is_plain(value) && is_fraction(value)) return {ratio(name, value).text(), read};
  return {text_of(name, plain(name, value)), read};
}

double real(std::string_view name, nb::handle value) {
  if (const std::optional<double> typed = quick(value); typed && std::isfinite(*typed)) return *typed;
  if (is_fraction(value)) return nearest(ratio(name, value));
  return value_of(read_number(name, text_of(name, plain(name, value))));
}

std::int64_t whole(std::string_view name, nb::handle value) {
  if (const std::optional<double> typed = quick(value);
      typed && std::trunc(*typed) == *typed && std::abs(*typed) < exact_integers) {
    return static_cast<std::int64_t>(*typed);
  }
  return value_of(cli::read_whole(name, number_text(name, value)));
}

std::string number_text(std::string_view name, nb::handle value) {
  if (is_plain(value) || !is_fraction(value)) return text_of(name, plain(name, value));
  const std::string lowest = ratio(name, value).text();
  if (lowest.find('/') == std::string::npos) return lowest;
  raise_invalid(fmt::format("{} is the fraction {}; write it as a decimal number such as 0.5", name, lowest));
}

std::string text(std::string_view name, nb::handle value, std::string_view example) {
  if (PyUnicode_Check(value.ptr())) return utf8(name, value);
  raise_invalid(fmt::format("{} is {}; write text such as \"{}\"", name, kind_of(value), example));
}

void bind_numbers(nb::module_& module) {
  const auto as_written = [](const std::string& name, nb::handle value) { return number_text(name, value); };
  module.def("number_text", as_written, nb::arg("name"), nb::arg("value").none(),
             "A number as it is written, for the readers of the command line; `name` is what a sentence calls it.");
  module.def("kind_of", &kind_of, nb::arg("value").none(), "What a sentence calls a value: a list, an int, None.");
}

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
