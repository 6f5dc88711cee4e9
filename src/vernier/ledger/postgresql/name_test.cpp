#include <gtest/gtest.h>

#include "vernier/ledger/postgresql/store.hpp"

namespace vernier::ledger {
namespace {

TEST(PostgresqlName, LeavesThePasswordOut) {
  EXPECT_EQ(name_of_postgresql("postgresql://me:s3cret@host:5433/db?options=-csearch_path%3Dx"),
            "postgresql://me@host:5433/db?options=-csearch_path%3Dx");
  EXPECT_EQ(name_of_postgresql("postgresql://me@host/db?password=s3cret"), "postgresql://me@host/db");
}

TEST(PostgresqlName, SaysNothingWhereThePasswordMayBeAnywhere) {
  for (const char* address : {"postgresql://me:s3c@ret@host/db", "postgresql://me:s3/cret@host/db",
                              "mysql://me:s3cret@h", "postgresql://%zz:s3cret@host", "://s3cret"}) {
    EXPECT_EQ(name_of_postgresql(address), "postgresql://") << address;
  }
}

}  // namespace
}  // namespace vernier::ledger
