#include "vernier/accounting/cells/cell_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "vernier/accounting/cells/lattice.hpp"
#include "vernier/accounting/cells/parts.hpp"
#include "vernier/accounting/event.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::cells {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double negligible = 1e-13;  // of a delta, for all tails together
constexpr double least_tail = 1e-284;
constexpr double quick_pairs = 2e7, most_pairs = 6e7;  // for one question in one direction
constexpr double most_quick_releases = 40;
constexpr double pairs_to_prepare = 5e5;                     // what it takes to find the cells of a sum
constexpr double close_enough = 3e-4;                        // of the figure; else it is done again, more finely
constexpr double few_releases = 6;                           // that are added pair by pair in any case
constexpr double quick_products = 4e8, most_products = 2e9;  // of convolutions on a lattice, likewise
constexpr std::size_t least_atoms = 300, few_atoms = 800, many_atoms = 4000;

// The finite losses of a list in few atoms, to look for a tilt.
class Guide {
 public:
  explicit Guide(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      laws_.push_back({coarse(part.law), part.times});
      greatest_ += part.times * std::max(0.0, part.law.losses.back());
      for (const Atom& atom : laws_.back().atoms) {
        below_ += 2 * part.times * std::exp(atom.log_mass) * std::max(0.0, -atom.loss);
      }
    }
  }

  // From where on one loss is enough, whatever the others are about.
  double cap_at(double epsilon) const { return epsilon + below_; }

  // About the least of E[e^(theta (S - epsilon))] over theta, each loss counted up to where it is enough alone: so a
  // rare far jump does not hide what all the others do together.
  struct Least {
    double theta;
    double log_bound;
  };
  Least least_at(double epsilon) const {
    Least best{1, infinity};
    const auto look = [&](double theta) {
      const double here = log_moment(theta, cap_at(epsilon)) - theta * epsilon;
      if (here < best.log_bound) best = {theta, here};
    };
    const double unit = 1 / cap_at(epsilon);
    for (double scaled = 1e-3; scaled < 1e9; scaled *= 3) look(scaled * unit);
    for (double ratio = 1.7; ratio > 1.02; ratio = std::sqrt(ratio)) {
      const double middle = best.theta;
      look(middle * ratio);
      look(middle / ratio);
    }
    return best;
  }

  // About the epsilon at which this bound is delta.
  double epsilon_for(double delta) const {
    double low = 1e-13, high = std::max(1e-12, greatest_);
    for (int halving = 0; halving < 24 && high > 1.02 * low; ++halving) {
      const double middle = std::sqrt(low * high);
      (least_at(middle).log_bound > std::log(delta) ? low : high) = middle;
    }
    return high;
  }

 private:
  struct Atom {
    double loss;
    double log_mass;
  };
  struct Law {
    std::vector<Atom> atoms;
    double times;
  };

  static std::vector<Atom> coarse(const DiscreteLoss& law) {
    constexpr std::size_t groups = 250;
    const std::size_t each = (law.size() + groups - 1) / groups;
    std::vector<Atom> atoms;
    for (std::size_t i = 0; i < law.size(); i += each) {
      double mass = 0, moment = 0;
      for (std::size_t j = i; j < std::min(i + each, law.size()); ++j) {
        mass += law.masses[j];
        moment += law.masses[j] * (law.losses[j] - law.losses[i]);
      }
      atoms.push_back({law.losses[i] + moment / mass, std::log(mass)});
    }
    return atoms;
  }

  double log_moment(double theta, double cap) const {
    double total = 0;
    for (const Law& law : laws_) total += law.times * log_moment(law.atoms, theta, cap);
    return total;
  }

  static double log_moment(const std::vector<Atom>& atoms, double theta, double cap) {
    double top = -infinity, sum = 0;
    for (const Atom& atom : atoms) top = std::max(top, theta * std::min(atom.loss, cap) + atom.log_mass);
    for (const Atom& atom : atoms) {
      const double exponent = theta * std::min(atom.loss, cap) + atom.log_mass - top;
      if (exponent > -40) sum += std::exp(exponent);
    }
    return top + std::log(sum);
  }

  std::vector<Law> laws_;
  double greatest_ = 0;
  double below_ = 0;  // twice the mean of what losses are below 0
};

// How far apart the greatest and the least of the usual losses are, in standard deviations of a normal law about.
double bulk_of(const DiscreteLoss& law) {
  double all = 0, sum = 0, low = law.losses.front(), high = low;
  for (const double mass : law.masses) all += mass;
  for (std::size_t i = 0; i < law.size(); ++i) {
    if (sum < 0.05 * all) low = law.losses[i];
    if (sum < 0.95 * all) high = law.losses[i];
    sum += law.masses[i];
  }
  return (high - low) / 3.3;
}

// How much of a law is not at its least or greatest loss, as it is or weighted: these two lie on every lattice.
double share_between_ends(const DiscreteLoss& law, const Aim& aim) {
  double all = 0, inner = 0, weighted = 0, inner_weighted = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    const double weight = law.masses[i] * std::exp(aim.theta * (std::min(law.losses[i], aim.cap) - law.losses.back()));
    const bool is_inner = i > 0 && i + 1 < law.size();
    all += law.masses[i], weighted += weight;
    if (is_inner) inner += law.masses[i], inner_weighted += weight;
  }
  return std::clamp(std::max(inner / all, weighted > 0 ? inner_weighted / weighted : 1), 1e-6, 1.0);
}

// What is left of the work that a question may take.
struct Work {
  double pairs;
  double products;
};

// A part's many releases as one law; none where that takes too much work.
class Composer {
 public:
  Composer(const Aim& aim, End end, Work& left) : aim_(aim), end_(end), left_(left) {}

  std::optional<DiscreteLoss> sum(const DiscreteLoss& a, const DiscreteLoss& b) {
    left_.pairs -= pairs_of(a, b) + pairs_to_prepare;
    if (left_.pairs < 0) return std::nullopt;
    return composed(a, b, aim_, end_);
  }

  std::optional<DiscreteLoss> power(const DiscreteLoss& law, double times) {
    const auto made = powers(law, {times});
    return made ? std::optional(made->front()) : std::nullopt;
  }

  // Two laws whose sum is that of all the releases.
  std::optional<std::vector<DiscreteLoss>> halves(const DiscreteLoss& law, double times) {
    const double half = std::floor(times / 2);
    return powers(law, {half, times - half});
  }

 private:
  std::optional<std::vector<DiscreteLoss>> powers(const DiscreteLoss& law, const std::vector<double>& all_times) {
    if (auto found = powers_on_lattice(law, all_times)) return found;
    std::vector<DiscreteLoss> all;
    for (const double times : all_times) {
      std::optional<DiscreteLoss> one = !all.empty() && times == all_times.front() ? all.front() : squared(law, times);
      if (!one) return std::nullopt;
      all.push_back(*std::move(one));
    }
    return all;
  }

  // By squares, pair by pair.
  std::optional<DiscreteLoss> squared(const DiscreteLoss& law, double times) {
    std::optional<DiscreteLoss> result, square = reduced(law, aim_, end_);
    for (double left = times; left > 0; left = std::floor(left / 2)) {
      if (std::fmod(left, 2) == 1) result = result ? sum(*result, *square) : *square;
      if (left < 2) break;
      square = sum(*square, *square);
      if (!square || (!result && std::fmod(left, 2) == 1)) return std::nullopt;
    }
    return result;
  }

  // What spreading and merging do to delta is about theta^2 step^2 / 4 of it for each release; where most releases say
  // next to nothing, what these do beside a rare jump must be seen too.
  std::optional<std::vector<DiscreteLoss>> powers_on_lattice(const DiscreteLoss& law,
                                                             const std::vector<double>& all_times) {
    double times = 0;
    for (const double some : all_times) times += some;
    if (times <= few_releases) return std::nullopt;
    const double change = 1e-4 * std::pow(static_cast<double>(few_atoms) / static_cast<double>(aim_.atoms), 2);
    const double reach = std::min(1 / (aim_.theta * std::sqrt(times)), bulk_of(law));
    const double step = std::min(0.5, 2 * std::sqrt(change / share_between_ends(law, aim_))) * reach;
    auto lattice = LatticePowers::of(law, {step, aim_.least_mass, 2 * change / (times * aim_.theta)}, end_);
    if (!lattice) return std::nullopt;
    std::vector<DiscreteLoss> all;
    for (const double some : all_times) {
      std::optional<DiscreteLoss> one = lattice->power(some, left_.products);
      if (!one) return std::nullopt;
      all.push_back(*std::move(one));
    }
    return all;
  }

  Aim aim_;
  End end_;
  Work& left_;
};

// The whole list as the sum of two laws.
class Halves {
 public:
  static std::optional<Halves> of(const std::vector<Part>& parts, const Aim& aim, End end, Work& left) {
    Composer composer(aim, end, left);
    std::vector<DiscreteLoss> laws;
    if (parts.size() == 1 && parts.front().times > 1) {
      std::optional<std::vector<DiscreteLoss>> both = composer.halves(parts.front().law, parts.front().times);
      if (!both) return std::nullopt;
      laws = *std::move(both);
    } else {
      for (const Part& part : parts) {
        std::optional<DiscreteLoss> law = composer.power(part.law, part.times);
        if (!law) return std::nullopt;
        laws.push_back(parts.size() > 2 ? reduced(*law, aim, end) : *std::move(law));
      }
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
      : curve_(a, b, end),
        infinite_(composed({{}, {}, a.infinite}, {{}, {}, b.infinite}, {}, end).infinite),
        end_(end) {
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

// Or next to nothing, which need not be closer.
bool is_close(const Bounds& found, double nothing) {
  return found.upper - found.lower <= close_enough * found.upper || found.upper <= nothing;
}

// How many sums of two laws the whole list takes.
double sums_of(const std::vector<Part>& parts) {
  double sums = static_cast<double>(parts.size());
  for (const Part& part : parts) {
    for (double left = part.times; left > 1; left = std::floor(left / 2)) sums += std::fmod(left, 2) == 1 ? 2 : 1;
  }
  return sums;
}

// As many atoms as the pairs that are left allow, for both ends, with some in hand.
std::size_t affordable(double pairs_left, double sums, std::size_t most) {
  const double each = 0.45 * pairs_left / sums - pairs_to_prepare;
  return static_cast<std::size_t>(std::clamp(std::sqrt(std::max(each, 1.0)), 1.0, static_cast<double>(most)));
}

// As many as make use of the pairs that are left, where so many were used with these.
std::size_t more_atoms(std::size_t atoms, double pairs_left, double used) {
  const double growth = std::sqrt(0.9 * pairs_left / std::max(used, 1.0));
  return static_cast<std::size_t>(std::min(growth * static_cast<double>(atoms), static_cast<double>(many_atoms)));
}

// Both ends, first with few atoms, and with more where these leave too much between and it is not the events' own.
template <class Upper, class Lower>
std::optional<Bounds> refined(const Both& parts, Aim aim, Effort effort, double nothing, const Upper& upper,
                              const Lower& lower) {
  std::optional<Bounds> best;
  const bool is_quick = effort == Effort::quick;
  Work left = is_quick ? Work{quick_pairs, quick_products} : Work{most_pairs, most_products};
  aim.atoms = affordable(left.pairs, sums_of(parts.above), few_atoms);
  for (int pass = 0; pass < (is_quick ? 1 : 2) && aim.atoms >= least_atoms; ++pass) {
    const double before = left.pairs;
    const std::optional<Halves> greater = Halves::of(parts.above, aim, End::upper, left);
    if (!greater) return best;
    const double above = upper(*greater);
    if (above <= nothing) return Bounds{0, above};
    const std::optional<Halves> lesser = Halves::of(parts.below, aim, End::lower, left);
    if (!lesser) return best;
    const Bounds found{lower(*lesser), above};
    best = best ? Bounds{std::max(best->lower, found.lower), std::min(best->upper, found.upper)} : found;
    if (!parts.are_alike || is_close(*best, nothing)) return best;
    const std::size_t more = more_atoms(aim.atoms, left.pairs, before - left.pairs);
    if (more < 3 * aim.atoms / 2) return best;
    aim.atoms = more;
  }
  return best;
}

double times_of(std::span<const Event> events) {
  double times = 0;
  for (const Event& event : events) times += copies(event);
  return times;
}

double tail_for(std::span<const Event> events, double delta) {
  return std::clamp(negligible * delta / times_of(events), least_tail, 1e-8);
}

bool is_too_long(std::span<const Event> events, Effort effort) {
  return effort == Effort::quick && times_of(events) > most_quick_releases;
}

}  // namespace

std::optional<Bounds> epsilon(std::span<const Event> events, Direction direction, double delta, Effort effort) {
  if (is_too_long(events, effort)) return std::nullopt;
  const std::optional<Both> parts = cut_for_both(events, direction, tail_for(events, delta));
  if (!parts) return std::nullopt;
  const Guide guide(parts->above);
  const double about = guide.epsilon_for(delta);
  return refined(
      *parts, {guide.least_at(about).theta, guide.cap_at(about), 0, tail_for(events, delta)}, effort,
      least_epsilon_told, [&](const Halves& halves) { return upper_epsilon(halves, delta); },
      [&](const Halves& halves) { return lower_epsilon(halves, delta); });
}

// Chernoff's bound tells about how small delta is, and so which tails are negligible.
std::optional<Bounds> delta(std::span<const Event> events, Direction direction, double epsilon, Effort effort) {
  if (is_too_long(events, effort)) return std::nullopt;
  const auto rough = cut(events, direction, End::upper, least_tail);
  if (!rough) return std::nullopt;
  const Guide guide(*rough);
  const Guide::Least least = guide.least_at(epsilon);
  const auto at_tail_for = [&](double about) -> std::optional<Bounds> {
    const std::optional<Both> parts = cut_for_both(events, direction, tail_for(events, about));
    if (!parts) return std::nullopt;
    const auto read = [&](const Halves& halves) { return halves.delta(epsilon); };
    return refined(*parts, {least.theta, guide.cap_at(epsilon), 0, tail_for(events, about)}, effort, least_delta_told,
                   read, read);
  };
  const double about = std::exp(std::clamp(least.log_bound, std::log(least_tail), 0.0));
  const std::optional<Bounds> found = at_tail_for(about);
  if (!found || is_close(*found, least_delta_told) || !(found->lower < 1e-3 * about)) return found;
  return at_tail_for(found->lower);  // far below, as between the stairs of a lattice
}

}  // namespace vernier::accounting::cells
