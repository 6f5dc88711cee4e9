#include "vernier/plan/plan_json.hpp"

#include "vernier/plan/description.hpp"

namespace vernier::plan {

void write_protection(JsonWriter& json, const Plan& plan) {
  JsonOut out(json);
  describe_protection(out, plan);
}

void write_key_names(JsonWriter& json, const query::Query& query) {
  JsonOut out(json);
  describe_key_names(out, query);
}

void write_releases(JsonWriter& json, const Plan& plan, std::size_t place) {
  JsonOut out(json);
  const BoundStatistic& statistic = plan.study.statistics[place];
  const std::vector<PlannedNoise>& noise = plan.statistics[place].noise;
  out.exactly("releases", statistic.measurements.size(), [&](JsonOut& one, std::size_t i) {
    describe_release(one, statistic, statistic.measurements[i], noise[i]);
  });
}

}  // namespace vernier::plan
