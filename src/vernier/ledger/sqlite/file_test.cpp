#include "vernier/ledger/sqlite/file.hpp"

#include <filesystem>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::ledger {
namespace {

using testing::TemporaryFolder;

void expect_hard_links_refused(const std::filesystem::path& path) {
  const auto refused = open_sqlite(path, Missing::is_error);
  ASSERT_FALSE(refused) << path;
  EXPECT_NE(refused.error().sentence().find("has 2 names (hard links)"), std::string::npos)
      << refused.error().sentence();
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
  EXPECT_NE(refused.error().sentence().find("was moved or replaced"), std::string::npos) << refused.error().sentence();
}

constexpr int not_permitted = 77;

// In a process of its own, whose mounts nobody else sees: what opening the file says that is mounted over another name.
int opened_over_a_mount(const std::filesystem::path& path, const std::filesystem::path& other) {
  const bool is_mounted = ::unshare(CLONE_NEWNS) == 0 &&
                          ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                          ::mount(path.c_str(), other.c_str(), nullptr, MS_BIND, nullptr) == 0;
  if (!is_mounted) return not_permitted;
  const auto refused = open_sqlite(other, Missing::is_error);
  if (refused) return 1;
  if (refused.error().sentence().find("is mounted as a single file") == std::string::npos) return 2;
  return open_sqlite(path, Missing::is_error) ? 0 : 3;
}

// As containers are given single files: the log beside it is another one.
TEST(SqliteFile, RefusesAFileThatIsMountedByItself) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "ledger", other = folder.path() / "other";
  ASSERT_TRUE(open_sqlite(path, Missing::is_made));
  const int made = ::open(other.c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(made, 0);
  ::close(made);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(opened_over_a_mount(path, other));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == not_permitted) GTEST_SKIP() << "mounting is not permitted here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace vernier::ledger
