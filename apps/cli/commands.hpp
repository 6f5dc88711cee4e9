#pragma once

#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

struct Command {
  Usage usage;
  Result<void> (*run)(const Arguments&, Output&);
};

std::vector<Command> commands();

}  // namespace vernier::cli
