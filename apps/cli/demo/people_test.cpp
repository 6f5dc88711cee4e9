#include <algorithm>

#include <gtest/gtest.h>

#include "cli/demo/demo.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/study.hpp"

namespace vernier::cli {
namespace {

TEST(Demo, DeclaresWhatItWrites) {
  const query::Reading<query::Catalog> catalog = query::examine_catalog_text("catalog.toml", demo_catalog());
  ASSERT_TRUE(catalog.content) << catalog.problems.front().sentence();
  const query::Reading<query::Study> study = query::examine_study_text("study.toml", demo_study());
  ASSERT_TRUE(study.content) << study.problems.front().sentence();
  DemoRandom random(**random::thread_source());
  const std::string people = demo_people(random), visits = demo_visits(random);
  for (const auto& [name, csv] : {std::pair("people", &people), std::pair("visits", &visits)}) {
    std::string header;
    for (const query::Column& column : catalog.content->table(name)->columns) {
      header += (header.empty() ? "" : ",") + column.name;
    }
    EXPECT_EQ(csv->substr(0, csv->find('\n')), header);
  }
  EXPECT_EQ(std::count(people.begin(), people.end(), '\n'), demo_persons + 1);
  EXPECT_GT(std::count(visits.begin(), visits.end(), '\n'), demo_persons);
  EXPECT_TRUE(random.state());
}

TEST(Demo, ChoosesInProportionToTheWeights) {
  DemoRandom random(**random::thread_source());
  constexpr std::array<double, 3> weights = {1, 0, 3};
  std::array<int, 3> counts{};
  for (int i = 0; i < 40'000; ++i) ++counts[random.choose(weights)];
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[0], 10'000, 1000);  // more than eleven deviations
}

}  // namespace
}  // namespace vernier::cli
