#include "vernier/release/tree_sampler.hpp"

#include "vernier/plan/rank_measure.hpp"

namespace vernier::release {

Result<TreeSampler> TreeSampler::of(const plan::BoundStatistic& statistic, std::size_t place,
                                    const plan::AdditiveLaw& law, Alpha level) {
  plan::Measurement one = statistic.measurements[place];
  const auto tree = plan::tree_shape(one);
  if (!tree) return Failure(tree.error());
  std::vector<Wanted> wanted;
  for (const query::Fraction& fraction : plan::tree_fractions(statistic, place)) {
    one.fraction = fraction;
    const auto ranked = plan::rank_statistic(one);
    if (!ranked) return Failure(ranked.error());
    const auto reaches = plan::tree_reaches(one, law, level);
    if (!reaches) return Failure(reaches.error());
    wanted.push_back({*ranked, reaches->ends});
  }
  Any sampler = std::visit([](const auto& known) { return Any(noise::IntegerSampler(known)); }, law);
  return TreeSampler(*tree, std::move(sampler), std::move(wanted), one.tallies.front());
}

}  // namespace vernier::release
