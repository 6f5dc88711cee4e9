#include "vernier/core/result.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace vernier {
namespace {

Result<std::unique_ptr<int>> made(int x) {
  if (x < 0) return invalid("x is negative");
  return std::make_unique<int>(x);
}

Result<void> checked(int x) {
  if (x == 0) return invalid("x is zero");
  return {};
}

Result<int> used(int x) {
  VERNIER_TRY(const std::unique_ptr<int> first, made(x));
  VERNIER_TRY(checked(*first));
  if (x > 1) {
    VERNIER_TRY(checked(x - 2));
  }
  VERNIER_TRY(const auto second, made(*first + 1));
  return *first + *second;
}

TEST(Try, TakesTheValueOut) { EXPECT_EQ(used(1), 3); }

TEST(Try, PassesTheFirstErrorOn) {
  EXPECT_EQ(used(-1).error().sentence(), "x is negative");
  EXPECT_EQ(used(0).error().sentence(), "x is zero");
  EXPECT_EQ(used(2).error().sentence(), "x is zero");
}

}  // namespace
}  // namespace vernier
