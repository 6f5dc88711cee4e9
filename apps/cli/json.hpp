#pragma once

#include "cli/output.hpp"
#include "vernier/core/json_writer.hpp"

namespace vernier::cli {

// JSON into the output.
class JsonWriter : public vernier::JsonWriter {
 public:
  explicit JsonWriter(Output& output) : vernier::JsonWriter([&output](std::string_view text) { output.write(text); }) {}
};

}  // namespace vernier::cli
