#include "vernier/engine/cells.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "numbers.hpp"

namespace nb = nanobind;

// Objects of Python as the cells of a column. Each is read by itself, whatever the others are.
namespace vernier::python {
namespace {

using query::Type;
using query::Value;

// None for text that has no UTF-8.
std::optional<std::string_view> text_in(PyObject* cell) {
  Py_ssize_t length = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(cell, &length);
  if (text == nullptr) PyErr_Clear();
  return text == nullptr ? std::nullopt : std::optional(std::string_view(text, static_cast<std::size_t>(length)));
}

// A truth value, a number of 64 bits or a text of Python's; none for everything else.
std::optional<Value> value_in(PyObject* cell) {
  if (PyBool_Check(cell)) return cell == Py_True;
  if (PyFloat_Check(cell)) return PyFloat_AsDouble(cell);
  if (PyLong_Check(cell)) {
    int is_beyond = 0;
    const std::int64_t number = PyLong_AsLongLongAndOverflow(cell, &is_beyond);
    return is_beyond == 0 ? std::optional<Value>(number) : std::nullopt;
  }
  const auto text = PyUnicode_Check(cell) ? text_in(cell) : std::nullopt;
  return text ? std::optional<Value>(std::string(*text)) : std::nullopt;
}

bool is_of_python(PyObject* cell) {
  return PyUnicode_CheckExact(cell) || PyFloat_CheckExact(cell) || PyBool_Check(cell) || PyLong_CheckExact(cell);
}

// `plain` makes one of Python's own values of everything else, or None.
std::optional<Value> value_of_cell(PyObject* cell, const nb::object& plain) {
  if (cell == nullptr || cell == Py_None) return std::nullopt;
  const auto value = is_of_python(cell) ? value_in(cell) : std::nullopt;
  return value ? value : value_in(plain(nb::handle(cell)).ptr());
}

nb::object object_of(const Value& value) {
  if (const auto* const day = std::get_if<query::Day>(&value)) return nb::int_(day->number);
  if (const auto* const truth = std::get_if<bool>(&value)) return nb::bool_(*truth);
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return nb::int_(*number);
  if (const auto* const real = std::get_if<double>(&value)) return nb::float_(*real);
  const auto& text = std::get<std::string>(value);
  return nb::str(text.data(), text.size());
}

nb::list read_cells(const nb::list& cells, const std::string& declared, const nb::object& plain) {
  const std::optional<Type> type = query::type_named(declared);
  nb::list read;
  for (const nb::handle cell : cells) {
    const std::optional<Value> value = type ? value_of_cell(cell.ptr(), plain) : std::nullopt;
    const std::optional<Value> as_it_is = value ? engine::as_declared(*type, *value) : std::nullopt;
    read.append(as_it_is ? object_of(*as_it_is) : nb::none());
  }
  return read;
}

// The buffers of a column of Arrow, as it grows.
class Buffers {
 public:
  Buffers(Type type, std::size_t rows) : type_(type), known_((rows + 7) / 8) {
    if (type == Type::string) ends_.reserve(rows + 1), ends_.push_back(0);
  }

  void add(PyObject* cell, const nb::object& plain) {
    if (type_ == Type::string && cell != nullptr && PyUnicode_CheckExact(cell)) return add_text(text_in(cell));
    const std::optional<Value> value = value_of_cell(cell, plain);
    add_value(value ? engine::as_declared(type_, *value) : std::nullopt);
  }

  // Values, ends of texts, bits that say which there are, and how many are not.
  nb::tuple taken() && {
    return nb::make_tuple(numpy_array(std::move(values_)), numpy_array(std::move(ends_)),
                          numpy_array(std::move(known_)), nulls_);
  }

 private:
  void add_text(const std::optional<std::string_view>& text) {
    if (text) values_.insert(values_.end(), text->begin(), text->end());
    ends_.push_back(static_cast<std::int64_t>(values_.size()));
    count(text.has_value());
  }

  template <class Stored>
  void add_stored(const std::optional<Value>& value, Stored stored) {
    values_.resize(values_.size() + sizeof stored);
    std::memcpy(values_.data() + values_.size() - sizeof stored, &stored, sizeof stored);
    count(value.has_value());
  }

  void add_value(const std::optional<Value>& value) {
    switch (type_) {
      case Type::boolean:
        return add_stored<std::uint8_t>(value, value && std::get<bool>(*value));
      case Type::integer:
        return add_stored<std::int64_t>(value, value ? std::get<std::int64_t>(*value) : 0);
      case Type::real:
        return add_stored<double>(value, value ? std::get<double>(*value) : 0);
      case Type::date:
        return add_stored<std::int32_t>(value, value ? std::get<query::Day>(*value).number : 0);
      case Type::string:
        break;
    }
    add_text(value ? std::optional<std::string_view>(std::get<std::string>(*value)) : std::nullopt);
  }

  void count(bool is_known) {
    if (is_known) known_[row_ / 8] = static_cast<std::uint8_t>(known_[row_ / 8] | 1U << row_ % 8);
    nulls_ += is_known ? 0 : 1;
    ++row_;
  }

  Type type_;
  std::vector<std::uint8_t> values_;
  std::vector<std::int64_t> ends_;
  std::vector<std::uint8_t> known_;
  std::size_t row_ = 0;
  std::int64_t nulls_ = 0;
};

constexpr std::size_t cells_between_signals = std::size_t{1} << 18;

template <class CellAt>
nb::tuple buffers_of(const std::string& declared, std::size_t rows, const nb::object& plain, const CellAt& cell_at) {
  Buffers buffers(*query::type_named(declared), rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const nb::object held = nb::borrow(cell_at(row));  // `plain` may run anything
    buffers.add(held.ptr(), plain);
    if (row % cells_between_signals == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return std::move(buffers).taken();
}

// The objects of an array of one dimension, which stay where they are for so long.
class Objects {
 public:
  explicit Objects(nb::handle array) {
    if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) throw nb::python_error();
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;
  ~Objects() { PyBuffer_Release(&view_); }

  bool are_objects() const { return view_.ndim == 1 && std::string_view(view_.format) == "O"; }
  std::size_t size() const { return static_cast<std::size_t>(view_.shape[0]); }
  nb::handle at(std::size_t row) const {
    PyObject* cell = nullptr;
    std::memcpy(&cell, static_cast<const char*>(view_.buf) + static_cast<Py_ssize_t>(row) * view_.strides[0],
                sizeof cell);
    return cell;
  }

 private:
  Py_buffer view_{};
};

nb::tuple column_of(nb::handle cells, const std::string& declared, const nb::object& plain) {
  if (PyList_Check(cells.ptr())) {
    const nb::list list = nb::borrow<nb::list>(cells);
    const auto at = [&](std::size_t row) {
      return row < list.size() ? nb::handle(PyList_GetItem(list.ptr(), static_cast<Py_ssize_t>(row)))
                               : nb::handle(Py_None);
    };
    return buffers_of(declared, list.size(), plain, at);
  }
  const Objects objects(cells);
  if (!objects.are_objects()) throw nb::type_error("an array of objects of one dimension");
  return buffers_of(declared, objects.size(), plain, [&](std::size_t row) { return objects.at(row); });
}

}  // namespace

void bind_cells(nb::module_& module) {
  module.def("read_cells", &read_cells, nb::arg("cells"), nb::arg("declared"), nb::arg("plain"),
             "What each of the cells is in the declared type, a day as its number since 1970; None where it is nothing "
             "there. `plain` makes a truth value, a number, a text or None of what is none of these.");
  module.def("column_of", &column_of, nb::arg("cells"), nb::arg("declared"), nb::arg("plain"),
             "The same of a list or an array of objects, as buffers of Arrow: values, ends of texts, bits that say "
             "which there are, and how many are not.");
}

}  // namespace vernier::python
