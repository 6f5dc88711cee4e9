#include "vernier/plan/check_inference.hpp"

namespace vernier::plan {
namespace {

Failure not_offered(const std::string& option) {
  return invalid("asks for " + option + ", which this version does not offer; leave it out");
}

// What is made of numbers that were released.
Result<void> check_derived(const query::Inference& asked) {
  if (asked.denoise != query::Denoise::none) return not_offered("denoise");
  return asked.differences.empty() ? Result<void>() : not_offered("differences");
}

}  // namespace

Result<void> check_inference(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  if (asked.of_population) return not_offered("covers = \"population\"");
  if (asked.is_simultaneous) return not_offered("simultaneous");
  return check_derived(asked);
}

}  // namespace vernier::plan
