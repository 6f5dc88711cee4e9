#include "vernier/engine/csv/fit.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace vernier::engine {
namespace {

constexpr const char* declared = R"([budget]
epsilon = 1
[tables.t]
source = "t.csv"
unit = "row"
[tables.t.columns]
region = { type = "string", keys = ["north", "south"] }
income = { type = "integer", lower = 0, upper = 100, missing = [-9] }
price = { type = "real", lower = 0, upper = 10 }
day = { type = "date" }
has = { type = "boolean" }
)";

TEST(CsvFit, CountsWhatDoesNotCountAndSaysWhatWouldMendIt) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "t.csv") << "region,income,price,day,has\n"
                                            "north,17.0,\"1,5\",31.12.2020,yes\n"
                                            "east,-9,\"2,5\",1.1.2021,no\n"
                                            ",101,3.5,,\n"
                                            "south,x,11,2021-01-02,true\n";
  const query::Reading<query::Catalog> catalog = query::examine_catalog_text(folder.path() / "c.toml", declared);
  ASSERT_TRUE(catalog.content);
  const Result<TableFit> fit = fit_of(*catalog.content, catalog.content->tables.front());
  ASSERT_TRUE(fit) << fit.error().sentence();
  EXPECT_EQ(fit->rows, 4);
  const auto counts = [&](std::size_t i) {
    const ColumnFit& one = fit->columns.at(i);
    return std::vector<std::int64_t>{one.empty, one.unread, one.outside, one.no_key};
  };
  EXPECT_EQ(counts(0), (std::vector<std::int64_t>{1, 0, 0, 1}));
  EXPECT_EQ(counts(1), (std::vector<std::int64_t>{1, 1, 1, 0}));
  EXPECT_EQ(counts(2), (std::vector<std::int64_t>{0, 2, 1, 0}));
  EXPECT_EQ(counts(3), (std::vector<std::int64_t>{1, 2, 0, 0}));
  EXPECT_EQ(counts(4), (std::vector<std::int64_t>{1, 2, 0, 0}));
  EXPECT_EQ(fit->columns[1].advice, "");
  EXPECT_EQ(fit->columns[2].advice, "decimal_mark = \",\"");
  EXPECT_EQ(fit->columns[3].advice, "date_format = \"%d.%m.%Y\"");
  EXPECT_EQ(fit->columns[4].advice, "true_words = [\"yes\"], false_words = [\"no\"]");
}

}  // namespace
}  // namespace vernier::engine
