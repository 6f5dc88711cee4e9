#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "cli/asked_study.hpp"

namespace vernier::python {

// Paths and texts come as bytes: a path need not be UTF-8, and the hash of a catalog is that of its bytes.
inline std::string string_of(const nanobind::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
inline nanobind::bytes bytes_of(const std::string& text) { return nanobind::bytes(text.data(), text.size()); }

// A catalog, a study or a record as Python has it: where it lies or would lie, and its text.
using Located = std::pair<nanobind::bytes, nanobind::bytes>;
inline cli::LocatedText located(const Located& file) {
  return {std::filesystem::path(string_of(file.first)), string_of(file.second)};
}

}  // namespace vernier::python
