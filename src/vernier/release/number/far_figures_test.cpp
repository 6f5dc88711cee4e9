#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/derived_releases.hpp"
#include "support/inferred_releases.hpp"
#include "support/signed_releases.hpp"

// Records with figures that no release has, signed again.
namespace vernier::release {
namespace {

using testing::Json;

bool is_of_later_row(const std::string& path) {
  return path.find("/rows/") != std::string::npos && path.find("/rows/0/") == std::string::npos;
}

// An infinity is close to nothing: neither a figure that is free within its last digits nor one that is believed may be
// one, and 0 has no sign.
int far_figures_refused(const std::vector<testing::NamedRelease>& releases, bool with_all_rows) {
  int refused = 0;
  for (const auto& [name, release] : releases) {
    const Json record = Json::parse(testing::record_of(release));
    for (const std::string& path : testing::leaves_of(record)) {
      if (!with_all_rows && is_of_later_row(path)) continue;
      for (const std::string& text : testing::with_far_figures(record, path)) {
        const std::string problem = testing::problem_of_text(text);
        EXPECT_NE(problem, "") << name << path;
        EXPECT_FALSE(problem.starts_with("signature")) << name << path;
        refused += problem.empty() ? 0 : 1;
      }
    }
  }
  return refused;
}

TEST(SlowVerify, RefusesEveryFigureThatIsNoFiniteNumber) {
  EXPECT_GT(far_figures_refused(testing::small_releases(), false), 1000);
  EXPECT_GT(far_figures_refused(testing::derived_releases(), false), 1000);
  EXPECT_GT(far_figures_refused(testing::inferred_releases(), false), 1000);
}

TEST(HeavyVerify, RefusesEveryFigureThatIsNoFiniteNumber) {
  EXPECT_GT(far_figures_refused(testing::kinds_of_releases(), true), 5000);
}

}  // namespace
}  // namespace vernier::release
