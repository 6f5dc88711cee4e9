#include "vernier/accounting/cells/cell_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "vernier/accounting/cells/outcomes.hpp"
#include "vernier/accounting/event_groups.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/key_selection.hpp"
#include "vernier/accounting/loss/gaussian_loss.hpp"
#include "vernier/accounting/loss/zcdp_law.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::cells {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double negligible = 1e-13;    // of a delta, for all tails together
constexpr double least_tail = 1e-250;
constexpr double most_pairs = 1.5e8;    // some hundreds of milliseconds
constexpr double most_rho = 1e8;        // that zcdp_law takes
constexpr double close_enough = 3e-4;   // of the figure; else it is done again, more finely
constexpr std::size_t few_atoms = 800, many_atoms = 3000;

struct Part {
  DiscreteLoss law;
  double times;
};

// What is gathered before it becomes one part: Gaussian releases, and zCDP statements.
struct Gathered {
  GaussianSum gaussians;
  bool has_gaussians = false;
  double rho = 0;
};

class Collector {
 public:
  Collector(Direction direction, End end, double least) : direction_(direction), end_(end), least_(least) {}

  bool add(const Event& event) {
    const double times = copies(event);
    return std::visit([&](const auto& release) { return one(release, event.sampling().value(), times); },
                      event.release());
  }

  bool finish() {
    if (gathered_.rho > most_rho) return false;
    if (gathered_.rho > 0) keep_zcdp();
    if (!gathered_.has_gaussians) return true;
    const GaussianSquare square = gathered_.gaussians.square();
    if (!std::isfinite(square.value) || !(square.value > 1e-250)) return false;
    const double error = square.value * (square.relative_error + 1e-15);
    const double mu = end_ == End::upper ? numeric::sqrt_up(square.value + error)
                                         : numeric::sqrt_down(square.value - error);
    return keep(gaussian_outcomes(mu, least_), 1, 1);
  }

  std::vector<Part> take() { return std::move(parts_); }

 private:
  bool one(const mechanism::GaussianMechanism& release, double rate, double times) {
    if (rate < 1) return keep(outcomes_of(release, end_, least_), rate, times);
    gathered_.gaussians.add(*Sigma::of(release.law().scale()), release.sensitivity(), times);
    return gathered_.has_gaussians = true;
  }
  bool one(const ZcdpStatement& release, double, double times) {
    const double rho = release.rho.value();
    if (end_ == End::upper) {
      gathered_.rho = numeric::add_up(gathered_.rho, numeric::multiply_up(times, rho));
      return true;
    }
    const double scale = numeric::divide_up(1, numeric::sqrt_down(numeric::multiply_down(2, rho)));
    gathered_.gaussians.add(*Sigma::of(scale), *privacy::L2Sensitivity::of(1), times);
    return gathered_.has_gaussians = true;
  }
  // A key may escape only where the unit is the first to have it; the lower end takes the case that it is not.
  bool one(const KeySelection& release, double, double times) {
    const Outcomes outcomes =
        std::visit([&](const auto& noise) { return outcomes_of(noise, end_, least_); }, release.noise());
    if (!keep(outcomes, 1, times)) return false;
    if (end_ == End::lower) return true;
    DiscreteLoss& law = parts_.back().law;
    const Bounds escape = escape_probability(release);
    for (double& mass : law.masses) mass = numeric::multiply_up(mass, numeric::subtract_up(1, escape.lower));
    law.infinite = numeric::add_up(law.infinite, escape.upper);
    return true;
  }
  template <class Other>
  bool one(const Other& release, double rate, double times) {
    return keep(outcomes_of(release, end_, least_), rate, times);
  }

  bool keep(const Outcomes& outcomes, double rate, double times) {
    if (outcomes.cells.empty()) return false;
    parts_.push_back({loss_of(outcomes, rate, direction_, end_), times});
    return parts_.back().law.size() > 0;
  }
  void keep_zcdp() {
    const LossAtoms atoms = zcdp_law(gathered_.rho, std::max(least_, 1e-300));
    DiscreteLoss law{atoms.losses, atoms.masses, atoms.infinite_mass};
    double sum = 0;
    for (const double mass : law.masses) sum = numeric::add_down(sum, mass);
    const double growth = numeric::divide_up(numeric::subtract_up(1, law.infinite), sum);
    for (double& mass : law.masses) mass = numeric::multiply_up(mass, std::max(growth, 1.0));
    parts_.push_back({std::move(law), 1});
  }

  Direction direction_;
  End end_;
  double least_;
  Gathered gathered_;
  std::vector<Part> parts_;
};

std::optional<std::vector<Part>> cut(std::span<const Event> events, Direction direction, End end, double least) {
  Collector collector(direction, end, least);
  for (const Event& event : grouped(events)) {
    if (!collector.add(event)) return std::nullopt;
  }
  if (!collector.finish()) return std::nullopt;
  return collector.take();
}

// ln E[e^(theta S)] of the finite losses: a guide.
double log_moment(const std::vector<Part>& parts, double theta) {
  double total = 0;
  for (const Part& part : parts) {
    double top = -infinity, sum = 0;
    for (std::size_t i = 0; i < part.law.size(); ++i) {
      const double exponent = theta * part.law.losses[i] + std::log(part.law.masses[i]);
      if (exponent > top) {
        sum = sum * std::exp(top - exponent) + 1;
        top = exponent;
      } else if (exponent > top - 50) {
        sum += std::exp(exponent - top);
      }
    }
    total += part.times * (top + std::log(sum));
  }
  return total;
}

// The theta of the least bound, over all sizes: a guide.
template <class Bound>
double best_theta(const Bound& bound) {
  constexpr double ratio = 2.5;
  double best = 1, least = infinity;
  for (double theta = 1e-7; theta < 1e12; theta *= ratio) {
    const double here = bound(theta);
    if (here < least) least = here, best = theta;
  }
  return best;
}

// A part's many releases as one law; none where that takes too much work.
class Composer {
 public:
  Composer(const Aim& aim, End end) : aim_(aim), end_(end) {}

  std::optional<DiscreteLoss> sum(const DiscreteLoss& a, const DiscreteLoss& b) {
    pairs_ += pairs_of(a, b);
    if (pairs_ > most_pairs) return std::nullopt;
    return composed(a, b, aim_, end_);
  }

  std::optional<DiscreteLoss> power(const DiscreteLoss& law, double times) {
    std::optional<DiscreteLoss> result, square = reduced(law, aim_, end_);
    for (double left = times; left > 0; left = std::floor(left / 2)) {
      if (std::fmod(left, 2) == 1) result = result ? sum(*result, *square) : *square;
      if (left < 2) break;
      square = sum(*square, *square);
      if (!square || (!result && std::fmod(left, 2) == 1)) return std::nullopt;
    }
    return result;
  }

  double pairs() const { return pairs_; }

 private:
  Aim aim_;
  End end_;
  double pairs_ = 0;
};

// The whole list as the sum of two laws.
class Halves {
 public:
  static std::optional<Halves> of(const std::vector<Part>& parts, const Aim& aim, End end) {
    Composer composer(aim, end);
    std::vector<DiscreteLoss> laws;
    for (const Part& part : parts) {
      std::optional<DiscreteLoss> law = composer.power(part.law, part.times);
      if (!law) return std::nullopt;
      laws.push_back(*std::move(law));
    }
    while (laws.size() > 2) {  // the two shortest first
      std::sort(laws.begin(), laws.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
      std::optional<DiscreteLoss> sum = composer.sum(laws[laws.size() - 2], laws.back());
      if (!sum) return std::nullopt;
      laws.pop_back();
      laws.back() = *std::move(sum);
    }
    if (laws.size() == 1) laws.push_back({{0}, {1}, 0});
    return Halves(laws[0], laws[1], end);
  }

  double delta(double epsilon) const {
    const double finite = curve_(epsilon);
    if (end_ == End::upper) return std::min(1.0, numeric::add_up(infinite_, finite));
    return std::max(0.0, numeric::add_down(infinite_, finite));
  }
  double infinite() const { return infinite_; }
  double greatest() const { return greatest_; }

 private:
  Halves(const DiscreteLoss& a, const DiscreteLoss& b, End end)
      : curve_(a, b, end), infinite_(composed({{}, {}, a.infinite}, {{}, {}, b.infinite}, {}, end).infinite), end_(end) {
    greatest_ = a.size() == 0 || b.size() == 0 ? 0 : a.losses.back() + b.losses.back();
  }
  PairCurve curve_;
  double infinite_;
  double greatest_ = 0;
  End end_;
};

// Around where a falling function passes a value: `last` with f > value, `first` with f <= value, as evaluated.
struct Passage {
  double last;
  double first;
};
template <class Function>
Passage passage(const Function& exceeds, double low, double high) {
  for (int halving = 0; halving < 90 && high - low > 1e-7 * high; ++halving) {
    const double middle = low + (high - low) / 2;
    (exceeds(middle) ? low : high) = middle;
  }
  return {low, high};
}

double upper_epsilon(const Halves& halves, double delta) {
  if (!(halves.infinite() <= delta)) return infinity;
  const auto exceeds = [&](double epsilon) { return !(halves.delta(epsilon) <= delta); };
  if (!exceeds(0)) return 0;
  double high = std::max(halves.greatest(), 1e-300) * (1 + 1e-12);
  if (exceeds(high)) return infinity;
  return passage(exceeds, 0, high).first;
}

double lower_epsilon(const Halves& halves, double delta) {
  const auto exceeds = [&](double epsilon) { return halves.delta(epsilon) > delta; };
  if (!exceeds(0)) return 0;
  const double high = std::max(halves.greatest(), 1e-300) * (1 + 1e-12);
  if (exceeds(high)) return high;
  return passage(exceeds, 0, high).last;
}

// Both ends, first with few atoms, and with many where these leave too much between.
template <class Upper, class Lower>
std::optional<Bounds> refined(const std::vector<Part>& above, const std::vector<Part>& below, double theta,
                              const Upper& upper, const Lower& lower) {
  std::optional<Bounds> best;
  for (const std::size_t atoms : {few_atoms, many_atoms}) {
    const Aim aim{theta, atoms};
    const std::optional<Halves> greater = Halves::of(above, aim, End::upper), lesser = Halves::of(below, aim, End::lower);
    if (!greater || !lesser) return best;
    const Bounds found{lower(*lesser), upper(*greater)};
    best = best ? Bounds{std::max(best->lower, found.lower), std::min(best->upper, found.upper)} : found;
    if (best->upper - best->lower <= close_enough * best->upper) return best;
  }
  return best;
}

double times_of(std::span<const Event> events) {
  double times = 0;
  for (const Event& event : events) times += copies(event);
  return times;
}

}  // namespace

std::optional<Bounds> epsilon(std::span<const Event> events, Direction direction, double delta) {
  const double least = std::clamp(negligible * delta / times_of(events), least_tail, 1e-8);
  const auto above = cut(events, direction, End::upper, least), below = cut(events, direction, End::lower, least);
  if (!above || !below) return std::nullopt;
  const double theta =
      best_theta([&](double at) { return (log_moment(*above, at) - std::log(delta)) / at; });
  return refined(
      *above, *below, theta, [&](const Halves& halves) { return upper_epsilon(halves, delta); },
      [&](const Halves& halves) { return lower_epsilon(halves, delta); });
}

std::optional<Bounds> delta(std::span<const Event> events, Direction direction, double epsilon) {
  const auto rough = cut(events, direction, End::upper, 1e-30 / times_of(events));
  if (!rough) return std::nullopt;
  const auto log_chernoff = [&](double theta) { return log_moment(*rough, theta) - theta * epsilon; };
  const double theta = best_theta(log_chernoff);
  const double about = std::exp(std::clamp(log_chernoff(theta), std::log(least_tail), 0.0));
  const double least = std::clamp(negligible * about / times_of(events), least_tail, 1e-8);
  const auto above = cut(events, direction, End::upper, least), below = cut(events, direction, End::lower, least);
  if (!above || !below) return std::nullopt;
  return refined(
      *above, *below, theta, [&](const Halves& halves) { return halves.delta(epsilon); },
      [&](const Halves& halves) { return halves.delta(epsilon); });
}

}  // namespace vernier::accounting::cells
