#include "text/confidence_text.hpp"

#include <gtest/gtest.h>

namespace vernier::text {
namespace {

TEST(ConfidenceText, IsExact) {
  EXPECT_EQ(confidence_text(0.05), "95 %");
  EXPECT_EQ(confidence_text(0.5), "50 %");
  EXPECT_EQ(confidence_text(0.9), "10 %");
  EXPECT_EQ(confidence_text(0.001), "99.9 %");
  EXPECT_EQ(confidence_text(4.56547e-05), "99.99543453 %");
  EXPECT_EQ(confidence_text(1e-12), "99.9999999999 %");
  EXPECT_EQ(confidence_text(1e-20), "1 - 1e-20");
  EXPECT_EQ(confidence_text(1.0 / 3), "1 - 0.3333333333333333");
}

}  // namespace
}  // namespace vernier::text
