#include "errors.hpp"

#include <array>
#include <filesystem>
#include <string_view>

#include "cli/output.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

// By the order of ErrorKind. They live as long as the process: an error may be raised while the interpreter ends.
constexpr std::array class_names = {"InvalidError", "EntropyError", "ExhaustedError",
                                    "FailedError",  "FailedError",  "FailedError"};
std::array<PyObject*, class_names.size()> classes{};

// Bytes that are no UTF-8, such as those of a path, are replaced.
nb::object text_of(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), std::ssize(text), "replace"));
}

// What stands in no file has no place: the texts of catalogs and studies that a program made are named so.
bool is_in_a_file(const Location& place) {
  const std::filesystem::path name = std::filesystem::path(place.file).filename();
  return name != "<catalog>" && name != "<study>";
}

Error without_places(Error error) {
  if (error.place && !is_in_a_file(*error.place)) error.place.reset();
  for (Error& other : error.others) other = without_places(std::move(other));
  return error;
}

nb::object place_of(const Error& error) {
  if (!error.place) return nb::none();
  const Place& place = error.place->place;
  return nb::make_tuple(text_of(error.place->file), place.line, place.column);
}

// Without the bytes that could lead a terminal astray; a statement and its caret stay lines.
std::string shown(const Error& error) {
  std::string text = cli::error_text(error, keyword_spelling);
  for (const Error& other : error.others) text += "\n" + cli::error_text(other, keyword_spelling);
  return text;
}

nb::object exception_of(const Error& error) {
  nb::object type = nb::borrow(classes[static_cast<std::size_t>(error.kind)]);
  nb::object made = type(text_of(shown(error)));
  made.attr("kind") = text_of(name_of(error.kind));
  made.attr("subject") = text_of(spelled(error.subject, keyword_spelling));
  made.attr("problem") = text_of(spelled(error.problem, keyword_spelling));
  made.attr("advice") = text_of(spelled(error.advice, keyword_spelling));
  made.attr("place") = place_of(error);
  nb::list details, others;
  for (const std::string& line : error.details) details.append(text_of(line));
  for (const Error& other : error.others) others.append(exception_of(other));
  made.attr("details") = nb::tuple(details);
  made.attr("others") = nb::tuple(others);
  return made;
}

}  // namespace

void bind_errors() {
  const nb::module_ errors = nb::module_::import_("vernier._errors");
  for (std::size_t i = 0; i < class_names.size(); ++i)
    classes[i] = nb::object(errors.attr(class_names[i])).release().ptr();
}

void raise(const Error& error) {
  const nb::object made = exception_of(without_places(error));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

}  // namespace vernier::python
