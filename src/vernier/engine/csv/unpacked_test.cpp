#include "vernier/engine/csv/unpacked.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/packed.hpp"
#include "support/temporary_folder.hpp"

namespace vernier::engine {
namespace {

// What is unpacked, or the sentence.
std::string unpacked(const std::string& ending, const std::string& packed) {
  const testing::TemporaryFolder folder(testing::quick_folder());
  const std::string path = (folder.path() / ("people.csv" + ending)).string();
  std::ofstream(path, std::ios::binary) << packed;
  const Result<int> file = open_unpacked(path);
  if (!file) return file.error().problem;
  std::string text(std::size_t{1} << 22, '\0');
  std::size_t size = 0;
  for (ssize_t count = 1; count > 0; size += static_cast<std::size_t>(count))
    count = ::read(*file, text.data() + size, text.size() - size);
  ::close(*file);
  return text.substr(0, size);
}

// More than is unpacked at a time, of which some repeats and some does not.
std::string long_text() {
  std::string text;
  for (std::uint32_t i = 0, x = 1; i < 200'000; ++i, x = x * 1664525 + 1013904223)
    text += std::to_string(i % 3 == 0 ? x : i / 1000) + "\n";
  return text;
}

struct Packing {
  std::string ending;
  std::string (*pack)(std::string_view text);
};
const std::vector<Packing> packings = {{".gz", testing::gzip}, {".zst", testing::zstd}};

TEST(Unpacked, IsWhatWasPacked) {
  for (const auto& [ending, pack] : packings) {
    for (const std::string& text : {std::string("a,b\n1,2\n"), std::string(std::size_t{1} << 18, 'x'),
                                    std::string((std::size_t{1} << 19) + 7, 'x'), long_text()})
      EXPECT_TRUE(unpacked(ending, pack(text)) == text) << ending << " " << text.size();
    EXPECT_EQ(unpacked(ending, pack("a,b\n") + pack("1,2\n") + pack("")), "a,b\n1,2\n") << ending;
  }
}

TEST(Unpacked, IsRefusedAsAWholeWhereAByteIsWrongOrMissing) {
  const std::string text = long_text().substr(0, 5000);
  for (const auto& [ending, pack] : packings) {
    const std::string packed = pack(text);
    std::vector<std::string> damaged = {"", "x", "not packed at all", packed + "x", packed + "more", packed.substr(4)};
    for (std::size_t size = 1; size < packed.size(); size += 37) damaged.push_back(packed.substr(0, size));
    for (std::size_t i = 0; i < packed.size(); i += 41) {
      damaged.push_back(packed);
      damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ 0x40);
    }
    for (const std::string& one : damaged) {
      const std::string answer = unpacked(ending, one);
      // A bit of a header may mean nothing: then the text is the same.
      EXPECT_TRUE(answer == text || answer.ends_with("is damaged, or is not what its name says"))
          << ending << " " << answer;
    }
  }
}

}  // namespace
}  // namespace vernier::engine
