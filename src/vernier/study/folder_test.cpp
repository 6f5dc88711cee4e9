#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "vernier/study/files.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

class ReleaseFolderTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(root_); }
  void TearDown() override { fs::remove_all(root_); }

  std::set<std::string> names_in(const fs::path& folder) const {
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
  }

  fs::path root_ = fs::temp_directory_path() / ("vernier_folder_" + std::to_string(::getpid()));
};

TEST_F(ReleaseFolderTest, AppearsWholeAtTheEnd) {
  Result<Folder> folder = Folder::begin(root_ / "new");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->write("a.csv", "1\n"));
  EXPECT_FALSE(fs::exists(root_ / "new"));
  ASSERT_TRUE(folder->finish());
  EXPECT_EQ(names_in(root_), std::set<std::string>{"new"});
  EXPECT_EQ(names_in(root_ / "new"), std::set<std::string>{"a.csv"});
}

TEST_F(ReleaseFolderTest, LeavesNothingWhenItIsNotFinished) {
  {
    const Result<Folder> folder = Folder::begin(root_ / "new");
    ASSERT_TRUE(folder && folder->write("a.csv", "1\n"));
    EXPECT_EQ(names_in(root_).size(), 1U);
  }
  EXPECT_TRUE(names_in(root_).empty());
}

TEST_F(ReleaseFolderTest, TakesThePlaceOfAnEmptyFolderAndOfNothingElse) {
  fs::create_directory(root_ / "empty");
  Result<Folder> folder = Folder::begin(root_ / "empty" / "");
  ASSERT_TRUE(folder && folder->write("a.csv", "1\n") && folder->finish());
  EXPECT_TRUE(fs::exists(root_ / "empty" / "a.csv"));
  std::ofstream(root_ / "file") << "x";
  fs::create_symlink("nowhere", root_ / "link");
  for (const char* const taken : {"empty", "file"}) {
    const Result<Folder> refused = Folder::begin(root_ / taken);
    ASSERT_FALSE(refused) << taken;
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
  }
  EXPECT_EQ(names_in(root_), (std::set<std::string>{"empty", "file", "link"}));
}

TEST_F(ReleaseFolderTest, SaysWhereItCannotWrite) {
  const Result<Folder> refused = Folder::begin(root_ / "no" / "such" / "folder");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::system);
}

}  // namespace
}  // namespace vernier::study
