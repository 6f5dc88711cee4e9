#include "vernier/table/targets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vernier/numeric/normal.hpp"
#include "vernier/table/noise.hpp"

namespace vernier::table {
namespace {

constexpr int most_refinements = 3;
constexpr double refined = 1e-4;  // the part of the cost that a correction of targets is worth
constexpr int most_tries = 60;
constexpr std::size_t watched_first = 16;  // tables, those nearest to their accuracies
constexpr double closed = 1e-5;            // between a factor that is small enough and one that is too large
constexpr double raised = 1 + 0x1p-36;     // more than scales are rounded up by, wherever the design is scaled again

// Some tables of a lattice, with the accuracies that are wanted of all.
struct Watch {
  const Lattice& lattice;
  std::span<const double> wanted;
  Alpha alpha;
  std::vector<std::size_t> tables = {};

  Result<std::vector<double>> reaches(const Design& design) const {
    VERNIER_TRY(const Laws laws, laws_of(lattice, scaled(design, raised).variances));
    return reaches_of(lattice, laws, alpha, tables);
  }
  // The largest of reach / accuracy.
  double over_of(const std::vector<double>& found) const {
    double most = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) most = std::max(most, found[i] / wanted[tables[i]]);
    return most;
  }
  // Where there are no laws, as if it were twice too much.
  double over(const Design& design) const {
    const auto found = reaches(design);
    return found ? over_of(*found) : 2;
  }
};

Watch watch_all(const Lattice& lattice, std::span<const double> wanted, Alpha alpha) {
  Watch watch{lattice, wanted, alpha};
  for (std::size_t i = 0; i < wanted.size(); ++i) watch.tables.push_back(i);
  return watch;
}

// Those whose reaches are nearest to their accuracies, or the furthest above.
std::vector<std::size_t> nearest(const Watch& all, const std::vector<double>& reaches, std::size_t count) {
  std::vector<std::size_t> tables = all.tables;
  std::ranges::sort(tables, std::ranges::greater(), [&](std::size_t i) { return reaches[i] / all.wanted[i]; });
  tables.resize(std::min(count, tables.size()));
  return tables;
}

// The gap of a design against the variances that its own reaches leave room for.
Design with_true_gap(const Lattice& lattice, Design design, std::span<const double> reaches,
                     std::span<const double> accuracies) {
  const std::vector<double> bounds = filled(table_variances(lattice, design.variances), reaches, accuracies);
  design.least = least_cost(lattice, design.multipliers, bounds);
  return design;
}

// Targets for variances, corrected by the reaches that come out, until they fit each other.
Design refined_design(const Watch& all) {
  const double z = numeric::normal_upper_point(std::log(all.alpha.value() / 2));
  std::vector<double> targets;
  for (const double accuracy : all.wanted) targets.push_back(accuracy * accuracy / (z * z));
  Design design = design_for(all.lattice, targets);
  for (int i = 0; i < most_refinements; ++i) {
    const auto reaches = all.reaches(design);
    if (!reaches) break;  // noise beyond what laws take: all of it is made less below
    targets = filled(table_variances(all.lattice, design.variances), *reaches, all.wanted);
    Design next = design_for(all.lattice, targets, design.multipliers);
    const double moved = std::abs(least_cost(all.lattice, design.multipliers, targets) / next.cost - 1);
    design = std::move(next);
    if (moved <= refined) break;
  }
  return design;
}

// Between a factor that is seen to be small enough and one that is seen to be too large. Reaches have steps, so that a
// guess by proportion may stay on one of them: every second try is halfway, and the way to the other side grows.
struct Bracket {
  double low = 0, high = std::numeric_limits<double>::infinity();
  double step = 1e-3;

  void see(double factor, bool is_within) { is_within ? low = std::max(low, factor) : high = std::min(high, factor); }
  bool is_closed() const { return low > 0 && high / low - 1 <= closed; }
  double next(double guess, bool is_even) {
    if (low > 0 && std::isfinite(high)) return low < guess && guess < high && is_even ? guess : std::sqrt(low * high);
    step = std::min(2 * step, 0.5);
    return low > 0 ? std::max(guess, low * (1 + step)) : std::min(guess, high * (1 - step));
  }
};

// The largest factor of the deviations at which the watched reaches are within; 0 where none is found.
double largest_factor(const Watch& watch, const Design& design, double first) {
  Bracket bracket;
  double factor = first;
  for (int i = 0; i < most_tries && !bracket.is_closed(); ++i) {
    const double over = watch.over(scaled(design, factor * factor));
    bracket.see(factor, over <= 1);
    factor = bracket.next(factor / over, i % 2 == 0);
  }
  return bracket.low;
}

// What reaches can be at most: none lies between two steps.
std::vector<double> reachable(const Lattice& lattice, std::span<const double> accuracies) {
  std::vector<double> found;
  for (std::size_t i = 0; i < accuracies.size(); ++i)
    found.push_back(whole_steps(accuracies[i], lattice.cells(lattice.tables()[i])));
  return found;
}

}  // namespace

std::vector<double> filled(std::span<const double> variances, std::span<const double> reaches,
                           std::span<const double> accuracies) {
  std::vector<double> bounds;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const double factor = accuracies[i] / reaches[i];
    bounds.push_back(variances[i] * factor * factor);
  }
  return bounds;
}

// The proportions of the noise come from the duality; how much of it there is, from looking at the reaches themselves,
// below and above: the largest factor at which every one is seen to be within. Few of them decide it; all are looked at
// once it is found, and more are watched where one of the others is beyond.
Result<Design> design_within(const Lattice& lattice, std::span<const double> accuracies, Alpha alpha) {
  const std::vector<double> wanted = reachable(lattice, accuracies);
  const Failure none = invalid("no noise is small enough for this accuracy; ask for a larger one");
  if (std::ranges::find(wanted, 0.0) != wanted.end()) return none;
  const Watch all = watch_all(lattice, wanted, alpha);
  const Design design = refined_design(all);
  Watch watch = all;
  if (const auto reaches = all.reaches(design)) watch.tables = nearest(all, *reaches, watched_first);
  double factor = 1;
  for (std::size_t count = watched_first;; count *= 4) {
    factor = largest_factor(watch, design, factor);
    if (factor == 0) return none;
    Design found = scaled(design, factor * factor);
    VERNIER_TRY(const std::vector<double> reaches, all.reaches(found));
    if (all.over_of(reaches) <= 1) return with_true_gap(lattice, std::move(found), reaches, wanted);
    if (count >= wanted.size()) return none;
    watch.tables = nearest(all, reaches, 4 * count);
  }
}

}  // namespace vernier::table
