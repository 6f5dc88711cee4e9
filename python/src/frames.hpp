#pragma once

#include <map>
#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include "vernier/engine/memory_tables.hpp"

namespace vernier::python {

// Rows that a program gave, to be given back to nobody: Python can hold them, and pass them on to a release.
struct Frame {
  std::shared_ptr<const engine::ArrowTable> rows;
};

// Of a dictionary from the names of tables to frames.
engine::MemoryTables memory_of(const nanobind::dict& frames);

}  // namespace vernier::python
