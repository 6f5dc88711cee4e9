#include "vernier/plan/check_inference.hpp"

#include "vernier/plan/derived_columns.hpp"

namespace vernier::plan {
namespace {

Failure not_offered(const std::string& option) {
  return invalid("asks for " + option + ", which this version does not offer; leave it out");
}

}  // namespace

Result<void> check_inference(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  if (asked.of_population) return not_offered("covers = \"population\"");
  if (asked.is_simultaneous) return not_offered("simultaneous");
  if (asked.has_clamped_share) return not_offered("clamped_share");
  return check_derived(statistic);
}

}  // namespace vernier::plan
