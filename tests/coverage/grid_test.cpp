// No claim of coverage is refuted anywhere in a grid of statistic x rows x epsilon x shape, at a false-alarm rate of
// 1e-6 for the whole grid. How much more than claimed is covered is printed.
#include <cctype>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "coverage/cells.hpp"

namespace vernier::coverage {
namespace {

const std::vector<std::int64_t> usual_sizes = {20, 300};
const std::vector<double> usual_epsilons = {0.2, 2};

const std::vector<std::int64_t> all_sizes = {2, 5, 20, 60, 200, 1000};
const std::vector<double> all_epsilons = {0.05, 0.2, 0.5, 1, 3};

class UsualGrid : public ::testing::TestWithParam<Claim> {};
class FullGrid : public ::testing::TestWithParam<Claim> {};

void expect_no_refutation(const std::vector<Cell>& cells, std::int64_t simulations) {
  const auto all = verdicts(cells, simulations, cells.size() * claims().size());
  std::cout << summary(all) << "\n";
  EXPECT_EQ(refuted(all), "");
}

TEST_P(UsualGrid, IsNowhereRefuted) { expect_no_refutation(cells_of({GetParam()}, usual_sizes, usual_epsilons), 1000); }

TEST_P(FullGrid, IsNowhereRefuted) { expect_no_refutation(cells_of({GetParam()}, all_sizes, all_epsilons), 2000); }

std::string name_of(const ::testing::TestParamInfo<Claim>& info) {
  std::string name;
  for (const char sign : info.param.name) name += std::isalnum(static_cast<unsigned char>(sign)) != 0 ? sign : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(SlowCoverage, UsualGrid, ::testing::ValuesIn(claims()), name_of);
INSTANTIATE_TEST_SUITE_P(HeavyCoverage, FullGrid, ::testing::ValuesIn(claims()), name_of);

TEST(CoverageGrid, HasTwoHundredCellsAndTwoThousandInFull) {
  EXPECT_GE(cells_of(claims(), usual_sizes, usual_epsilons).size(), 200U);
  EXPECT_GE(cells_of(claims(), all_sizes, all_epsilons).size(), 2000U);
}

}  // namespace
}  // namespace vernier::coverage
