#include "errors.hpp"

#include <array>
#include <string_view>

#include "cli/program_error.hpp"
#include "tongue.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

// By the order of ErrorKind. They live as long as the process: an error may be raised while the interpreter ends.
constexpr std::array class_names = {"InvalidError", "EntropyError", "ExhaustedError",
                                    "file_error",   "FailedError",  "FailedError"};
std::array<PyObject*, class_names.size()> classes{};  // or functions that make an error of one

// Bytes that are no UTF-8, such as those of a path, are replaced.
nb::object text_of(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), std::ssize(text), "replace"));
}

nb::object place_of(const Error& error) {
  if (!error.place) return nb::none();
  const Place& place = error.place->place;
  return nb::make_tuple(text_of(error.place->file), place.line, place.column);
}

nb::object exception_of(const Error& error, bool of_program) {
  const Error placed = cli::without_invented_places(error);
  const auto spelling = of_program ? python_spelling : keyword_spelling;
  const auto part = [&](const std::string& text) { return text_of(spelled(text, spelling)); };
  nb::object type = nb::borrow(classes[static_cast<std::size_t>(error.kind)]);
  nb::object made = type(text_of(cli::program_text(placed, spelling)));
  made.attr("kind") = text_of(name_of(error.kind));
  made.attr("subject") = part(error.subject);
  made.attr("problem") = part(error.problem);
  made.attr("advice") = part(error.advice);
  made.attr("place") = place_of(placed);
  nb::list details, others;
  for (const std::string& line : error.details) details.append(text_of(line));
  for (const Error& other : error.others) others.append(exception_of(other, of_program));
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
  const nb::object made = exception_of(error, cli::is_of_program(error));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

}  // namespace vernier::python
