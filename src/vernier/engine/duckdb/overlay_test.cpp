#include "vernier/engine/duckdb/overlay.hpp"

#include <cerrno>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/data_folder.hpp"
#include "support/parquet_cells.hpp"
#include "vernier/engine/parquet/footer.hpp"

// This program is linked as those that ship: its own reads go through overlays like those of the engine.
namespace vernier::engine {
namespace {

using testing::DataFolder;

std::string example_file() {
  return testing::parquet_file(
      {testing::row_numbers(3),
       {.name = "x", .physical = ParquetPhysical::bytes, .cells = {"a", "b", "\xff"}, .converted = 0}});
}

class Opened {
 public:
  explicit Opened(const std::filesystem::path& path) : number_(::open(path.c_str(), O_RDONLY)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { ::close(number_); }

  // What a read gets; "failed" where it fails.
  std::string read(std::size_t from, std::size_t count) const {
    std::string bytes(count, '?');
    const ssize_t got = ::pread(number_, bytes.data(), count, static_cast<off_t>(from));
    if (got < 0) return "failed";
    return bytes.substr(0, static_cast<std::size_t>(got));
  }

 private:
  int number_;
};

TEST(DuckDbOverlay, IsReadInPlaceOfTheEndOfItsFile) {
  const DataFolder folder;
  const std::string own = example_file();
  folder.write("t.parquet", own);
  folder.write("other.parquet", own);
  const Opened file(folder.path("t.parquet")), other(folder.path("other.parquet"));
  EXPECT_EQ(file.read(0, own.size()), own);
  {
    const auto overlay = ParquetOverlay::of(folder.path("t.parquet").string()).value();
    EXPECT_FALSE(overlay->was_read());
    const ParquetFile parsed = ParquetFile::open(folder.path("t.parquet").string()).value();
    const std::string laid = own.substr(0, static_cast<std::size_t>(parsed.data_end())) + plain_tail(parsed).value();
    ASSERT_EQ(laid.size(), own.size());
    ASSERT_NE(laid, own);
    for (std::size_t from = 0; from <= own.size(); ++from) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{64}, 2 * own.size()})
        ASSERT_EQ(file.read(from, count), laid.substr(from, count)) << from << " " << count;
    }
    EXPECT_TRUE(overlay->was_read());
    EXPECT_EQ(other.read(0, own.size()), own);
    EXPECT_EQ(folder.content("t.parquet"), own);  // as everybody else reads it
  }
  EXPECT_EQ(file.read(0, own.size()), own);
}

TEST(DuckDbOverlay, StaysAsLongAsOneOfSeveral) {
  const DataFolder folder;
  const std::string own = example_file();
  folder.write("t.parquet", own);
  const std::string path = folder.path("t.parquet").string();
  const Opened file(path);
  auto first = ParquetOverlay::of(path).value();
  const std::string laid = file.read(0, own.size());
  auto second = ParquetOverlay::of(path).value();
  first.reset();
  EXPECT_EQ(file.read(0, own.size()), laid);
  second.reset();
  EXPECT_EQ(file.read(0, own.size()), own);
}

TEST(DuckDbOverlay, FailsWhereTheFileIsNotTheSameAnyMore) {
  const DataFolder folder;
  folder.write("t.parquet", example_file());
  const std::string path = folder.path("t.parquet").string();
  const Opened file(path);
  const auto overlay = ParquetOverlay::of(path).value();
  EXPECT_TRUE(overlay->is_current());
  folder.write("t.parquet", example_file() + " ");
  EXPECT_FALSE(overlay->is_current());
  errno = 0;
  EXPECT_EQ(file.read(0, 10), "failed");
  EXPECT_EQ(errno, EIO);
}

TEST(DuckDbOverlay, LiesOnParquetAlone) {
  const DataFolder folder;
  folder.write("t.parquet", "PAR1 and nothing more");
  EXPECT_FALSE(ParquetOverlay::of(folder.path("t.parquet").string()));
  folder.write("t.parquet", "PAR1 and an encrypted footer PARE");
  EXPECT_NE(ParquetOverlay::of(folder.path("t.parquet").string()).error().sentence().find("encrypted"),
            std::string::npos);
  EXPECT_FALSE(ParquetOverlay::of(folder.path("none.parquet").string()));
}

}  // namespace
}  // namespace vernier::engine
