#include "vernier/release/verify.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/signed_releases.hpp"

namespace vernier::release {
namespace {

using testing::kinds_of_releases;
using testing::record_of;

TEST(Verify, HoldsForEveryKindOfRelease) {
  for (const auto& [name, release] : kinds_of_releases()) {
    const Verdict verdict = verify(record_of(release), testing::test_key().public_key());
    EXPECT_TRUE(verdict.holds()) << name << ": " << verdict.first_problem.value_or("");
    EXPECT_EQ(verdict.checks.size(), 14U) << name;
  }
}

}  // namespace
}  // namespace vernier::release
