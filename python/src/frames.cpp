#include "frames.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "errors.hpp"

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
}

}  // namespace vernier::python
