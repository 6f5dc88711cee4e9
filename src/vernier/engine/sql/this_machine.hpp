#pragma once

#include <string_view>

namespace vernier::engine {

// Whether a host is the machine itself: localhost, or an address of the loopback as it is written. A name that only
// begins like one is another machine.
bool is_this_machine(std::string_view host);

}  // namespace vernier::engine
