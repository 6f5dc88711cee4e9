#include "vernier/table/lattice.hpp"

#include <gtest/gtest.h>

namespace vernier::table {
namespace {

TEST(Lattice, HasAllTablesUpToAnOrder) {
  EXPECT_EQ(all_up_to(3, 2).value(), (std::vector<Columns>{{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(all_up_to(14, 3)->size(), 470U);
  EXPECT_EQ(all_up_to(2, 9)->size(), 4U);
  EXPECT_EQ(all_up_to(100, 3)->size(), 166'751U);
  EXPECT_FALSE(all_up_to(200, 3).has_value());
}

TEST(Lattice, HasEverySubsetOfItsTablesOnceAsAResidual) {
  const Lattice lattice = Lattice::of({3, 4, 2}, {{0, 1}, {1, 2}, {0}}).value();
  EXPECT_EQ(lattice.residuals(), (std::vector<Columns>{{}, {0}, {1}, {2}, {0, 1}, {1, 2}}));
  EXPECT_EQ(lattice.parts(0).size(), 4U);
  EXPECT_EQ(lattice.cells({0, 1}), 12);
  EXPECT_DOUBLE_EQ(lattice.price(lattice.residual_of({0, 1})), 2.0 / 3 * 3 / 4);
  const auto finer = lattice.finer();
  EXPECT_EQ(finer[lattice.residual_of({1})], lattice.residual_of({1, 2}));  // 8 cells, and not 12
  EXPECT_EQ(finer[lattice.residual_of({0, 1})], std::nullopt);
}

// A column of one key has no contrast; its tables are those without it.
TEST(Lattice, LeavesOutResidualsOfColumnsWithOneKey) {
  const Lattice lattice = Lattice::of({3, 1}, {{0, 1}, {1}}).value();
  EXPECT_EQ(lattice.residuals(), (std::vector<Columns>{{}, {0}}));
  EXPECT_EQ(lattice.parts(0).size(), 2U);
}

TEST(Lattice, RefusesTablesThatCannotBe) {
  EXPECT_FALSE(Lattice::of({3, 4}, {{0, 2}}).has_value());
  EXPECT_FALSE(Lattice::of({3, 4}, {{1, 0}}).has_value());
  EXPECT_FALSE(Lattice::of({3, 4}, {{0}, {0}}).has_value());
  EXPECT_FALSE(Lattice::of({3, 4}, {}).has_value());
  EXPECT_FALSE(Lattice::of({3, 0}, {{0}}).has_value());
  const auto large = Lattice::of({100'000, 100'000}, {{0, 1}});
  ASSERT_FALSE(large.has_value());
  EXPECT_NE(large.error().sentence().find("lower up_to"), std::string::npos);
}

}  // namespace
}  // namespace vernier::table
