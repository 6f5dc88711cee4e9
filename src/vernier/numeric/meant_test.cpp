#include "vernier/numeric/meant.hpp"

#include <string>

#include <gtest/gtest.h>

namespace vernier::numeric {
namespace {

TEST(Meant, TellsADecimalAsItWasWritten) {
  for (const char* const text : {"1e-05", "0.1", "3", "1e-06", "0.3", "123456.789"}) {
    const Rational value = Rational::of_decimal(text).value();
    EXPECT_EQ(meant(value), std::stod(text)) << text;
  }
}

TEST(Meant, RoundsDownWhatHasNoShortDecimal) {
  const Rational third = quotient(Rational::of(1), Rational::of(3)).value();
  EXPECT_EQ(meant(third), third.round_down());
  EXPECT_LT(Rational::of(meant(third)).value(), third);
}

}  // namespace
}  // namespace vernier::numeric
