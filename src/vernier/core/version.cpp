#include "cli/version.hpp"

namespace vernier::cli {

std::string_view version() { return VERNIER_VERSION; }

}  // namespace vernier::cli
