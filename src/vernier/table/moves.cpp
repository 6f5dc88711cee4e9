#include "vernier/table/moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/mechanism/gaussian.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::table {
namespace {

constexpr double charged_move = 1 + 0x1p-40;

// The columns that have contrasts, and what a residual's squared difference is worth: 1 over the variance of a
// coordinate of y / N, from above.
struct Worth {
  std::vector<std::size_t> columns;
  std::vector<double> worth;
};

// With the square of each scale less by so much; infinite where nothing is left.
Worth worth_of(const Lattice& lattice, const Laws& laws, double less) {
  Worth found;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const double left = laws[i].scale() * laws[i].scale() - less;
    const auto cells = static_cast<double>(lattice.cells(lattice.residuals()[i]));
    found.worth.push_back(left > 0 ? cells * cells / left * charged_move : std::numeric_limits<double>::infinity());
    for (const std::size_t column : lattice.residuals()[i]) found.columns.push_back(column);
  }
  std::ranges::sort(found.columns);
  found.columns.erase(std::unique(found.columns.begin(), found.columns.end()), found.columns.end());
  return found;
}

// Half of the squared distance of two unit vectors after P_A, where rows agree in these columns: p_A less the product
// of 1 - 1/n or -1/n.
double half_distance(const Lattice& lattice, std::size_t residual, const std::vector<bool>& agrees) {
  double product = 1;
  for (const std::size_t column : lattice.residuals()[residual]) {
    product *= (agrees[column] ? 1.0 : 0.0) - 1 / static_cast<double>(lattice.keys()[column]);
  }
  return lattice.price(residual) - product;
}

// The greatest half distance: rows that differ in one column alone, that of the fewest keys.
double greatest_half_distance(const Lattice& lattice, std::size_t residual) {
  const Columns& set = lattice.residuals()[residual];
  if (set.empty()) return 0;
  std::int64_t fewest = lattice.keys()[set.front()];
  for (const std::size_t column : set) fewest = std::min(fewest, lattice.keys()[column]);
  return lattice.price(residual) * (1 + 1 / static_cast<double>(fewest - 1));
}

// Of one row that comes or goes: its squared length.
double of_one_row(const Lattice& lattice, const Worth& known) {
  double sum = 0;
  for (std::size_t i = 0; i < known.worth.size(); ++i) sum += known.worth[i] * lattice.price(i);
  return sum * charged_move;
}

// Of two rows that are as far apart as any.
double of_two_rows(const Lattice& lattice, const Worth& known) {
  constexpr double most_work = 1 << 22;
  const std::size_t residuals = known.worth.size(), columns = known.columns.size();
  double greatest = 0;
  if (columns > 20 || std::ldexp(static_cast<double>(residuals), static_cast<int>(columns)) > most_work) {
    for (std::size_t i = 0; i < residuals; ++i) greatest += 2 * known.worth[i] * greatest_half_distance(lattice, i);
    return greatest * charged_move;
  }
  std::vector<bool> agrees(lattice.keys().size(), false);
  for (std::size_t pattern = 0; pattern < (std::size_t{1} << columns); ++pattern) {
    for (std::size_t k = 0; k < columns; ++k) agrees[known.columns[k]] = ((pattern >> k) & 1) != 0;
    double sum = 0;
    for (std::size_t i = 0; i < residuals; ++i) sum += 2 * known.worth[i] * half_distance(lattice, i, agrees);
    greatest = std::max(greatest, sum);
  }
  return greatest * charged_move;
}

// The greatest squared length of what one row of a unit can move.
double squared_move(const Lattice& lattice, const Laws& laws, privacy::Neighbours neighbours, double less) {
  const Worth known = worth_of(lattice, laws, less);
  const double one = of_one_row(lattice, known);
  if (neighbours != privacy::Neighbours::replace || std::isinf(one)) return one;
  return std::max(one, of_two_rows(lattice, known));
}

double all_cells(const Lattice& lattice) {
  double cells = 0;
  for (const Columns& set : lattice.residuals()) cells += static_cast<double>(lattice.cells(set));
  return cells;
}

Result<std::vector<accounting::Event>> as_gaussian(double squared, privacy::Neighbours neighbours) {
  constexpr double least_epsilon = 1e-10;  // that can be stated
  VERNIER_TRY(const Sigma scale, Sigma::of(numeric::sqrt_down(numeric::divide_down(1, squared))));
  VERNIER_TRY(const auto moved, privacy::L2Sensitivity::of(1));
  VERNIER_TRY(const auto gaussian,
              accounting::Event::of(mechanism::GaussianMechanism::at_scale(scale, moved), neighbours));
  VERNIER_TRY(const auto epsilon, privacy::Epsilon::of(least_epsilon));
  VERNIER_TRY(const auto delta, privacy::Delta::of(leak));
  VERNIER_TRY(const auto known, accounting::Event::of(accounting::ApproximateStatement{epsilon, delta}, neighbours));
  return std::vector{gaussian, known};
}

Result<std::vector<accounting::Event>> as_zcdp(double squared, privacy::Neighbours neighbours) {
  VERNIER_TRY(const auto rho, privacy::Rho::of(squared / 2));
  VERNIER_TRY(const auto event, accounting::Event::of(accounting::ZcdpStatement{rho}, neighbours));
  return std::vector{event};
}

}  // namespace

double squared_rounding(double integers) {
  constexpr double raised = 1 + 0x1p-40, squared_pi = std::numbers::pi * std::numbers::pi;
  return std::log(8 * integers / leak) / (2 * squared_pi) * raised;
}

double rho_of_replacing(const Lattice& lattice, const Laws& laws) {
  return squared_move(lattice, laws, privacy::Neighbours::replace, 0) / 2;
}

Result<std::vector<accounting::Event>> events_of_any_rows(const Lattice& lattice, const Laws& laws,
                                                          privacy::Neighbours neighbours, std::int64_t rows) {
  constexpr double dearer = 1.1;  // in squared length, about what converting zCDP takes
  const double times = static_cast<double>(rows) * static_cast<double>(rows) * charged_move;
  const double plain = times * squared_move(lattice, laws, neighbours, 0);
  const double wide = times * squared_move(lattice, laws, neighbours, squared_rounding(all_cells(lattice)));
  return wide <= dearer * plain ? as_gaussian(wide, neighbours) : as_zcdp(plain, neighbours);
}

Result<std::vector<accounting::Event>> events_of_unit(const Lattice& lattice, const Laws& laws,
                                                      privacy::Neighbours neighbours, std::int64_t rows) {
  if (rows > 1) return events_of_any_rows(lattice, laws, neighbours, rows);
  return events_of(lattice, laws, neighbours);
}

}  // namespace vernier::table
