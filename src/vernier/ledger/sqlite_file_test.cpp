#include "vernier/ledger/sqlite_file.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite_store.hpp"

namespace vernier::ledger {
namespace {

using testing::TemporaryFolder;

void expect_hard_links_refused(const std::filesystem::path& path) {
  const auto refused = open_sqlite(path, Missing::is_error);
  ASSERT_FALSE(refused) << path;
  EXPECT_NE(refused.error().sentence.find("has 2 names (hard links)"), std::string::npos) << refused.error().sentence;
}

// Each name would have a lock and a log of its own.
TEST(SqliteFile, RefusesAFileWithASecondName) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "ledger", other = folder.path() / "other";
  const auto store = open_sqlite(path, Missing::is_made);
  ASSERT_TRUE(store);
  ASSERT_TRUE((*store)->begin(Access::write));
  for (const char* end : {"", "-wal", "-shm"}) {
    std::filesystem::create_hard_link(path.string() + end, other);
    expect_hard_links_refused(path);
    const auto refused = (*store)->begin(Access::write);
    EXPECT_FALSE(refused) << "made after it was opened: " << path.string() + end;
    if (*end == '\0') expect_hard_links_refused(other);
    std::filesystem::remove(other);
    EXPECT_TRUE((*store)->begin(Access::write)) << "one name again";
  }
  std::filesystem::create_symlink(path, other);
  EXPECT_TRUE(open_sqlite(other, Missing::is_error)) << "has the log of the file that it names";
}

TEST(SqliteFile, WritesNothingOnceAnotherFileHasItsName) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "ledger", away = folder.path() / "away";
  const auto store = open_sqlite(path, Missing::is_made);
  ASSERT_TRUE(store);
  std::filesystem::rename(path, away);
  EXPECT_FALSE((*store)->begin(Access::write)) << "gone";
  std::filesystem::copy_file(away, path);
  const auto refused = (*store)->begin(Access::write);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence.find("was moved or replaced"), std::string::npos) << refused.error().sentence;
}

}  // namespace
}  // namespace vernier::ledger
