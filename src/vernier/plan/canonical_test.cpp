#include <set>

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic, test::bound_study, test::with_private_keys;

const query::Column income{"income",
                           query::Type::integer,
                           query::Range{query::Value(std::int64_t{0}), query::Value(std::int64_t{100})},
                           1,
                           {},
                           {},
                           {},
                           {}};

BoundStudy a_study() {
  auto grouped = bound_statistic("by region", {{"people"}, {"total", Sum::kind, 100}});
  grouped.arguments.push_back({query::column(income), 1, 0, {0, 100}, true});
  grouped.tallies.push_back({TallyKind::sum, 0});
  grouped.measurements[1].tallies = {1};
  grouped.query.keys.push_back({query::column({"region", query::Type::string, {}, 1, {}, {}, {}, {}}), "region"});
  grouped.query.outputs.insert(grouped.query.outputs.begin(), {true, 0});
  grouped.keys.cells = {{query::Value(std::string("it's"))}, {query::Value(std::string("north"))}};
  const auto towns = with_private_keys(bound_statistic("towns", {{"n", Units::kind}}), 2);
  return bound_study({grouped, towns}, {"1", "1e-7"});
}

TEST(CanonicalPlan, IsTheSameForTheSameStudy) {
  EXPECT_EQ(canonical(allocate(a_study()).value()), canonical(allocate(a_study()).value()));
}

TEST(CanonicalPlan, SaysWhatIsReleased) {
  const Plan plan = allocate(a_study()).value();
  const std::string text = canonical(plan);
  for (const char* fact :
       {R"({"version":2,"unit_column":null,"unit":"row","neighbours":"add-remove","guarantee":{"epsilon":)",
        R"("statistics":[{"name":"by region","keys":["region"],)", R"("private_keys":null,)",
        R"("cells":[{"region":"it's"},{"region":"north"}])", R"("longest":1024)", R"("expression":"\"income\"")",
        R"({"kind":"sum","argument":0})", R"({"kind":"sum","figure":"sum","width":1,)",
        R"("tallies":[1],"column":"total")", R"("sensitivity":100,"coordinates":1,)", R"("share":)"}) {
    EXPECT_NE(text.find(fact), std::string::npos) << fact << text;
  }
  EXPECT_NE(text.find("\"threshold\":" + std::to_string(plan.statistics[1].keys->threshold)), std::string::npos);
}

// Whatever is changed shows.
TEST(CanonicalPlan, ChangesWithEveryFact) {
  const Plan plan = allocate(a_study()).value();
  std::set<std::string> texts = {canonical(plan)};
  const auto add_changed = [&](const auto& change) {
    Plan changed = plan;
    change(changed);
    EXPECT_TRUE(texts.insert(canonical(changed)).second) << texts.size();
  };
  add_changed([](Plan& p) { p.epsilon *= 2; });
  add_changed([](Plan& p) { p.delta = privacy::Delta::zero(); });
  add_changed([](Plan& p) { p.method = accounting::Method::rdp; });
  add_changed([](Plan& p) { p.study.neighbours = privacy::Neighbours::replace; });
  add_changed([](Plan& p) { p.study.origin.catalog = std::string(64, 'a'); });
  add_changed([](Plan& p) { p.study.origin.sources = std::string(64, 'a'); });
  add_changed([](Plan& p) { p.study.alpha = *Alpha::of(0.1); });
  add_changed([](Plan& p) { p.study.statistics[0].name += "x"; });
  add_changed([](Plan& p) { p.study.statistics[0].table.name += "x"; });
  add_changed([](Plan& p) { p.study.statistics[0].table.unit = "id"; });
  add_changed([](Plan& p) { p.study.statistics[0].table.unit = "row"; });
  add_changed([](Plan& p) { p.study.statistics[0].table.row_limit += 1; });
  add_changed([](Plan& p) { p.study.statistics[0].contribution.max_groups += 1; });
  add_changed([](Plan& p) { p.study.statistics[0].contribution.max_rows += 1; });
  add_changed([](Plan& p) { p.study.statistics[0].weight = test::decimal("2"); });
  add_changed([](Plan& p) { p.study.statistics[0].typical_rows += 1; });
  add_changed([](Plan& p) { p.study.statistics[0].query.aggregations[0].name += "x"; });
  add_changed([](Plan& p) { p.study.statistics[0].keys.cells.pop_back(); });
  add_changed([](Plan& p) { p.study.statistics[0].arguments[0].origin = 3; });
  add_changed([](Plan& p) { p.study.statistics[0].arguments[0].steps.upper = 99; });
  add_changed([](Plan& p) { p.study.statistics[0].arguments[0].is_number = false; });
  add_changed([](Plan& p) { p.study.statistics[0].tallies[1].kind = TallyKind::values; });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[1].figure = Figure::mean; });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[1].width += 1; });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[1].source = 0; });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[1].greatest += 1; });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[1].target = test::decimal("7"); });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[1].sensitivity.coordinates += 1; });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[1].sensitivity.shift += 1; });
  add_changed([](Plan& p) { p.statistics[0].noise[0].law = *noise::Geometric::of(*LaplaceScale::of(77)); });
  add_changed([](Plan& p) { p.statistics[0].noise[0].law = *noise::DiscreteGaussian::of(*Sigma::of(77)); });
  add_changed([](Plan& p) { p.statistics[0].noise[0].accuracy_steps += 1; });
  add_changed([](Plan& p) { p.statistics[0].noise[0].share /= 2; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.of_population = true; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.is_guaranteed = true; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.is_simultaneous = true; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.has_clamped_share = true; });
  add_changed([](Plan& p) { p.study.statistics[0].measurements[0].clamped_count = "moved"; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.denoise = query::Denoise::least_risk; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.denoise = query::Denoise::consistent; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.differences = {{"a", "b"}}; });
  add_changed([](Plan& p) { p.study.statistics[0].inference.differences = {{"a' 'b", "c"}}; });
  add_changed([](Plan& p) { p.statistics[1].keys->threshold += 1; });
  add_changed([](Plan& p) { p.statistics[1].keys->delta /= 2; });
  add_changed([](Plan& p) { p.statistics[1].keys->forecast.pop_back(); });
}

}  // namespace
}  // namespace vernier::plan
