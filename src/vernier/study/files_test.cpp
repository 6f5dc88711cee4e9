#include "vernier/study/files.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("vernier_file_test_" + std::to_string(::getpid()));
};

std::string content(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(File, IsReadWhole) {
  const std::string text(100'000, 'a');
  ASSERT_TRUE(write_file(path("a.txt"), text + "\n"));
  EXPECT_EQ(read_file(path("a.txt")), text + "\n");
  EXPECT_EQ(read_file("/dev/null"), "");
}

TEST_F(File, ThatCannotBeReadIsNamed) {
  for (const std::string& wrong : {path("missing.txt"), path(""), std::string("/dev/zero")}) {
    const Result<std::string> read = read_file(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().kind, ErrorKind::system);
    EXPECT_NE(read.error().sentence().find("'" + wrong + "' cannot be read"), std::string::npos);
  }
}

TEST_F(File, IsNeverWrittenOver) {
  ASSERT_TRUE(write_file(path("a.svg"), "first"));
  EXPECT_EQ(entries(), 1);
  const Result<void> again = write_file(path("a.svg"), "second");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::invalid);
  EXPECT_EQ(again.error().sentence(), "'" + path("a.svg") +
                                          "' exists already, and nothing is ever written over; name another file, or "
                                          "remove this one first");
  EXPECT_EQ(content(path("a.svg")), "first");
  EXPECT_EQ(entries(), 1);
}

TEST_F(File, IsNotWrittenBehindALink) {
  ASSERT_TRUE(write_file(path("a.svg"), "first"));
  fs::create_symlink("a.svg", path("link.svg"));
  fs::create_symlink("nowhere.svg", path("dangling.svg"));
  for (const char* name : {"link.svg", "dangling.svg"}) {
    EXPECT_FALSE(check_new(path(name))) << name;
    EXPECT_FALSE(write_file(path(name), "second")) << name;
    EXPECT_TRUE(fs::is_symlink(path(name))) << name;
  }
  EXPECT_EQ(content(path("a.svg")), "first");
  EXPECT_EQ(entries(), 3);
}

TEST_F(File, ThatIsADeviceOrADirectoryIsRefused) {
  EXPECT_FALSE(write_file("/dev/null", "text"));
  EXPECT_FALSE(write_file(path(""), "text"));
  EXPECT_EQ(entries(), 0);
}

TEST_F(File, InAFolderThatIsNotThereIsRefused) {
  const Result<void> written = write_file(path("missing/a.svg"), "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::system);
}

}  // namespace
}  // namespace vernier::study
