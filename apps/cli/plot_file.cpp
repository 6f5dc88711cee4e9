#include "cli/plot_file.hpp"

#include <fmt/format.h>

#include "cli/file.hpp"

namespace vernier::cli {

Result<std::optional<std::string>> plot_file(const Arguments& arguments) {
  if (!arguments.has("--plot")) return std::nullopt;
  const std::string& path = arguments.one("--plot");
  if (path.ends_with(".svg") || path.ends_with(".SVG")) {
    return check_new(path).map([&] { return std::optional(path); });
  }
  return invalid(fmt::format("--plot draws SVG, so its file must end in .svg, but it is '{}'", path));
}

}  // namespace vernier::cli
