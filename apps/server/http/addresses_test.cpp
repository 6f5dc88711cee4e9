#include "server/http/addresses.hpp"

#include <gtest/gtest.h>

namespace vernier::server {
namespace {

TEST(Addresses, LetInSoManyOfEachAndOneForEachThatLeaves) {
  Addresses addresses;
  EXPECT_TRUE(addresses.enter("a", 2));
  EXPECT_TRUE(addresses.enter("a", 2));
  EXPECT_FALSE(addresses.enter("a", 2));
  EXPECT_TRUE(addresses.enter("b", 2));
  addresses.leave("a");
  EXPECT_TRUE(addresses.enter("a", 2));
  addresses.leave("a");
  addresses.leave("a");
  addresses.leave("b");
  EXPECT_EQ(addresses.size(), 0U);
}

TEST(Addresses, AreCountedByTheMachineThatMayHaveThem) {
  EXPECT_EQ(counted_as("127.0.0.1"), "");
  EXPECT_EQ(counted_as("127.8.9.1"), "");
  EXPECT_EQ(counted_as("::1"), "");
  EXPECT_EQ(counted_as("::ffff:127.0.0.1"), "");
  EXPECT_EQ(counted_as("::ffff:192.0.2.7"), counted_as("192.0.2.7"));
  EXPECT_NE(counted_as("192.0.2.7"), counted_as("192.0.2.8"));
  EXPECT_EQ(counted_as("2001:db8:1:2::1"), counted_as("2001:db8:1:2:ffff::9"));
  EXPECT_EQ(counted_as("fe80::1%eth0"), counted_as("fe80::2"));
  EXPECT_NE(counted_as("2001:db8:1:2::1"), counted_as("2001:db8:1:3::1"));
}

}  // namespace
}  // namespace vernier::server
