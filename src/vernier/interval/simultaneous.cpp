#include "vernier/interval/simultaneous.hpp"

#include <algorithm>
#include <string>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 53;

}  // namespace

Result<Alpha> each_of(Alpha together, std::int64_t cells, std::int64_t figures_per_cell) {
  if (std::min(cells, figures_per_cell) < 1 || std::max(cells, figures_per_cell) > most) {
    return invalid("intervals that hold at once need from 1 to 2^53 cells and figures per cell, but there are " +
                   std::to_string(cells) + " and " + std::to_string(figures_per_cell));
  }
  if (cells == 1 && figures_per_cell == 1) return together;
  const double part = numeric::divide_up(numeric::log1p_up(-together.value()), static_cast<double>(cells));
  const double of_cell = cells == 1 ? together.value() : -numeric::expm1_up(part);
  return Alpha::of(numeric::divide_down(of_cell, static_cast<double>(figures_per_cell)));
}

}  // namespace vernier::interval
