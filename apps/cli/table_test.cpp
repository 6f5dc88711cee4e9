#include "cli/table.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(Table, IsAlignedByCharacters) {
  Output output;
  write_aligned(output, {{"größe"}, {"n", Align::right}, {""}}, {{"a", "50,123", "± 12"}, {"öäü", "7", "± 120"}});
  EXPECT_EQ(output.text(),
            "größe       n\n"
            "a      50,123  ± 12\n"
            "öäü         7  ± 120\n");
}

}  // namespace
}  // namespace vernier::cli
