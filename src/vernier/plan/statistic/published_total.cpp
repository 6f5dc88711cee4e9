#include "vernier/plan/statistic/published_total.hpp"

#include "vernier/interval/population/published.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/statistic/moment_sum.hpp"
#include "vernier/plan/statistic/nodes.hpp"

namespace vernier::plan {
namespace {

Result<Estimate> told_of(const Result<interval::PopulationInterval>& found) {
  return found.map([](const interval::PopulationInterval& one) { return estimate_of(one, one.status); });
}

template <class Law>
Result<Estimator> published_estimator(const Measured& in, const Law& law, const interval::Publication& publication,
                                      Alpha level) {
  const interval::Design design = design_of(in.statistic);
  if (!has_nodes(in.one.kind)) {
    VERNIER_TRY(const auto count, interval::PublishedCountInference<Law>::of(law, publication, level, design));
    return Estimator([count](std::span<const std::int64_t> noisy) { return told_of(count.from(noisy[0])); });
  }
  if (in.one.figure != Figure::sum) return invalid("is a count that would be made from the sums of a mean");
  VERNIER_TRY(const interval::MeanNodes nodes, nodes_of(in));
  VERNIER_TRY(const noise::ValueRange bounds, bounds_of(in.one));
  const bool is_guaranteed = in.statistic.inference.is_guaranteed;
  const auto assurance = is_guaranteed ? interval::Assurance::guaranteed : interval::Assurance::usual;
  VERNIER_TRY(const auto sum, interval::PublishedSumInference<Law>::of(law, nodes, bounds, publication, level,
                                                                       assurance, design, moved_by_member(in)));
  return Estimator([sum](std::span<const std::int64_t> noisy) { return told_of(sum.from(noisy)); });
}

}  // namespace

Result<Estimator> published_total(const Measured& in, const PlannedStatistic& planned, Alpha level) {
  VERNIER_TRY(const AdditiveLaw noise, added_by(planned.noise[in.place].law));
  VERNIER_TRY(const AdditiveLaw of_keys, added_by(planned.noise.front().law));
  const interval::Publication publication(of_keys, planned.keys->threshold);
  return std::visit([&](const auto& law) { return published_estimator(in, law, publication, level); }, noise);
}

}  // namespace vernier::plan
