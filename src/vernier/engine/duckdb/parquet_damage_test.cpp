#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/duckdb_session.hpp"
#include "support/parquet_cells.hpp"
#include "vernier/query/quote.hpp"

// Files that are no tables any more, or other ones than before.
namespace vernier::engine {
namespace {

using testing::DataFolder;

std::string with_id(const std::string& type) {
  return "[tables.t]\nsource = \"t.parquet\"\nunit = \"row\"\nrow_limit = 1000\n[tables.t.columns]\nx = { type = \"" +
         type + "\" }\nid = { type = \"integer\" }\n";
}

using testing::ParquetCells;
using testing::row_numbers;
using Physical = ParquetPhysical;

// What is no table any more: pages that are cut off, or of another kind. Whatever is asked, and of whichever rows, all
// of it is read before; so all statements find the same.
TEST(DuckDbParquet, ThatIsDamagedIsFoundBeforeAnyStatement) {
  const DataFolder folder;
  testing::DuckDbSession engine;
  const std::string path = query::quoted_text(folder.path("t.parquet").string());
  ASSERT_TRUE(
      engine.run("COPY (SELECT i AS id, i * 7 AS x FROM range(100000) AS r(i)) TO " + path + " (FORMAT parquet)"));
  EXPECT_TRUE(testing::session_of(folder.catalog(with_id("integer")))->look_through("t", nobody_watches));
  std::string bytes = folder.content("t.parquet");
  bytes.replace(bytes.size() / 2, 3000, std::string(3000, '\xAA'));
  folder.write("t.parquet", bytes);
  const auto session = testing::session_of(folder.catalog(with_id("integer")));
  for (int i = 0; i < 3; ++i) {
    const Result<void> looked = session->look_through("t", nobody_watches);
    ASSERT_FALSE(looked);
    EXPECT_EQ(looked.error().sentence(), run_failed);
  }
}

// Also of a column that no row may lack, which could be counted without a look at it.
TEST(DuckDbParquet, IsLookedThroughInAllDeclaredColumns) {
  const DataFolder folder;
  ParquetCells x{.name = "x", .physical = Physical::bytes, .cells = {"a", "b"}, .converted = 0};
  const std::string whole = testing::parquet_file({row_numbers(2), x});
  const std::size_t cell = whole.find("b", 40);
  folder.write("t.parquet", whole);
  EXPECT_TRUE(testing::session_of(folder.catalog(with_id("string")))->look_through("t", nobody_watches));
  std::string broken = whole;
  broken[cell - 4] = '\x7f';  // a text that is longer than its page
  folder.write("t.parquet", broken);
  EXPECT_FALSE(testing::session_of(folder.catalog(with_id("string")))->look_through("t", nobody_watches));
  const std::string id_alone =
      "[tables.t]\nsource = \"t.parquet\"\nunit = \"row\"\n[tables.t.columns]\nid = { type = \"integer\" }\n";
  EXPECT_TRUE(testing::session_of(folder.catalog(id_alone))->look_through("t", nobody_watches));
}

TEST(DuckDbParquet, ThatChangesOrIsReplacedIsNotRead) {
  const DataFolder folder;
  const std::string file = testing::parquet_file(
      {row_numbers(2), {.name = "x", .physical = Physical::bytes, .cells = {"a", "b"}, .converted = 0}});
  folder.write("t.parquet", file);
  const std::string tables = with_id("string");
  const auto statistic = testing::statistic_of("SELECT COUNT(x) AS n FROM t", "", tables);
  const auto sql = plan::render(statistic, plan::BoundingForm::rows);
  const auto session = testing::session_of(folder.catalog(tables));
  EXPECT_TRUE(session->run(sql, {1, 2}, nobody_watches));
  folder.write("other.parquet", file);
  std::filesystem::rename(folder.path("other.parquet"), folder.path("t.parquet"));
  EXPECT_FALSE(session->run(sql, {1, 2}, nobody_watches));
  EXPECT_FALSE(session->look_through("t", nobody_watches));
  EXPECT_TRUE(testing::session_of(folder.catalog(tables))->run(sql, {1, 2}, nobody_watches));
}

// Several sessions of one file, and one of another, each with an overlay of its own.
TEST(DuckDbParquet, ThreadsReadThroughTheirOverlays) {
  const DataFolder folder;
  folder.write("t.parquet", testing::parquet_file(
                                {row_numbers(2),
                                 {.name = "x", .physical = Physical::bytes, .cells = {"a", "\xff"}, .converted = 0}}));
  const std::string tables = with_id("string");
  const auto statistic = testing::statistic_of("SELECT COUNT(x) AS n FROM t", "", tables);
  const auto sql = plan::render(statistic, plan::BoundingForm::rows);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) {
        const auto session = testing::session_of(folder.catalog(tables));
        const auto raw = session->run(sql, {1, 2}, nobody_watches);
        right += raw && testing::Recorder::sorted(*raw).front().tallies.front() == 1 ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

}  // namespace
}  // namespace vernier::engine
