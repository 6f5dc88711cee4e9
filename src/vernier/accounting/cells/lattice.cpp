#include "vernier/accounting/cells/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "vernier/accounting/loss/quick.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::cells {
namespace {

using numeric::unit_roundoff;

constexpr double least_kept = 1e-150;                  // products of two such masses are normal doubles
constexpr double least_steps = 16, most_points = 2e5;  // of one release
constexpr double on_lattice = 1e-9;                    // of a step: nearer losses are at the point below
constexpr double far = 4;  // steps: no mass is moved down from further above to balance a point
constexpr double trimmed_share = 1.0 / 32;

// out[i + j] += rows[i] columns[j]: four rows at once, in tiles of columns that stay in the cache.
struct Convolution {
  static constexpr std::size_t rows_at_once = 4, tile = 2048;

  // `columns` has three zeros before its first number and after its last, and `out` room for as much.
  [[gnu::always_inline]] static void run(const double* __restrict rows, std::size_t row_count,
                                         const double* __restrict columns, std::size_t column_count,
                                         double* __restrict out) {
    for (std::size_t start = 0; start < column_count + 3; start += tile) {
      const std::size_t end = std::min(start + tile, column_count + 3);
      for (std::size_t i = 0; i < row_count; i += rows_at_once) {
        const double a = rows[i], b = rows[i + 1], c = rows[i + 2], d = rows[i + 3];
        double* __restrict to = out + i;
        const double* __restrict from = columns;
        for (std::size_t j = start; j < end; ++j) {
          to[j] += a * from[j + 3] + b * from[j + 2] + c * from[j + 1] + d * from[j];
        }
      }
    }
  }
};

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double>&longer = a.size() < b.size() ? b : a, &shorter = a.size() < b.size() ? a : b;
  std::vector<double> rows(shorter), columns(longer.size() + 6, 0.0);
  rows.resize((shorter.size() + Convolution::rows_at_once - 1) / Convolution::rows_at_once * Convolution::rows_at_once);
  std::copy(longer.begin(), longer.end(), columns.begin() + 3);
  std::vector<double> out(rows.size() + longer.size() + 3, 0.0);
  quick::PerIsa<Convolution>::run(noise::kernels::best_isa(), rows.data(), rows.size(), columns.data(), longer.size(),
                                  out.data());
  out.resize(a.size() + b.size() - 1);
  return out;
}

double count_of(const std::vector<double>& masses) { return static_cast<double>(masses.size()); }

}  // namespace

namespace {

bool are_even(const DiscreteLoss& law) {
  const double first = law.losses.front(), spacing = (law.losses.back() - first) / static_cast<double>(law.size() - 1);
  return std::all_of(law.losses.begin(), law.losses.end(), [&](double loss) {
    const double place = (loss - first) / spacing;
    return std::fabs(place - std::nearbyint(place)) < 1e-10;
  });
}

// Whether no two neighbours are more than twice as far apart as they are on average.
bool are_nearly_even(const DiscreteLoss& law) {
  const double spacing = (law.losses.back() - law.losses.front()) / static_cast<double>(law.size() - 1);
  return std::adjacent_find(law.losses.begin(), law.losses.end(),
                            [&](double one, double next) { return next - one > 2 * spacing; }) == law.losses.end();
}

}  // namespace

// Losses that are evenly spaced, and not too many, have a lattice of their own. On a finer one than the law's atoms too
// many of these lie alone between two points.
std::optional<LatticePowers> LatticePowers::of(const DiscreteLoss& law, const Wish& wish, End end) {
  if (law.size() < 2 || !(wish.least_mass > 1e3 * least_kept)) return std::nullopt;
  const double range = law.losses.back() - law.losses.front(), own = static_cast<double>(law.size() - 1);
  const double wished = std::max(least_steps, std::ceil(range / wish.step));
  if (own <= 2 * wished && are_even(law)) return with_steps(own, law, wish, end);
  if (auto powers = with_steps(wished, law, wish, end)) return powers;
  return own >= least_steps && own < wished && are_nearly_even(law) ? with_steps(own, law, wish, end) : std::nullopt;
}

// For the upper end all points are a hair above where they should be, and for the lower end a hair below, so that a
// loss at one of them is on its other side.
std::optional<LatticePowers> LatticePowers::with_steps(double steps, const DiscreteLoss& law, const Wish& wish,
                                                       End end) {
  if (!(steps < most_points)) return std::nullopt;
  const double first = law.losses.front(), range = law.losses.back() - first;
  const double hair = 64 * unit_roundoff * (std::fabs(first) + std::fabs(law.losses.back()));
  const bool is_above = end == End::upper;
  LatticePowers powers(is_above ? first + hair : first - hair, (is_above ? range + hair : range - hair) / steps,
                       wish.least_mass, end);
  powers.squares_.push_back({{std::vector<double>(static_cast<std::size_t>(steps) + 1, 0.0), 0, law.infinite}, 1});
  if (!(is_above ? powers.put_above(law) : powers.put_below(law, wish.least_lowering))) return std::nullopt;
  powers.trim(powers.squares_.front());
  return powers;
}

double LatticePowers::rounding_at(double loss) const {
  return 8 * unit_roundoff * (std::fabs(loss) + 2 * std::fabs(origin_));
}

// Each loss is spread to the points around it, its mean of e^-loss kept, or moved up to one that is near.
bool LatticePowers::put_above(const DiscreteLoss& law) {
  std::vector<double>& masses = squares_.front().law.masses;
  const std::size_t last = masses.size() - 1;
  const double rise_of_step = -std::expm1(-step_);
  for (std::size_t i = 0; i < law.size(); ++i) {
    const double loss = law.losses[i], rounding = rounding_at(loss);
    // The first point that is certainly not below the loss.
    const double place = std::max(0.0, std::ceil((loss - origin_ + rounding) / step_ * (1 + 4 * unit_roundoff)));
    if (!(place <= static_cast<double>(last))) return false;
    const auto point = static_cast<std::size_t>(place);
    if (point == 0 || loss_at(point) - loss <= 2 * on_lattice * step_) {
      masses[point] += law.masses[i];
      continue;
    }
    const double above = std::max(0.0, loss - loss_at(point - 1)) + rounding;
    const double share = std::min(1.0, -std::expm1(-above) / rise_of_step * (1 + 16 * unit_roundoff));
    masses[point - 1] += law.masses[i] * (1 - share);
    masses[point] += law.masses[i] * share;
  }
  const double grown = 1 + (static_cast<double>(law.size()) + 16) * unit_roundoff;
  for (double& mass : masses) mass *= grown;
  return true;
}

// Each point takes the losses around it whose mean of e^-loss is its own, as they come; where none above are left to
// balance those below it, they go down to the point before.
bool LatticePowers::put_below(const DiscreteLoss& law, double least_lowering) {
  std::vector<double>& masses = squares_.front().law.masses;
  const std::size_t last = masses.size() - 1;
  // The last point that is certainly not above a loss.
  const auto point_below = [&](double loss) {
    const double place = std::floor((loss - origin_ - rounding_at(loss)) / step_ * (1 - 4 * unit_roundoff));
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(last)));
  };
  double lowered = 0;
  double group = 0, lacking = 0;  // the mass that a point is to take, and the sum of mass (e^-(loss - point) - 1)
  std::size_t point = 0;
  const auto give_up = [&] {
    if (!(group > 0)) return;
    masses[point - 1] += group;
    lowered += std::max(0.0, group * step_ - lacking);
    group = lacking = 0;
  };
  for (std::size_t i = 0; i < law.size(); ++i) {
    const double loss = law.losses[i];
    double mass = law.masses[i];
    const std::size_t below = point_below(loss);
    const double beside = loss - loss_at(below);
    if (beside <= 2 * on_lattice * step_ || below == last) {  // at a point, or beyond the last one
      masses[below] += mass;
      lowered += mass * std::max(beside, 0.0);
      continue;
    }
    if (group > 0 && loss > loss_at(point) + far * step_) give_up();
    if (group > 0 && below >= point) {
      const double balance = std::max(0.0, -std::expm1(loss_at(point) - loss) * (1 - 1e-12) - rounding_at(loss));
      const double needed = balance > 0 ? std::max(lacking, 0.0) * (1 + 1e-12) / balance : mass;
      if (!(needed < mass)) {
        group += mass;
        lacking -= mass * balance;
        continue;
      }
      masses[point] += group + needed * (1 - 4 * unit_roundoff);
      mass -= needed * (1 + 4 * unit_roundoff);
      group = lacking = 0;
      if (!(mass > 0)) continue;
    }
    if (group == 0) point = below + 1;
    group += mass;
    lacking += mass * (std::expm1(loss_at(point) - loss) * (1 + 1e-12) + rounding_at(loss));
  }
  give_up();
  const double shrunk = 1 - (static_cast<double>(law.size()) + 16) * unit_roundoff;
  for (double& mass : masses) mass *= shrunk;
  return lowered <= least_lowering;
}

// Little mass at the ends: the upper end moves it up, to the first point that is kept or to infinity, the lower end
// leaves it out.
void LatticePowers::trim(Many& many) const {
  std::vector<double>& masses = many.law.masses;
  const double share = trimmed_share * least_mass_ * many.times;
  double moved = 0;
  for (double& mass : masses) {
    if (mass >= least_kept) continue;
    moved += mass;
    mass = 0;
  }
  std::size_t end = masses.size(), first = 0;
  for (double sum = 0; end > 1 && (sum += masses[end - 1]) <= share; --end) moved += masses[end - 1];
  double below = 0;
  while (first + 1 < end && below + masses[first] <= share) below += masses[first++];
  masses.erase(masses.begin() + static_cast<std::ptrdiff_t>(end), masses.end());
  masses.erase(masses.begin(), masses.begin() + static_cast<std::ptrdiff_t>(first));
  many.law.first += static_cast<double>(first);
  if (end_ == End::lower) return;
  const double terms = static_cast<double>(first) + count_of(masses) + 16;
  if (below > 0) masses.front() += below * (1 + terms * unit_roundoff);
  many.law.infinite = numeric::add_up(many.law.infinite, moved * (1 + 1e-9));
}

std::optional<LatticePowers::Many> LatticePowers::sum(const Many& a, const Many& b, double& products_left) const {
  products_left -= (count_of(a.law.masses) + 64) * (count_of(b.law.masses) + 64);
  if (products_left < 0) return std::nullopt;
  Many result{{convolved(a.law.masses, b.law.masses), a.law.first + b.law.first,
               infinite_of_either(a.law.infinite, b.law.infinite, end_)},
              a.times + b.times};
  const double error = (std::min(count_of(a.law.masses), count_of(b.law.masses)) + 16) * unit_roundoff;
  for (double& mass : result.law.masses) mass *= end_ == End::upper ? 1 + error : 1 - error;
  trim(result);
  return result;
}

DiscreteLoss LatticePowers::with_losses(const Many& many) const {
  DiscreteLoss result{{}, {}, many.law.infinite};
  const double origin = many.times * origin_;
  for (std::size_t i = 0; i < many.law.masses.size(); ++i) {
    if (!(many.law.masses[i] > 0)) continue;
    const double along = (many.law.first + static_cast<double>(i)) * step_;
    const double error = 4 * unit_roundoff * (std::fabs(origin) + along);
    result.losses.push_back(origin + along + (end_ == End::upper ? error : -error));
    result.masses.push_back(many.law.masses[i]);
  }
  return result;
}

std::optional<DiscreteLoss> LatticePowers::power(double times, double& products_left) {
  std::optional<Many> result;
  std::size_t square = 0;
  for (double left = times; left >= 1; left = std::floor(left / 2), ++square) {
    if (square == squares_.size()) {
      std::optional<Many> next = sum(squares_.back(), squares_.back(), products_left);
      if (!next) return std::nullopt;
      squares_.push_back(*std::move(next));
    }
    if (std::fmod(left, 2) == 0) continue;
    result = result ? sum(*result, squares_[square], products_left) : squares_[square];
    if (!result) return std::nullopt;
  }
  return with_losses(*result);
}

}  // namespace vernier::accounting::cells
