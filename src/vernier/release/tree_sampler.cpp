#include "vernier/release/tree_sampler.hpp"

#include "vernier/plan/rank_measure.hpp"

namespace vernier::release {

Result<TreeSampler> TreeSampler::of(const plan::BoundStatistic& statistic, std::size_t place,
                                    const plan::AdditiveLaw& law, Alpha level) {
  plan::Measurement one = statistic.measurements[place];
  VERNIER_TRY(const auto tree, plan::tree_shape(one));
  std::vector<Wanted> wanted;
  for (const query::Fraction& fraction : plan::tree_fractions(statistic, place)) {
    one.fraction = fraction;
    VERNIER_TRY(const auto ranked, plan::rank_statistic(one));
    VERNIER_TRY(const auto reaches, plan::tree_reaches(one, law, level));
    wanted.push_back({ranked, reaches.ends});
  }
  Any sampler = std::visit([](const auto& known) { return Any(noise::IntegerSampler(known)); }, law);
  return TreeSampler(tree, std::move(sampler), std::move(wanted), one.tallies.front());
}

}  // namespace vernier::release
