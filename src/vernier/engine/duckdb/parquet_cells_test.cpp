#include "support/parquet_cells.hpp"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"

// Cells that no writer would write, under every annotation: whatever they are, no statement fails.
namespace vernier::engine {
namespace {

using testing::DataFolder;

std::string table_of(const std::string& type) {
  return "[tables.t]\nsource = \"t.parquet\"\nunit = \"row\"\nrow_limit = 1000\n[tables.t.columns]\nx = { type = \"" +
         type + "\" }\n";
}

std::string with_id(const std::string& type) { return table_of(type) + "id = { type = \"integer\" }\n"; }

// A statistic over one column, run as it is; none where the engine fails.
std::optional<std::vector<std::int64_t>> tallies_of(const DataFolder& folder, const std::string& tables,
                                                    const std::string& sql) {
  const auto session = testing::session_of(folder.catalog(tables));
  const auto statistic = testing::statistic_of(sql, "", tables);
  const auto raw = session->run(plan::render(statistic, plan::BoundingForm::rows), {1, 2}, nobody_watches);
  if (!raw) return std::nullopt;
  return testing::Recorder::sorted(*raw).front().tallies;
}

using testing::little_endian;
using testing::logical;
using testing::ParquetCells;
using testing::row_numbers;
using Physical = ParquetPhysical;

// Every way in which a column of a declared type may be stored, with the cells that it may have at worst.
struct Extremes {
  std::string declared;
  ParquetCells column;
};

std::vector<std::string> wild_bytes() {
  return {"",
          "a",
          "\xff\xfe",
          std::string(1, '\0'),
          "{",
          "\"",
          "null",
          "\xc3\xa9",
          "\xed\xa0\x80",
          std::string(17, '\xff'),
          std::string(16, '\0'),
          std::string(300, '\x80'),
          std::string(5000, 'x')};
}

std::vector<std::string> wild_fixed(std::size_t length) {
  std::vector<std::string> cells;
  for (const char c : {'\0', '\xff', '\x80', '\x7f', 'a'}) cells.emplace_back(length, c);
  cells.push_back("\x80" + std::string(length - 1, '\0'));
  cells.push_back("\x7f" + std::string(length - 1, '\xff'));
  return cells;
}

std::vector<std::string> wild_integers(int bytes) {
  std::vector<std::string> cells;
  for (const std::uint64_t value : {0ULL,
                                    1ULL,
                                    127ULL,
                                    128ULL,
                                    255ULL,
                                    256ULL,
                                    32767ULL,
                                    32768ULL,
                                    65535ULL,
                                    65536ULL,
                                    0x7FFFFFFFULL,
                                    0x80000000ULL,
                                    0xFFFFFFFFULL,
                                    0x7FFFFFFFFFFFFFFFULL,
                                    0x8000000000000000ULL,
                                    ~0ULL,
                                    ~127ULL,
                                    ~128ULL,
                                    ~719161ULL,
                                    ~719162ULL,
                                    2932896ULL,
                                    2932897ULL})
    cells.push_back(little_endian(value, bytes));
  return cells;
}

std::vector<std::string> wild_reals() {
  std::vector<std::string> cells;
  for (const double value : {0.0, -0.0, 1e308, -1e308, HUGE_VAL, -HUGE_VAL, std::nan(""), -std::nan("1"), 5e-324})
    cells.push_back(little_endian(std::bit_cast<std::uint64_t>(value), 8));
  return cells;
}

std::function<void(testing::ThriftWriter&)> integer_type(int bits, bool is_signed) {
  return [=](testing::ThriftWriter& writer) {
    writer.record(10);
    writer.byte(1, static_cast<std::int8_t>(bits));
    writer.boolean(2, is_signed);
    writer.end();
  };
}

std::vector<Extremes> all_extremes() {
  std::vector<Extremes> all;
  const auto add = [&](const std::string& declared, ParquetCells column, const std::vector<std::string>& cells) {
    column.name = "x";
    column.cells.assign(cells.begin(), cells.end());
    column.cells.push_back(std::nullopt);
    all.push_back({declared, column});
    column.has_dictionary = column.physical != Physical::boolean;
    column.least = cells.back();  // statistics that are wrong
    column.greatest = cells.front();
    all.push_back({declared, column});
  };
  add("boolean", {.physical = Physical::boolean}, {std::string(1, '\0'), "\1"});
  for (const int converted : {0, 4, 19}) {
    add("string", {.physical = Physical::bytes, .converted = converted}, wild_bytes());
    add("string", {.physical = Physical::fixed_bytes, .length = 5, .converted = converted}, wild_fixed(5));
  }
  for (const int member : {1, 4, 12})
    add("string", {.physical = Physical::bytes, .logical = logical(member)}, wild_bytes());
  add("string", {.physical = Physical::fixed_bytes, .length = 16, .logical = logical(14)}, wild_fixed(16));
  for (const std::string declared : {"integer", "real"}) {
    add(declared, {.physical = Physical::int32}, wild_integers(4));
    add(declared, {.physical = Physical::int64}, wild_integers(8));
    for (const int converted : {11, 12, 13, 15, 16, 17})
      add(declared, {.physical = Physical::int32, .converted = converted}, wild_integers(4));
    for (const int converted : {14, 18})
      add(declared, {.physical = Physical::int64, .converted = converted}, wild_integers(8));
    for (const int bits : {8, 16, 32, 64}) {
      const Physical physical = bits == 64 ? Physical::int64 : Physical::int32;
      for (const bool is_signed : {false, true}) {
        add(declared, {.physical = physical, .logical = integer_type(bits, is_signed)},
            wild_integers(bits == 64 ? 8 : 4));
      }
    }
  }
  add("real", {.physical = Physical::float64}, wild_reals());
  add("real", {.physical = Physical::float32}, wild_integers(4));
  add("real", {.physical = Physical::fixed_bytes, .length = 2, .logical = logical(15)}, wild_fixed(2));
  add("real", {.physical = Physical::int32, .converted = 5, .precision = 4, .scale = 2}, wild_integers(4));
  add("real", {.physical = Physical::int64, .converted = 5, .precision = 18, .scale = 18}, wild_integers(8));
  add("real", {.physical = Physical::bytes, .converted = 5, .precision = 4, .scale = 2}, wild_bytes());
  add("real", {.physical = Physical::bytes, .converted = 5, .precision = 38, .scale = 38}, wild_bytes());
  for (const int length : {1, 3, 16, 17, 40})
    add("real", {.physical = Physical::fixed_bytes, .length = length, .converted = 5, .precision = 4, .scale = 2},
        wild_fixed(static_cast<std::size_t>(length)));
  add("date", {.physical = Physical::int32, .converted = 6}, wild_integers(4));
  add("date", {.physical = Physical::int32, .logical = logical(6)}, wild_integers(4));
  return all;
}

// The attack: a statement over each row by itself. None fails, and each has one row, whatever the cell.
TEST(DuckDbParquet, HasNoCellThatMakesAStatementFail) {
  for (const auto& [declared, column] : all_extremes()) {
    SCOPED_TRACE(declared + " " + std::to_string(static_cast<int>(column.physical)) + " " +
                 std::to_string(column.converted.value_or(-1)));
    const DataFolder folder;
    const std::size_t rows = column.cells.size();
    folder.write("t.parquet", testing::parquet_file({column, row_numbers(rows)}));
    const std::string tables = with_id(declared);
    const auto session = testing::session_of(folder.catalog(tables));
    ASSERT_TRUE(session);
    const auto run = [&](const std::string& sql) {
      const auto statistic = testing::statistic_of(sql, "", tables);
      const auto raw = session->run(plan::render(statistic, plan::BoundingForm::rows), {1, 2}, nobody_watches);
      EXPECT_TRUE(raw) << sql;
      return raw ? testing::Recorder::sorted(*raw).front().tallies : std::vector<std::int64_t>{0, 0};
    };
    std::int64_t present = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto tallies = run("SELECT COUNT(*) AS n, COUNT(x) AS m FROM t WHERE id = " + std::to_string(i));
      EXPECT_EQ(tallies[0], 1);
      present += tallies[1];
    }
    EXPECT_EQ(run("SELECT COUNT(*) AS n, COUNT(x) AS m FROM t"),
              (std::vector<std::int64_t>{static_cast<std::int64_t>(rows), present}));
    EXPECT_TRUE(session->look_through("t", nobody_watches));
  }
}

// Statistics that leave out every row that is there.
TEST(DuckDbParquet, BelievesNoStatistics) {
  const DataFolder folder;
  ParquetCells column = row_numbers(100);
  column.name = "x";
  column.least = little_endian(1000, 8);
  column.greatest = little_endian(2000, 8);
  folder.write("t.parquet", testing::parquet_file({column}));
  EXPECT_EQ(tallies_of(folder, table_of("integer"), "SELECT COUNT(*) AS n FROM t WHERE x < 50"),
            (std::vector<std::int64_t>{50}));
}

TEST(DuckDbParquet, ReadsBytesAsTheyAreMeant) {
  const DataFolder folder;
  const auto integers = [&](int converted, int bytes, Physical physical) {
    ParquetCells column{.name = "x", .physical = physical, .cells = {}, .converted = converted};
    for (const std::string& cell : wild_integers(bytes)) column.cells.emplace_back(cell);
    folder.write("t.parquet", testing::parquet_file({column}));
  };
  const auto count = [&](const std::string& where) {
    return tallies_of(folder, table_of("integer"), "SELECT COUNT(*) AS n FROM t WHERE " + where)->front();
  };
  integers(15, 4, Physical::int32);  // 8 bits: 0, 1, 127, -1, -1, -128 and -1
  EXPECT_EQ(count("x BETWEEN -128 AND 127"), count("x IS NOT NULL"));
  EXPECT_EQ(count("x = 127"), 1);
  EXPECT_EQ(count("x = -128"), 1);
  integers(13, 4, Physical::int32);  // 32 bits without a sign
  EXPECT_EQ(count("x IS NULL"), 0);
  EXPECT_EQ(count("x = 2147483648"), 1);
  EXPECT_EQ(count("x = 4294967295"), 3);
  integers(14, 8, Physical::int64);  // 64 bits without a sign: what has no place is NULL
  EXPECT_EQ(count("x = 9223372036854775807"), 1);
  EXPECT_EQ(count("x < 0"), 0);
}

// The path says nothing about the rows.
TEST(DuckDbParquet, TakesNoColumnFromItsPath) {
  const DataFolder folder;
  std::filesystem::create_directory(folder.path("x=7"));
  folder.write("x=7/t.parquet",
               testing::parquet_file(
                   {row_numbers(2),
                    {.name = "x", .physical = Physical::int64, .cells = {little_endian(1, 8), little_endian(2, 8)}}}));
  std::string tables = with_id("integer");
  tables.replace(tables.find("t.parquet"), 9, "x=7/t.parquet");
  EXPECT_EQ(tallies_of(folder, tables, "SELECT COUNT(*) AS n FROM t WHERE x = 7"), (std::vector<std::int64_t>{0}));
}

}  // namespace
}  // namespace vernier::engine
