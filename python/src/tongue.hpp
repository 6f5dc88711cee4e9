#pragma once

#include "cli/program_error.hpp"

// What files say in TOML, for somebody who wrote Python.
namespace vernier::python {

std::string python_spelling(std::string_view name, std::string_view value);

}  // namespace vernier::python
