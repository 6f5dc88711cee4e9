#include "vernier/denoise/lattice_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vernier::denoise {
namespace {

constexpr double part_left_out = 1e-6;      // of alpha
constexpr double most_shift = 0.15;         // of a deviation, by all roundings together
constexpr std::int64_t most_masses = 4000;  // of one draw, on either side
constexpr double charged = 1 + 1e-9;        // for roundings: the page counts 1e-10

// One draw: its masses from above, and what lies beyond them.
struct Draw {
  std::vector<double> masses;  // at 0, 1, ..., and at their negatives
  double size;
  double beyond;
  std::int64_t times;
};

template <class Law>
std::optional<Draw> draw_of(const Law& law, const Term& term, double beyond) {
  const Result<std::int64_t> reach = law.two_sided_quantile(*Probability::of(beyond));
  if (!reach || *reach > most_masses) return std::nullopt;
  Draw draw{{}, term.size, law.outside(*reach).upper, term.draws};
  for (std::int64_t x = 0; x <= *reach; ++x) draw.masses.push_back(law.mass(x).upper);
  return draw;
}

std::optional<Draw> draw_of(const Term& term, double beyond) {
  if (term.is_geometric) return draw_of(*noise::Geometric::of(*LaplaceScale::of(term.scale)), term, beyond);
  return draw_of(*noise::DiscreteGaussian::of(*Sigma::of(term.scale)), term, beyond);
}

// The law of the sum so far, on multiples of the step from -end to end; beyond end it is left out and counted apart.
class Sum {
 public:
  Sum(double step, std::ptrdiff_t end) : step_(step), end_(end), at_(static_cast<std::size_t>(2 * end + 1), 0.0) {
    at_[static_cast<std::size_t>(end)] = 1;
  }

  void add(const Draw& draw) {
    std::vector<double> next(at_.size(), 0.0);
    std::ptrdiff_t reached = 0;
    const auto last = static_cast<std::ptrdiff_t>(draw.masses.size()) - 1;
    for (std::ptrdiff_t x = -last; x <= last; ++x) {
      const double least = x < 0 ? draw.size * (1 - 0x1p-38) : draw.size;  // sizes were raised by 2^-39 at most
      const auto shift = static_cast<std::ptrdiff_t>(std::ceil(static_cast<double>(x) * least / step_ + 1e-9));
      add_shifted(next, shift, draw.masses[static_cast<std::size_t>(std::abs(x))]);
      reached = std::max(reached, std::abs(shift));
    }
    at_ = std::move(next);
    reached_ = std::min(reached_ + reached, end_);
    above_ += draw.beyond;
  }

  // The least multiple of the step above which there is at most p.
  std::optional<double> least_above(double p) const {
    double above = above_;
    if (above > p) return std::nullopt;
    std::ptrdiff_t k = end_;
    while (k > -end_ && above + at_[static_cast<std::size_t>(k + end_)] <= p)
      above += at_[static_cast<std::size_t>(k-- + end_)];
    return static_cast<double>(k) * step_;
  }

 private:
  // Below -end values are raised to it; above end they are counted.
  void add_shifted(std::vector<double>& next, std::ptrdiff_t shift, double mass) {
    const std::ptrdiff_t first = std::max(-reached_, -end_ - shift), last = std::min(reached_, end_ - shift);
    for (std::ptrdiff_t k = first; k <= last; ++k) {
      next[static_cast<std::size_t>(k + shift + end_)] += mass * at_[static_cast<std::size_t>(k + end_)];
    }
    for (std::ptrdiff_t k = std::max(last + 1, -reached_); k <= reached_; ++k)
      above_ += mass * at_[static_cast<std::size_t>(k + end_)];
    for (std::ptrdiff_t k = -reached_; k < std::min(first, reached_ + 1); ++k)
      next[0] += mass * at_[static_cast<std::size_t>(k + end_)];
  }

  double step_;
  std::ptrdiff_t end_, reached_ = 0;
  std::vector<double> at_;
  double above_ = 0;
};

}  // namespace

std::optional<double> reach_by_sum(const std::vector<Term>& terms, Alpha alpha, double deviation, double work) {
  if (!(deviation > 0)) return std::nullopt;
  std::int64_t count = 0;
  for (const Term& term : terms) count += term.draws;
  std::vector<Draw> draws;
  double additions = 0;  // for each place of the grid
  for (const Term& term : terms) {
    std::optional<Draw> draw = draw_of(term, alpha.value() * part_left_out / static_cast<double>(count));
    if (!draw) return std::nullopt;
    additions += 2 * static_cast<double>(draw->masses.size()) * static_cast<double>(draw->times);
    draws.push_back(std::move(*draw));
  }
  const double furthest = deviation * (3 + std::sqrt(2 * std::log(1 / alpha.value())) + std::log(1 / alpha.value()));
  const double step = std::max(2 * furthest * additions / work, deviation * 1e-4);
  if (step * static_cast<double>(count) > most_shift * deviation) return std::nullopt;
  Sum sum(step, static_cast<std::ptrdiff_t>(std::ceil(furthest / step)));
  for (const Draw& draw : draws) {
    for (std::int64_t i = 0; i < draw.times; ++i) sum.add(draw);
  }
  const std::optional<double> reach = sum.least_above(alpha.value() / 2 / charged);
  if (!reach) return std::nullopt;
  return std::max(*reach, 0.0) * charged;
}

}  // namespace vernier::denoise
