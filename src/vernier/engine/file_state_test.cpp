#include "vernier/engine/file_state.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace vernier::engine {
namespace {

TEST(FileState, IsTheSameUntilTheFileIsWrittenTo) {
  const testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "a").string();
  EXPECT_FALSE(state_of_file(path));
  std::ofstream(path) << "some bytes";
  const FileState before = *state_of_file(path);
  EXPECT_EQ(before, *state_of_file(path));
  EXPECT_EQ(before.size, 10);
  std::filesystem::create_symlink(path, folder.path() / "link");
  EXPECT_EQ(before, *state_of_file((folder.path() / "link").string()));
  std::filesystem::last_write_time(path, std::filesystem::file_time_type());
  const FileState after = *state_of_file(path);
  EXPECT_NE(before, after);
  EXPECT_TRUE(before.is_same_file(after));
  std::ofstream(folder.path() / "b") << "some bytes";
  EXPECT_FALSE(before.is_same_file(*state_of_file((folder.path() / "b").string())));
}

// Within the steps of a file system's clock a second change may leave its times as they are.
TEST(FileState, IsNoTextWhileTheFileIsYoung) {
  const testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "a").string();
  std::ofstream(path) << "some bytes";
  FileState state = *state_of_file(path);
  EXPECT_EQ(text_of(state, "what"), "");
  state.modified -= 3'000'000'000;
  EXPECT_EQ(text_of(state, "what"), "");
  state.changed -= 3'000'000'000;
  EXPECT_NE(text_of(state, "what"), "");
  EXPECT_NE(text_of(state, "what"), text_of(state, "another"));
  const std::string text = text_of(state, "what");
  for (std::int64_t* const time : {&state.size, &state.modified, &state.changed}) {
    --*time;
    EXPECT_NE(text_of(state, "what"), text);
    ++*time;
  }
}

}  // namespace
}  // namespace vernier::engine
