#include "vernier/engine/spark/address.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace vernier::engine {
namespace {

Result<SparkAddress> read(const std::string& address, bool plaintext = false) {
  query::Engine engine;
  engine.kind = "spark";
  engine.address = address;
  engine.plaintext = plaintext;
  return spark_address(engine);
}

class SparkAddressTest : public ::testing::Test {
 protected:
  void SetUp() override { ::unsetenv("VERNIER_SPARK_TOKEN"); }
  void TearDown() override { ::unsetenv("VERNIER_SPARK_TOKEN"); }
};

TEST_F(SparkAddressTest, HasAServerAndWhatIsSaidOfIt) {
  const auto whole = read("sc://lake.example:443/;user_id=ann;x-cluster-id=0816-abc;use_ssl=true");
  ASSERT_TRUE(whole) << whole.error().sentence();
  EXPECT_EQ(whole->server.host, "lake.example");
  EXPECT_EQ(whole->server.port, 443);
  EXPECT_TRUE(whole->server.is_secure);
  EXPECT_EQ(whole->user, "ann");
  EXPECT_EQ(whole->headers, (Grpc::Headers{{"x-cluster-id", "0816-abc"}}));
  const auto bare = read("sc://127.0.0.1");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->server.port, 15002);
  EXPECT_FALSE(bare->server.is_secure);
  EXPECT_EQ(read("sc://[::1]:15003")->server.host, "::1");
}

TEST_F(SparkAddressTest, LeadsToAnotherMachineByTlsUnlessTheCatalogSaysOtherwise) {
  EXPECT_TRUE(read("sc://lake.example")->server.is_secure);
  EXPECT_FALSE(read("sc://lake.example", true)->server.is_secure);
  EXPECT_TRUE(read("sc://lake.example/;use_ssl=true", true)->server.is_secure);
  EXPECT_FALSE(read("sc://lake.example/;use_ssl=false"));
  EXPECT_TRUE(read("sc://127.0.0.1.evil.example")->server.is_secure);
}

TEST_F(SparkAddressTest, SendsATokenWhereNobodyElseReadsIt) {
  ::setenv("VERNIER_SPARK_TOKEN", "s3cret", 1);
  EXPECT_EQ(read("sc://lake.example")->headers, (Grpc::Headers{{"authorization", "Bearer s3cret"}}));
  EXPECT_TRUE(read("sc://127.0.0.1"));
  EXPECT_FALSE(read("sc://lake.example", true));
  ::setenv("VERNIER_SPARK_TOKEN", "two\r\nlines", 1);
  EXPECT_FALSE(read("sc://lake.example"));
}

TEST_F(SparkAddressTest, IsRefusedWhereItIsNone) {
  for (const char* wrong :
       {"spark://lake:7077", "sc://", "sc://:15002", "sc://lake:0", "sc://lake:65536", "sc://lake:x", "sc://[::1",
        "sc://a@lake", "sc://lake/db", "sc://lake/;use_ssl=yes", "sc://lake/;session_id=1", "sc://lake/;user_id",
        "sc://lake/;user_id=", "sc://lake/;user_id=a b", "sc://lake/;x-A=1", "sc://lake?x=1"}) {
    EXPECT_FALSE(read(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace vernier::engine
