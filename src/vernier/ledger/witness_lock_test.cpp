#include <chrono>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/ledger/witness.hpp"

namespace vernier::ledger {
namespace {

using vernier::testing::TemporaryFolder;

Witness::Memory memory_at(std::int64_t index) { return {sha256("a").value(), {index, sha256("b").value()}}; }

// Whoever may read the file can hold its lock for ever.
TEST(WitnessLock, WaitsNoLongerThanItSays) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "w";
  ASSERT_TRUE(Witness::open(path).value().remember(memory_at(1)));
  Witness witness = Witness::open(path, std::chrono::milliseconds(50)).value();
  const int holder = ::open(path.c_str(), O_RDWR);
  ASSERT_EQ(::flock(holder, LOCK_EX), 0);
  const std::string held = "the witness '" + path.string() + "' was held by another process for 0 seconds; see which";
  const Result<Witness> second = Witness::open(path, std::chrono::milliseconds(50));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().sentence().find(held), 0U) << second.error().sentence();
  const Result<void> refused = witness.remember(memory_at(5));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().sentence().find(held), 0U) << refused.error().sentence();
  ::close(holder);
  EXPECT_TRUE(witness.remember(memory_at(5)));
  EXPECT_EQ(Witness::open(path).value().memory()->position.index, 5);
}

}  // namespace
}  // namespace vernier::ledger
