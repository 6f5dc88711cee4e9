#include "errors.hpp"

#include <array>

#include "cli/output.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

// By the order of ErrorKind. They live as long as the process: an error may be raised while the interpreter ends.
constexpr std::array class_names = {"InvalidError", "EntropyError", "ExhaustedError", "FailedError"};
std::array<PyObject*, class_names.size()> classes{};

// Without the bytes that could lead a terminal astray; a statement and its caret stay lines.
std::string shown(const Error& error) {
  std::string line = cli::error_line(error);
  constexpr std::string_view prefix = "vernier: ";
  if (line.starts_with(prefix)) line.erase(0, prefix.size());
  if (line.ends_with('\n')) line.pop_back();
  return line;
}

}  // namespace

void bind_errors() {
  const nb::module_ errors = nb::module_::import_("vernier._errors");
  for (std::size_t i = 0; i < class_names.size(); ++i)
    classes[i] = nb::object(errors.attr(class_names[i])).release().ptr();
}

// Bytes that are no UTF-8, such as those of a path, are replaced.
void raise(const Error& error) {
  const std::string sentence = shown(error);
  PyObject* const type = classes[static_cast<std::size_t>(error.kind)];
  PyErr_SetObject(type, nb::steal(PyUnicode_DecodeUTF8(sentence.data(), std::ssize(sentence), "replace")).ptr());
  throw nb::python_error();
}

}  // namespace vernier::python
