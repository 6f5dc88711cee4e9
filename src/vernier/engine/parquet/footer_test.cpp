#include "vernier/engine/parquet/footer.hpp"

#include <random>

#include <gtest/gtest.h>

#include "support/parquet_cells.hpp"

namespace vernier::engine {
namespace {

using testing::logical;
using testing::ParquetCells;
using testing::ThriftWriter;
using Kind = ThriftWriter::Kind;
using Physical = ParquetPhysical;

constexpr std::int64_t data_end = 1000;

std::vector<ParquetCells> example_columns() {
  return {{.name = "id", .physical = Physical::int64, .cells = {"", "", ""}},
          {.name = "text",
           .physical = Physical::bytes,
           .cells = {"", "", ""},
           .converted = 0,
           .logical = logical(1),
           .has_dictionary = true,
           .least = "\xff",
           .greatest = "\xff\xff"},
          {.name = "json", .physical = Physical::bytes, .cells = {"", "", ""}, .converted = 19, .logical = logical(12)},
          {.name = "moment", .physical = Physical::int96, .cells = {"", "", ""}},
          {.name = "price",
           .physical = Physical::fixed_bytes,
           .cells = {"", "", ""},
           .length = 20,
           .converted = 5,
           .precision = 38,
           .scale = 2}};
}

std::string footer_of(const std::vector<ParquetCells>& columns, std::vector<testing::parquet::Placed> placed = {}) {
  placed.resize(columns.size(), {4, 50, 100});
  return parquet_footer(columns, placed);
}

std::string said(const std::string& footer, std::int64_t end = data_end) {
  const Result<std::string> plain = plain_footer(footer, end);
  return plain ? "" : plain.error().sentence();
}

std::vector<std::string> types_of(const std::vector<ParquetColumn>& columns) {
  std::vector<std::string> types;
  for (const ParquetColumn& column : columns) types.push_back(column.name + " " + column.type);
  return types;
}

TEST(PlainFooter, HasPhysicalTypesAlone) {
  const std::string plain = plain_footer(footer_of(example_columns()), data_end).value();
  EXPECT_EQ(types_of(columns_in_footer(plain).value()),
            (std::vector<std::string>{"id integer", "text binary", "json binary", "price binary"}));
  EXPECT_EQ(plain.find('\xff'), std::string::npos);  // no statistics
  EXPECT_EQ(plain.find("vernier"), std::string::npos);
}

// What is plain already stays as it is, but for types that have no annotation any more and are not read.
TEST(PlainFooter, IsPlainItself) {
  std::vector<ParquetCells> columns = {example_columns().front()};
  const std::string plain = plain_footer(footer_of(columns), data_end).value();
  EXPECT_EQ(plain_footer(plain, data_end).value(), plain);
}

TEST(PlainFooter, LeavesOutNamesThatNoCatalogCanDeclare) {
  std::vector<ParquetCells> columns = example_columns();
  for (const char* const name : {"ID", "", "\xff", "a\nb"}) {
    columns.push_back({.name = name, .physical = Physical::int32, .cells = {"", "", ""}});
  }
  EXPECT_EQ(types_of(columns_in_footer(plain_footer(footer_of(columns), data_end).value()).value()),
            (std::vector<std::string>{"text binary", "json binary", "price binary"}));
}

TEST(PlainFooter, EndsAsLongAFileAsBefore) {
  const std::string own = footer_of(example_columns());
  const ParquetFile file{own, {.size = data_end + static_cast<std::int64_t>(own.size()) + parquet_tail}};
  EXPECT_EQ(file.data_end(), data_end);
  const std::string tail = plain_tail(file).value();
  EXPECT_EQ(tail.size(), own.size() + parquet_tail);
  EXPECT_TRUE(tail.ends_with("PAR1"));
  const std::string plain = plain_footer(own, data_end).value();
  EXPECT_EQ(tail.substr(own.size() - plain.size(), plain.size()), plain);
}

TEST(PlainFooter, PointsIntoTheData) {
  const auto columns = example_columns();
  using Placed = testing::parquet::Placed;
  EXPECT_EQ(said(footer_of(columns)), "");
  for (const Placed& wrong : {Placed{4, 1001, 0}, Placed{4, 950, 51}, Placed{4, 3, 10}, Placed{4, -5, 10},
                              Placed{4, 50, -1}, Placed{4, 50, std::int64_t{1} << 62}}) {
    EXPECT_NE(said(footer_of(columns, {wrong})).find("damaged"), std::string::npos) << wrong.data << " " << wrong.size;
  }
  const Placed dictionary{1001, 50, 10};
  EXPECT_NE(said(footer_of(columns, {{4, 50, 10}, dictionary})).find("damaged"), std::string::npos);
  EXPECT_NE(said(footer_of(columns), 100).find("damaged"), std::string::npos);
}

TEST(PlainFooter, SaysOneThingOfANumber) {
  std::vector<ParquetCells> columns = example_columns();
  columns[2].cells.push_back("");  // another number of rows than the others
  EXPECT_NE(said(footer_of(columns)).find("damaged"), std::string::npos);
}

// The footer of one column of 32 bits, with one thing after another.
struct Written {
  std::int64_t stored = 1;  // the type of the chunk
  std::string file = {};    // where its cells lie
  bool is_encrypted = false, has_key = false;
  std::int64_t rows = 3;  // of the file
};

std::string written(const Written& how) {
  ThriftWriter writer;
  writer.integer(1, Kind::i32, 1);
  writer.list(2, Kind::record, 2);
  writer.element();
  writer.binary(4, "root of all columns");
  writer.integer(5, Kind::i32, 1);
  writer.end();
  testing::parquet::write_element(writer, {.name = "x", .physical = Physical::int32, .cells = {}});
  writer.integer(3, Kind::i64, how.rows);
  writer.list(4, Kind::record, 1);
  writer.element();
  writer.list(1, Kind::record, 1);
  writer.element();
  if (!how.file.empty()) writer.binary(1, how.file);
  writer.integer(2, Kind::i64, 4);
  writer.record(3);
  writer.integer(1, Kind::i32, how.stored);
  writer.list(2, Kind::i32, 0);
  writer.list(3, Kind::binary, 1);
  writer.element(std::string_view("x"));
  writer.integer(4, Kind::i32, 0);
  for (const int id : {5, 6, 7, 9}) writer.integer(id, Kind::i64, id == 5 ? 3 : 10);
  writer.end();
  if (how.has_key) {
    writer.record(8);
    writer.end();
  }
  writer.end();
  writer.integer(2, Kind::i64, 1);
  writer.integer(3, Kind::i64, 3);
  writer.end();
  if (how.is_encrypted) {
    writer.record(8);
    writer.end();
  }
  writer.end();
  return writer.bytes();
}

TEST(PlainFooter, RefusesWhatIsNotInThisFileOrNotToBeRead) {
  EXPECT_EQ(said(written({})), "");
  EXPECT_NE(said(written({.stored = 2})).find("damaged"), std::string::npos);
  EXPECT_NE(said(written({.file = "other.parquet"})).find("damaged"), std::string::npos);
  EXPECT_NE(said(written({.has_key = true})).find("damaged"), std::string::npos);
  EXPECT_NE(said(written({.is_encrypted = true})).find("encrypted columns"), std::string::npos);
  EXPECT_NE(said(written({.rows = 4})).find("damaged"), std::string::npos);
  EXPECT_NE(said(written({.rows = 2})).find("damaged"), std::string::npos);
  EXPECT_NE(said(written({.rows = -3})).find("damaged"), std::string::npos);
}

TEST(PlainFooter, RefusesFootersThatAreCutShort) {
  const std::string whole = footer_of(example_columns());
  for (std::size_t length = 0; length < whole.size(); ++length) EXPECT_NE(said(whole.substr(0, length)), "") << length;
}

// Whatever the bytes: refused, or a footer that is not longer, has no annotation and is plain itself.
TEST(PlainFooter, SurvivesAnyBytes) {
  const std::string whole = footer_of(example_columns());
  std::mt19937_64 random(21);
  int read = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string bytes = whole;
    for (int changes = 0; changes < 3; ++changes) bytes[random() % bytes.size()] = static_cast<char>(random());
    const Result<std::string> plain = plain_footer(bytes, data_end);
    if (!plain) continue;
    ++read;
    ASSERT_LE(plain->size(), bytes.size());
    const std::vector<ParquetColumn> columns = columns_in_footer(*plain).value();
    for (const ParquetColumn& column : columns) {
      const bool is_plain =
          column.type == "boolean" || column.type == "integer" || column.type == "real" || column.type == "binary";
      ASSERT_TRUE(is_plain) << column.type;
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_NE(said(std::string(100000, '\x1c')), "");  // records within records
  EXPECT_NE(said(std::string("\x19\xfc\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)), "");
}

}  // namespace
}  // namespace vernier::engine
