#include "vernier/accounting/cells/outcomes.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::cells {
namespace {

using numeric::unit_roundoff;

constexpr double cell_width = 0.04;  // in standard deviations, over how many of them are looked at
constexpr double least_cell_width = 0.0015;
constexpr double widest_loss = 0.04;    // of a cell, unless that makes too narrow cells
constexpr double most_points = 40'000;  // of a lattice, one by one
constexpr double most_cells = 200'000;
constexpr double half_log_two_pi = 0.91893853320467274;

// Far out a tilted density changes by e within 1 / reach.
double width_for(double mu, double reach) {
  return std::max(std::min(widest_loss / mu, cell_width / std::max(reach, 5.0)), least_cell_width);
}

// (e^x - 1) / x, and its logarithmic derivative.
double mean_growth(double x) { return x == 0 ? 1 : std::expm1(x) / x; }
double mean_place(double x) {
  if (std::fabs(x) < 0.1) return 0.5 + x * (1.0 / 12 - x * x * (1.0 / 720 - x * x / 30240));
  return -1 / std::expm1(-x) - 1 / x;
}

// ln(sinh(x) / x), within 8 units and 8 units relatively.
double log_sinhc(double x) {
  const double size = std::fabs(x);
  if (size < 0.3) return std::log1p(x * x / 6 * (1 + x * x / 20 * (1 + x * x / 42 * (1 + x * x / 72))));
  return size + std::log(-std::expm1(-2 * size) / (2 * size));
}

constexpr double share_error = 1e-10;
constexpr double small_move = 1e-3;

// E[(e^(m s) - 1) / (e^m - 1)] of a place s in [0, 1], where E[e^(m s)] = growth and E[s] = place.
Bounds share_by(double m, double growth, double place) {
  if (m >= small_move) {
    const double share = (growth - 1) / std::expm1(m);
    return {std::max(0.0, share - share_error), std::min(1.0, share + share_error)};
  }
  return {std::max(0.0, place - 0.13 * m - share_error), std::min(1.0, place + share_error)};
}

// For a density proportional to e^(slope s) on [0, 1].
Bounds share_of(double slope, double m) {
  return share_by(m, mean_growth(slope + m) / mean_growth(slope), mean_place(slope));
}

// For n points, 0, 1 / (n - 1), ..., 1, with weights that grow by e^slope from one to the next.
Bounds share_of_points(double slope, double n, double m) {
  const double move = m / (n - 1);
  const double growth =
      mean_growth(n * (slope + move)) / mean_growth(n * slope) * (mean_growth(slope) / mean_growth(slope + move));
  return share_by(m, growth, (n * mean_place(n * slope) - mean_place(slope)) / (n - 1));
}

Bounds between(const Bounds& least, const Bounds& greatest) { return {least.lower, greatest.upper}; }

// ln E[e^(-t^2 / 2)] where E[t^2] is from `least` to `greatest`, and abs(t) at most `reach`.
struct LogMean {
  double value;
  double error;
};
LogMean log_mean(double least, double greatest, double reach) {
  const double low = std::log1p(-greatest / 2), high = std::log1p(-least / 2 + reach * reach * greatest / 8);
  return {(low + high) / 2, (high - low) / 2 + 8 * unit_roundoff};
}

double rounded_quotient(double a, double b, End end) {
  return end == End::upper ? numeric::divide_up(a, b) : numeric::divide_down(a, b);
}

Cell atom(double log_ratio, double log_mass, double log_error) { return {log_ratio, log_ratio, log_mass, log_error}; }

}  // namespace

// In units of the scale from the middle between the two means on: ln r = mu c, and c + mu / 2 is normal under Q.
Outcomes gaussian_outcomes(double mu, double least) {
  Outcomes result;
  const double reach = std::sqrt(-2 * std::log(least)), last = reach + mu / 2;
  const double count = std::ceil(2 * last / width_for(mu, reach)), width = 2 * last / count, half = width / 2;
  if (!(count < most_cells)) return result;
  result.tail = numeric::exp_up(-reach * reach / 2 * (1 - 1e-12));
  result.cells.reserve(static_cast<std::size_t>(count));
  const auto place = [&](double j) { return (j - count / 2) * width; };
  const double square = half * half / 3;
  for (double j = 0; j < count; ++j) {
    const double z = place(j + 0.5) + mu / 2;
    const LogMean bend = log_mean(square, square * std::cosh(z * half) * (1 + 1e-9), half);
    const double log_mass = std::log(width) - half_log_two_pi - z * z / 2 + log_sinhc(z * half) + bend.value;
    const double rounding = 16 * unit_roundoff * (1 + std::fabs(z) * (std::fabs(z) + mu) - std::log(width));
    const double first = z - half, final = z + half, m = mu * width;
    result.cells.push_back({mu * place(j), mu * place(j + 1), log_mass, bend.error + rounding,
                            between(share_of(-final * width, m), share_of(-first * width, m))});
  }
  return result;
}

Outcomes outcomes_of(const mechanism::GaussianMechanism& release, End end, double least) {
  return gaussian_outcomes(rounded_quotient(release.sensitivity().value(), release.law().scale(), end), least);
}

// In units of the scale: Q is at 0, P at c. Left of 0 ln r is -c, right of c it is c, and 2a - c at a between.
Outcomes outcomes_of(const mechanism::LaplaceMechanism& release, End end, double) {
  const double c = rounded_quotient(release.sensitivity().value(), release.law().scale(), end);
  constexpr double log_half = -0.69314718055994531;
  const double count = std::ceil(std::clamp(c / 0.01, 400.0, 20'000.0)), width = c / count;
  const double log_cell = log_half + std::log(-std::expm1(-width));
  const Bounds share = share_of(-width, 2 * width);
  Outcomes result;
  result.cells.push_back(atom(-c, log_half, 2 * unit_roundoff));
  for (double j = 0; j < count; ++j) {
    const double a = j * width;
    result.cells.push_back({(2 * j - count) * width, (2 * (j + 1) - count) * width, log_cell - a,
                            unit_roundoff * (16 + 4 * a - 2 * log_cell), share});
  }
  result.cells.push_back(atom(c, log_half - c, unit_roundoff * (4 + 2 * c)));
  return result;
}

Outcomes outcomes_of(const mechanism::GeometricMechanism& release, End end, double) {
  const double unit = rounded_quotient(1, release.law().scale(), end);
  const double sensitivity = static_cast<double>(release.sensitivity().value());
  Outcomes result;
  if (sensitivity > most_points) return result;
  const double ends = -std::log1p(std::exp(-unit)), inner = ends + std::log(-std::expm1(-unit));
  const auto error = [&](double x) { return unit_roundoff * (32 + 8 * std::fabs(inner) + 4 * x * unit); };
  result.cells.push_back(atom(-sensitivity * unit, ends, error(0)));
  for (double x = 1; x < sensitivity; ++x) {
    result.cells.push_back(atom((2 * x - sensitivity) * unit, inner - x * unit, error(x)));
  }
  result.cells.push_back(atom(sensitivity * unit, ends - sensitivity * unit, error(sensitivity)));
  return result;
}

namespace {

// The whole numbers from first on, n of them, as a cell.
class Points {
 public:
  Points(const mechanism::DiscreteGaussianMechanism& release)
      : square_(release.law().scale() * release.law().scale()),
        sensitivity_(static_cast<double>(release.sensitivity().value())) {
    const Bounds total = log(release.law().total(numeric::Precision{128})).bounds();
    log_total_ = total.lower;
    total_error_ = total.upper - total.lower;
  }

  Cell one(double x) const { return atom(log_ratio(x), -x * x / (2 * square_) - log_total_, error(x)); }

  Cell many(double first, double n) const {
    const double last = first + n - 1, middle = first + (n - 1) / 2, slope = middle / square_, half = (n - 1) / 2;
    const double mean_square = (n * n - 1) / 12 / square_;
    const LogMean bend = log_mean(mean_square * (1 - 1e-12), mean_square * std::cosh(slope * half) * (1 + 1e-9),
                                  half / std::sqrt(square_));
    const double log_sum = std::log(n) + log_sinhc(n * slope / 2) - log_sinhc(slope / 2);
    const double m = sensitivity_ * (n - 1) / square_;
    return {log_ratio(first), log_ratio(last), -middle * middle / (2 * square_) - log_total_ + log_sum + bend.value,
            error(middle) + bend.error + 32 * unit_roundoff * (2 + std::log(n) + n * std::fabs(slope)),
            between(share_of_points(-(2 * last - 1) / (2 * square_), n, m),
                    share_of_points(-(2 * first + 1) / (2 * square_), n, m))};
  }

 private:
  double log_ratio(double x) const { return sensitivity_ * (2 * x - sensitivity_) / (2 * square_); }
  double error(double x) const {
    return total_error_ + 8 * unit_roundoff * (1 + std::fabs(log_total_) + x * x / (2 * square_));
  }

  double square_;
  double sensitivity_;
  double log_total_ = 0;
  double total_error_ = 0;
};

// At least the sum of e^(-x^2 / (2 s^2)) over all whole x > reach: its first term, and the ratio of the next to it,
// from which on ratios only fall.
double tail_beyond(double reach, double scale) {
  const double x = reach + 1, square = 2 * scale * scale;
  const double term = numeric::exp_up(-x * x / square * (1 - 1e-12)), ratio = std::exp(-(2 * x + 1) / square);
  return numeric::divide_up(term, (1 - ratio) * (1 - 1e-9));
}

}  // namespace

Outcomes outcomes_of(const mechanism::DiscreteGaussianMechanism& release, End, double least) {
  const double scale = release.law().scale(), sensitivity = static_cast<double>(release.sensitivity().value());
  const double deviations = std::sqrt(-2 * std::log(least)), reach = std::ceil(scale * deviations) + 1;
  const double count = 2 * reach + sensitivity + 1;
  const double each = count <= most_points ? 1 : std::floor(width_for(sensitivity / scale, deviations) * scale);
  Outcomes result;
  if (!(count / std::max(each, 1.0) < most_cells)) return result;
  const Points points(release);
  result.tail = tail_beyond(reach, scale);  // the total is at least 1
  for (double x = -reach; x <= reach + sensitivity;) {
    const double n = std::min(std::max(each, 1.0), reach + sensitivity - x + 1);
    result.cells.push_back(n == 1 ? points.one(x) : points.many(x, n));
    x += n;
  }
  return result;
}

Outcomes outcomes_of(const PureStatement& release, End, double) {
  const double epsilon = release.epsilon.value(), odds = -std::log1p(std::exp(-epsilon));
  const double error = unit_roundoff * (8 + 4 * epsilon);
  return {{atom(-epsilon, odds, error), atom(epsilon, odds - epsilon, error)}};
}

// Under Q the density of ln r is proportional to e^(-l/2) on [-epsilon, epsilon]; or two candidates (choice_loss.md).
Outcomes outcomes_of(const Choice& release, End end, double least) {
  const double epsilon = release.epsilon.value();
  if (end == End::lower) return outcomes_of(PureStatement{*privacy::Epsilon::of(epsilon / 2)}, end, least);
  const double count = std::ceil(std::clamp(epsilon / 0.01, 400.0, 20'000.0)), width = 2 * epsilon / count;
  const double log_cell = std::log(-std::expm1(-width / 2)) - std::log(-std::expm1(-epsilon));
  const Bounds share = share_of(-width / 2, width);
  Outcomes result;
  for (double j = 0; j < count; ++j) {
    const double a = j * width / 2;
    result.cells.push_back({(j - count / 2) * width, (j + 1 - count / 2) * width, log_cell - a,
                            unit_roundoff * (32 + 4 * a - 4 * log_cell), share});
  }
  return result;
}

Outcomes outcomes_of(const ApproximateStatement& release, End end, double least) {
  Outcomes result = outcomes_of(PureStatement{release.epsilon}, end, least);
  for (Cell& cell : result.cells) {
    cell.log_mass += std::log1p(-release.delta.value());
    cell.log_error += 8 * unit_roundoff * (1 - std::log1p(-release.delta.value()));
  }
  result.failure = release.delta.value();
  return result;
}

namespace {

// ln(1 - q + q e^w) with its error, where w is within 4 units.
struct Known {
  double value;
  double error;
};
Known on_sample(double w, double rate) {
  if (rate == 1) return {w, 4 * unit_roundoff * std::fabs(w)};
  if (w > 600) {
    const double value = w + std::log(rate) + std::log1p((1 - rate) / rate * std::exp(-w));
    return {value, 8 * unit_roundoff * (w - std::log(rate) + 1)};
  }
  const double grown = rate * std::expm1(w);
  const double value = grown < -0.5 ? std::log((1 - rate) + rate * std::exp(w)) : std::log1p(grown);
  const double share = rate * std::exp(w) / (grown < -0.5 ? std::exp(value) : 1 + grown);
  return {value, unit_roundoff * (16 * std::fabs(value) + 8 * std::fabs(w) * share)};
}

double raised(const Known& loss) { return loss.value + loss.error * (1 + 1e-9); }
double lowered(const Known& loss) { return loss.value - loss.error * (1 + 1e-9); }
Known mirrored(const Known& loss) { return {-loss.value, loss.error}; }

constexpr double least_log_mass = -660;

// The atoms of one law as they come, by rising or by falling loss.
class Gatherer {
 public:
  explicit Gatherer(End end) : end_(end) {}

  // Mass share e^log_mass at a loss.
  void add(const Known& loss, double log_mass, double error, double share) {
    if (!(share > 0)) return;
    const double units = error + unit_roundoff * (16 + 2 * std::fabs(log_mass));
    const bool is_tiny = log_mass < least_log_mass;
    if (end_ == End::upper) {
      const double mass = share * std::exp(std::max(log_mass, least_log_mass)) * (1 + 1.1 * units);
      if (is_tiny || mass < 1e-287) {
        law_.infinite += mass;
      } else {
        keep(raised(loss), mass);
      }
    } else if (!is_tiny) {
      const double mass = share * std::exp(log_mass) * (1 - 1.1 * units);
      if (mass > 1e-287) keep(lowered(loss), mass);
    }
  }
  void add_infinite(double mass) { law_.infinite = numeric::add_up(law_.infinite, mass); }

  // Rounding may have turned the order of neighbours.
  DiscreteLoss finish() {
    std::vector<std::size_t> order(law_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return law_.losses[a] < law_.losses[b]; });
    DiscreteLoss sorted{{}, {}, law_.infinite};
    for (const std::size_t i : order) {
      if (!sorted.losses.empty() && sorted.losses.back() == law_.losses[i]) {
        sorted.masses.back() = end_ == End::upper ? numeric::add_up(sorted.masses.back(), law_.masses[i])
                                                  : numeric::add_down(sorted.masses.back(), law_.masses[i]);
      } else {
        sorted.losses.push_back(law_.losses[i]);
        sorted.masses.push_back(law_.masses[i]);
      }
    }
    return sorted;
  }

 private:
  void keep(double loss, double mass) {
    law_.losses.push_back(loss);
    law_.masses.push_back(mass);
  }
  DiscreteLoss law_;
  End end_;
};

// Where between the ends the mean of r lies.
double mean_log_ratio(const Cell& cell, double share) {
  return cell.first + std::log1p(share * std::expm1(cell.last - cell.first));
}

// The mean of r has the rounding of a cell's width on top.
Known merged(const Cell& cell, double share, double rate) {
  if (cell.first == cell.last) return on_sample(cell.first, rate);
  Known loss = on_sample(mean_log_ratio(cell, share), rate);
  loss.error += unit_roundoff * (16 * (cell.last - cell.first) + 4 * (std::fabs(cell.first) + std::fabs(cell.last)));
  return loss;
}

// P is the mixture, of loss R and mass e^R times that of Q.
void add_removed(Gatherer& law, const Cell& cell, double rate, End end) {
  const auto add = [&](const Known& loss, double share) {
    law.add(loss, cell.log_mass + loss.value, cell.log_error + loss.error, share);
  };
  if (end == End::lower) return add(merged(cell, cell.share.lower, rate), 1);
  add(on_sample(cell.first, rate), 1 - cell.share.upper);
  add(on_sample(cell.last, rate), cell.share.upper);
}

// Q is the mixture, and the mirror image of the noise is P: the loss is -R, and the mass that of the cell.
void add_added(Gatherer& law, const Cell& cell, double rate, End end) {
  const auto add = [&](const Known& loss, double share) {
    law.add(mirrored(loss), cell.log_mass, cell.log_error, share);
  };
  if (end == End::lower) return add(merged(cell, cell.share.upper, rate), 1);
  add(on_sample(cell.first, rate), 1 - cell.share.lower);
  add(on_sample(cell.last, rate), cell.share.lower);
}

// ln(1 - q): the loss of what Q alone shows.
Known loss_outside(double rate) {
  const double value = std::log1p(-rate);
  return {value, 4 * unit_roundoff * std::fabs(value)};
}

void add_failures(Gatherer& law, const Outcomes& outcomes, double rate, Direction direction) {
  if (outcomes.failure == 0) return;
  const double log_failure = std::log(outcomes.failure), error = 8 * unit_roundoff * (1 - log_failure);
  if (rate == 1) return law.add_infinite(outcomes.failure);
  const Known outside = loss_outside(rate);
  if (direction == Direction::add) return law.add(mirrored(outside), log_failure, error, 1);
  law.add(outside, log_failure + outside.value, error + outside.error, 1);
}

// Left out below: up to the first cell's loss; above: as infinite.
void add_tails(Gatherer& law, const Outcomes& outcomes, double rate, Direction direction) {
  if (outcomes.tail == 0) return;
  const double log_tail = std::log(outcomes.tail), error = 8 * unit_roundoff * (1 - log_tail);
  const Known first = on_sample(outcomes.cells.front().first, rate), last = on_sample(outcomes.cells.back().last, rate);
  if (direction == Direction::remove) {
    law.add(first, log_tail + std::max(first.value, -600.0), error + first.error, 1);
    return law.add_infinite(outcomes.tail);
  }
  law.add(mirrored(last), log_tail, error, 1);
  if (rate == 1) return law.add_infinite(outcomes.tail);
  law.add(mirrored(loss_outside(rate)), log_tail, error, 1);
}

}  // namespace

DiscreteLoss loss_of(const Outcomes& outcomes, double rate, Direction direction, End end) {
  Gatherer law(end);
  for (const Cell& cell : outcomes.cells) {
    direction == Direction::remove ? add_removed(law, cell, rate, end) : add_added(law, cell, rate, end);
  }
  add_failures(law, outcomes, rate, direction);
  if (end == End::upper) add_tails(law, outcomes, rate, direction);
  DiscreteLoss result = law.finish();
  // What P alone shows is in the sample with the chance `rate`.
  if (direction == Direction::remove && rate < 1 && outcomes.failure > 0) {
    result.infinite = end == End::upper ? numeric::add_up(result.infinite, numeric::multiply_up(rate, outcomes.failure))
                                        : numeric::multiply_down(rate, outcomes.failure);
  }
  return result;
}

}  // namespace vernier::accounting::cells
