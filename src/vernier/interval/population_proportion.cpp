#include "vernier/interval/population_proportion.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/binomial_blocks.hpp"
#include "vernier/interval/noise_sum.hpp"
#include "vernier/interval/population_mean.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_rows = 0.05;        // of alpha: with this chance at most the number of rows is not as believed
constexpr double part_unresolved = 1e-3;     // of what is rare
constexpr double shift_between_rows = 0.04;  // deviations
constexpr int finer_than_error = 7;          // bits
constexpr double lowered = 1 - 1e-9, raised = 1 + 1e-9;
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
