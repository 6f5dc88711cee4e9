#include "cli/neighbours.hpp"

#include <fmt/format.h>

#include "cli/errors.hpp"

namespace vernier::cli {

using privacy::Neighbours;

Result<Neighbours> neighbours_named(std::string_view name, const std::string& text) {
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace}) {
    if (name_of(neighbours) == text) return neighbours;
  }
  return invalid(fmt::format("{} must be add-remove or replace, but it is '{}'{}", name, text,
                             suggestion(text, neighbour_names())));
}

std::vector<std::string> neighbour_names() { return {"add-remove", "replace"}; }

}  // namespace vernier::cli
