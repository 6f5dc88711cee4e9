#include "vernier/interval/population_quantile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "vernier/interval/binomial_masses.hpp"
#include "vernier/interval/weighted_reach.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::interval {
namespace {

constexpr std::int64_t most_rows_summed = std::int64_t{1} << 34;
constexpr double part_left_out = 1e-4;        // of alpha
constexpr double blocks_per_deviation = 128;  // neighbouring masses are taken together, at their worst place
constexpr double raised = 1 + 1e-6;           // of positive terms; the page counts 2e-7
constexpr double small_step = 1e-3;           // below, the step of one rank is taken whole
constexpr double greatest_exponent = 700;
constexpr double all_but_certain = 1e9;

// Numbers of rows below the quantile of the population, as D at it: what the rows themselves move it by.
struct Block {
  double above, below;  // the greatest D, and the greatest -D
  double mass;
};

std::vector<Block> blocks_of(const noise::RankStatistic& statistic, const BinomialMasses& rows, std::int64_t n,
                             double deviation) {
  const auto length = static_cast<std::int64_t>(deviation / blocks_per_deviation) + 1;
  std::vector<Block> blocks;
  for (std::int64_t k = rows.first; k <= rows.last(); k += length) {
    const std::int64_t end = std::min(k + length - 1, rows.last());
    Block block{static_cast<double>(statistic.at(end, n)), -static_cast<double>(statistic.at(k, n)), 0};
    for (std::int64_t i = k; i <= end; ++i) block.mass += rows.masses[static_cast<std::size_t>(i - rows.first)];
    blocks.push_back(block);
  }
  return blocks;
}

// What a rank moves D by, the scale of choices and the number of pairs of which an end misses, for half of the points.
struct Choice {
  double step;         // denominator
  double twice_scale;  // 2 s
  double half_log;     // ln(points (points - 1) / 2)
};

// P[an end misses] where D is this far toward it, averaged over a rank more; and how fast it grows with the part of the
// points that lie beyond the quantile, at one half.
struct Miss {
  double chance, growth;
};
Miss miss_at(const Choice& choice, double reach, double toward) {
  const auto weight = [&](double d) {
    return std::exp(std::min((d - reach) / choice.twice_scale + choice.half_log, greatest_exponent));
  };
  const double first = weight(toward), last = weight(toward + choice.step);
  const double ranks = choice.twice_scale / choice.step;
  const double greatest = last / (1 + last), grown = greatest - first / (1 + first);
  // Where one rank is little, or both are nearly certain, the greater one stands for the average.
  if (choice.step < small_step * choice.twice_scale || first > all_but_certain) {
    return {greatest, 2 * greatest * (1 - greatest)};
  }
  return {(std::log1p(last) - std::log1p(first)) * ranks, 2 * ranks * grown};
}

class ChanceToMiss {
 public:
  ChanceToMiss(const noise::Exponential& law, const noise::RankStatistic& statistic, double rest, std::int64_t n)
      : choice_(choice_of(law, statistic)), points_(static_cast<double>(statistic.points())) {
    const double p = static_cast<double>(statistic.numerator()) / static_cast<double>(statistic.denominator());
    const Chance chance = *Chance::of(p);
    const double variance = binomial_variance(n, chance), noise = choice_.twice_scale / choice_.step;
    const BinomialMasses rows = binomial_masses(n, chance, rest);
    blocks_ = blocks_of(statistic, rows, n, std::max(std::sqrt(variance), noise));
    beyond_ = rows.beyond;
    const double all = variance + 1.0 / 12 + std::numbers::pi * std::numbers::pi / 3 * noise * noise;
    least_reach_ =
        choice_.twice_scale * (choice_.half_log + std::numbers::ln2) + choice_.step * (std::sqrt(3 * all) + 1.5);
  }

  // With this reach, for every number of rows up to n and wherever the quantile lies; from above. 1 where a reach is so
  // short that fewer rows might be worse.
  double at(std::int64_t reach) const {
    const auto wanted = static_cast<double>(reach);
    if (wanted < least_reach_ * raised) return 1;
    double chance = 2 * beyond_, growth = 0;
    for (const Block& block : blocks_) {
      const Miss lower = miss_at(choice_, wanted, block.below), upper = miss_at(choice_, wanted, block.above);
      chance += block.mass * (lower.chance + upper.chance);
      growth += block.mass * (lower.growth - upper.growth);
    }
    return (chance + std::abs(growth) / 2) * (1 + 1 / points_) * raised;
  }

  std::int64_t guess() const { return static_cast<std::int64_t>(std::min(least_reach_, 0x1p59)); }

 private:
  static Choice choice_of(const noise::Exponential& law, const noise::RankStatistic& statistic) {
    const auto points = static_cast<double>(statistic.points());
    return {static_cast<double>(statistic.denominator()), 2 * law.scale(), std::log(points * (points - 1) / 2)};
  }

  Choice choice_;
  double points_;
  double beyond_ = 0, least_reach_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace

Result<std::int64_t> population_reach(const noise::Exponential& law, const noise::RankStatistic& statistic, Alpha alpha,
                                      std::int64_t most_rows) {
  if (statistic.ends() != noise::Ends::both) {
    return invalid("MIN and MAX of a population cannot be told from a sample; ask for a quantile");
  }
  if (most_rows < 0 || most_rows > std::min(most_rows_summed, statistic.rows_that_fit())) {
    return invalid("a quantile of a population needs a row limit of at most " +
                   std::to_string(std::min(most_rows_summed, statistic.rows_that_fit())) + ", but it is " +
                   std::to_string(most_rows) + "; declare a smaller row limit");
  }
  const ChanceToMiss miss(law, statistic, alpha.value() * part_left_out, most_rows);
  const auto holds = [&](std::int64_t reach) { return miss.at(reach) <= alpha.value(); };
  return numeric::least_integer(holds, miss.guess(), {1, std::int64_t{1} << 60});
}

Result<PopulationQuantileInference> PopulationQuantileInference::of(const noise::RankStatistic& statistic,
                                                                    const noise::RankGrid& grid,
                                                                    const noise::Exponential& law, Alpha alpha,
                                                                    std::int64_t most_rows,
                                                                    std::optional<std::int64_t> heaviest) {
  const auto of_rows = QuantileInference::of(statistic, grid, law, alpha);
  if (!of_rows) return Failure(of_rows.error());
  const Result<std::int64_t> wanted = heaviest ? weighted_population_reach(law, statistic, alpha, most_rows, *heaviest)
                                               : population_reach(law, statistic, alpha, most_rows);
  return wanted.map(
      [&](std::int64_t reach) { return PopulationQuantileInference(*of_rows, std::max(reach, of_rows->reach())); });
}

Result<PopulationQuantileInterval> PopulationQuantileInference::from(std::array<std::int64_t, 2> ends) const {
  return of_rows_.from(ends).map([](const QuantileInterval& found) { return PopulationQuantileInterval{found}; });
}

template <class Law>
Result<std::int64_t> rows_at_most(const Law& law, std::int64_t released, Alpha alpha) {
  const double both_sides = std::min(2 * alpha.value(), 1.0);
  return law.two_sided_quantile(*Probability::of(both_sides)).map([&](std::int64_t reach) {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    return std::max(std::clamp(released, -most, most - 1) + std::min(reach, most), std::int64_t{0});
  });
}

template Result<std::int64_t> rows_at_most(const noise::Geometric&, std::int64_t, Alpha);
template Result<std::int64_t> rows_at_most(const noise::DiscreteGaussian&, std::int64_t, Alpha);

}  // namespace vernier::interval
