#include "vernier/interval/population/proportion.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/noise_sum.hpp"
#include "vernier/interval/population/binomial.hpp"
#include "vernier/interval/population/mean.hpp"

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 0x1p-40;
constexpr double tails_in_a_scale = 16;
constexpr std::int64_t most_masses = 256;  // from here on the lattice is fine enough for the laws over the reals
constexpr double least_coefficient = 0.25;
constexpr double whole_number_slack = 1e-9;

// A draw is stochastically below one of the law over the reals and this.
double step_above(const noise::Geometric& law) {
  const double s = law.scale();
  return std::min(1 - s * std::log1p(-std::expm1(-1 / s) / (1 + std::exp(-1 / s))) + 1e-9, 1.0);
}
double step_above(const noise::DiscreteGaussian&) { return 1; }

// How far one draw of the law over the reals goes, but for `least` and more.
double reach_of(const noise::Geometric& law, double least) { return law.scale() * std::log(1 / least); }
double reach_of(const noise::DiscreteGaussian& law, double least) {
  return law.scale() * std::sqrt(2 * std::log(1 / least));
}

// (1 - p) X_1 - p X_0 as a x + b y with a >= b about, at both ends of the range.
struct Weights {
  double a_first, a_last, b_first, b_last;
};
Weights weights_of(const Shares& shares) {
  const double first = shares.first, last = shares.last;
  if (first + last <= 1) return {1 - first, 1 - last, first, last};
  return {first, last, 1 - first, 1 - last};
}

}  // namespace

template <class Law>
PairNoise<Law> PairNoise<Law>::of(const Law& law, Probability least) {
  PairNoise noise(law, reach_of(law, least.value() / 4));
  noise.table_ = NoiseTable::of(law, least, most_masses);
  return noise;
}

template <class Law>
double PairNoise<Law>::step() const {
  return step_above(law_);
}

template <class Law>
PairTail PairNoise<Law>::by_reals(const Shares& shares) const {
  const Weights w = weights_of(shares);
  const double scale = law_.scale(), up = scale * raised, down = scale / raised;
  const Coefficients greatest{std::max(w.a_first, w.a_last) * up, std::max(w.b_first, w.b_last) * up, 0};
  const Coefficients least{std::min(w.a_first, w.a_last) * down, std::min(w.b_first, w.b_last) * down, 0};
  const double step = scale / tails_in_a_scale, above = this->step() * raised;
  std::vector<double> tails;
  for (double u = -reach_; u <= reach_; u += step) tails.push_back(tail_of_reals(law_, least, greatest, u));
  const double beyond = tails.back();
  return PairTail(above - reach_ + step / 1e3, step, beyond, std::move(tails));
}

template <class Law>
std::optional<PairTail> PairNoise<Law>::by_lattice(const Shares& shares) const {
  const Weights w = weights_of(shares);
  if (!table_ || std::min(w.a_first, w.a_last) < least_coefficient) return std::nullopt;
  const auto reach = static_cast<double>(table_->reach());
  const double step = std::max(law_.scale(), 0.25) / tails_in_a_scale;
  const double farthest = reach + 1;
  std::vector<double> tails(static_cast<std::size_t>(std::ceil(2 * farthest / step)), table_->outside());
  for (double j = -reach; j <= reach; ++j) {
    const double mass = table_->mass(static_cast<std::int64_t>(std::abs(j))) * raised;
    const double first = (-farthest - w.b_first * j) / w.a_first, per_first = step / w.a_first;
    const double last = (-farthest - w.b_last * j) / w.a_last, per_last = step / w.a_last;
    for (std::size_t i = 0; i < tails.size(); ++i) {
      const auto at = static_cast<double>(i);
      const double least = std::min(first + at * per_first, last + at * per_last);
      tails[i] += mass * table_->from(std::ceil(least - whole_number_slack));
    }
  }
  const double beyond = 2 * table_->outside();
  return PairTail(-farthest + step / 1e3, step, beyond, std::move(tails));
}

template class PairNoise<noise::Geometric>;
template class PairNoise<noise::DiscreteGaussian>;

namespace {

constexpr double part_of_rows = 0.05;        // of alpha: with this chance at most the number of rows is not as believed
constexpr double part_unresolved = 1e-3;     // of what is rare
constexpr double shift_between_rows = 0.04;  // deviations
constexpr int finer_than_error = 7;          // bits
constexpr double lowered = 1 - 1e-9;
constexpr double sum_error = 0x1p-48;
constexpr double fine_lattice = 25;   // steps in a deviation: the reals cost 2 % or less
constexpr double least_ratio = 0.5;   // of the variance to a squared step
constexpr double roundoff = 0x1p-52;  // of a place

// The chance that binomial rows and noise together reach t.
double chance(const BinomialBlocks& rows, const PairTail& noise, double t) {
  double sum = rows.rest;
  for (const BinomialBlocks::Block& block : rows.blocks) sum += block.mass * noise.at(t - block.greatest);
  return sum;
}

}  // namespace

template <class Law>
Result<PopulationProportionInference<Law>> PopulationProportionInference<Law>::of(const Law& law,
                                                                                  const MeanNodes& nodes,
                                                                                  noise::ValueRange bounds, Alpha alpha,
                                                                                  Assurance, const Design& design) {
  if (nodes.basis() != Basis::two || nodes.steps() != 1) {
    return invalid("a population proportion needs two node sums with one step between the bounds");
  }
  VERNIER_TRY(check_design(design));
  VERNIER_TRY(check_population_alpha(alpha));
  if (design.greatest_weight != 1) {
    return invalid("a proportion of weighted rows has no binomial law; ask for the mean of three node sums instead");
  }
  const double apart = alpha.value() * part_of_rows, rare = (alpha.value() - apart) / 2 * lowered;
  PopulationProportionInference found(CombinedNoise<Law>::of(law, alpha, nodes.count()),
                                      PairNoise<Law>::of(law, *Probability::of(rare * part_unresolved)),
                                      SmoothedNoise<Law>::of(law, *Probability::of(2 * rare)),
                                      BoundedSumAndNoise<Law>::of(law, *Probability::of(rare), least_ratio), nodes,
                                      bounds);
  found.variance_ = law.variance().upper;
  found.rare_ = rare;
  found.rows_reach_ = sum_reach(law, 2, *Probability::of(apart / 2));
  found.status_ = design.sampled > 0 ? Status::tested : Status::proven;
  return found;
}

template <class Law>
auto PopulationProportionInference<Law>::rows_for(double total) const -> Rows {
  const auto middle = static_cast<std::int64_t>(total);
  return {std::max(middle - rows_reach_ + 1, std::int64_t{0}), middle + rows_reach_ - 1};
}

// For every number of rows that may be, tried at some of them. With n between two that are m apart, what is added or
// left out on the way to either moves the sum by p (1 - p) m at most on the nearer way.
template <class Law>
bool PopulationProportionInference<Law>::is_rare(const Question& asked, const PairTail& noise) const {
  const double p = asked.shares.first, q = asked.shares.last;
  const double product = q * (1 - p), most = static_cast<double>(asked.rows.greatest);
  const double deviation = std::sqrt(most * p * (1 - q) + variance_ / 2);
  const auto between = static_cast<std::int64_t>(std::clamp(shift_between_rows * deviation / product, 1.0, 1e15));
  const double shift = between > 1 ? product * static_cast<double>(between) : 0;
  for (std::int64_t rows = asked.rows.greatest;; rows = std::max(rows - between, asked.rows.least)) {
    const double off = asked.total - static_cast<double>(rows);
    const double t = asked.upper - std::max(p * off, q * off) - shift;
    const double error = (std::abs(asked.upper) + std::abs(asked.total)) * sum_error;
    if (chance(BinomialBlocks::of(rows, q, rare_ * part_unresolved), noise, t - error) > rare_) return false;
    if (rows == asked.rows.least) return true;
  }
}

// What is far from it, or far beyond it, is seen more quickly.
template <class Law>
bool PopulationProportionInference<Law>::is_rare(const Question& asked) const {
  const double p = asked.shares.first, q = asked.shares.last;
  const double off = asked.upper - q * asked.total - (std::abs(asked.upper) + std::abs(asked.total)) * sum_error;
  if (!(off > 0)) return false;
  const double variance = static_cast<double>(asked.rows.greatest) * q * (1 - p) * raised;
  const Coefficients least{p, 1 - q, 0}, greatest{q, 1 - p, 0};
  if (!smoothed_.rarely_reaches(variance, greatest, 1.5 * off + 2)) return false;
  if (bound_.rarely_reaches({variance, 1 - p}, least, greatest, off)) return true;
  const double deviation = std::sqrt(variance + variance_ / 2);
  const auto lattice = deviation < fine_lattice * pair_.step() ? pair_.by_lattice(asked.shares) : std::nullopt;
  return is_rare(asked, lattice ? *lattice : pair_.by_reals(asked.shares));
}

template <class Law>
Places PopulationProportionInference<Law>::kept_places(Released released, double total) const {
  const Rows rows = rows_for(total);
  const auto lower = static_cast<double>(released[0]), upper = static_cast<double>(released[1]);
  const double middle = std::clamp(upper / total, 0.0, 1.0);
  const double spread = static_cast<double>(rows.greatest) * middle * (1 - middle);
  const double error = std::sqrt(spread + variance_) / total;
  const auto rejects = [&](Cell cell) {
    const double first = std::max(as_place(cell.first) - roundoff, 0.0),
                 last = std::min(as_place(cell.last) + roundoff, 1.0);
    return is_rare({upper, total, rows, {first, last}}) || is_rare({lower, total, rows, {1 - last, 1 - first}});
  };
  const Places places = places_of(kept_hull(rejects, resolution_for(error, finer_than_error)));
  if (lies_inside(places)) return places;
  return lengthened(places, middle, smoothed_.reach(spread, {middle, 1 - middle, 0}) / std::max(total, 1.0));
}

template <class Law>
Result<PopulationInterval> PopulationProportionInference<Law>::from(Released released) const {
  if (released.size() != nodes_.count()) return wrong_number_of_sums(nodes_, released);
  const double total = total_of(released);
  const Places places = total > 0 ? kept_places(released, total) : Places{0, 1};
  const Interval interval = values_of(bounds_, places);
  const double value = value_at(bounds_, shrunken_place(nodes_, released, variance_), interval);
  return PopulationInterval{value,   farthest_end(value, interval),     interval,
                            status_, places.low > 0 || places.high < 1, may_have_no_rows(noise_, nodes_, total)};
}

template class PopulationProportionInference<noise::Geometric>;
template class PopulationProportionInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
