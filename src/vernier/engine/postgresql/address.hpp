#pragma once

#include <string>

namespace vernier::engine {

// Whether all hosts of an address, or those that libpq takes from the environment, are this machine.
bool is_on_this_machine(const std::string& address);

}  // namespace vernier::engine
