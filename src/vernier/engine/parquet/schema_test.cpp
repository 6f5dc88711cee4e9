#include "vernier/engine/parquet/schema.hpp"

#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "support/own_folder.hpp"

// Footers are written here by hand, after parquet.thrift; tests/engines reads one that an engine has written.
namespace vernier::engine {
namespace {

std::string binary(const std::string& text) { return std::string(1, static_cast<char>(text.size())) + text; }

// A SchemaElement with a name and, for a group, its number of children (below 64).
std::string element(const std::string& name, int children = 0) {
  std::string bytes;
  if (children > 0) {
    bytes.append(1, '\x48').append(binary(name));                        // field 4, a binary
    bytes.append(1, '\x15').append(1, static_cast<char>(2 * children));  // field 5, an i32
  } else {
    bytes.append("\x15\x02\x25\x00", 4).append(1, '\x18').append(binary(name));  // fields 1, 3 and 4
  }
  return bytes.append(1, '\0');
}

// A FileMetaData of version 1 with these elements, and a number of rows behind them.
std::string footer(const std::vector<std::string>& elements) {
  std::string bytes = std::string("\x15\x02\x19") + static_cast<char>(elements.size() << 4 | 12);
  for (const std::string& one : elements) bytes += one;
  return bytes + "\x16\x0e" + '\0';
}

const std::string example = footer({element("schema", 4), element("id"), element("tags", 1), element("list", 1),
                                    element("item"), element("income"), element("größe")});

TEST(ParquetSchema, NamesTheFlatColumns) {
  EXPECT_EQ(names_in_footer(example).value(), (std::vector<std::string>{"id", "income", "größe"}));
}

TEST(ParquetSchema, IsReadFromTheEndOfTheFile) {
  const std::string path = testing::own_folder() + "schema_test.parquet";
  const std::string length = std::string(1, static_cast<char>(example.size())) + std::string(3, '\0');
  std::ofstream(path, std::ios::binary) << "PAR1 some data " << example << length << "PAR1";
  EXPECT_EQ(parquet_names(path).value().size(), 3U);
  std::ofstream(path, std::ios::binary) << "PAR1" << example << "\xff\xff\xff\x7fPAR1";
  EXPECT_NE(parquet_names(path).error().sentence().find("damaged"), std::string::npos);
  std::ofstream(path, std::ios::binary) << "PARE some data " << example << length << "PARE";
  EXPECT_NE(parquet_names(path).error().sentence().find("encrypted"), std::string::npos);
  std::ofstream(path, std::ios::binary) << "a,b,c\n1,2,3\n4,5,6\n";
  EXPECT_NE(parquet_names(path).error().sentence().find("does not end as"), std::string::npos);
  std::ofstream(path, std::ios::binary) << "PAR1";
  EXPECT_NE(parquet_names(path).error().sentence().find("too short"), std::string::npos);
  EXPECT_EQ(parquet_names(path + ".none").error().kind, ErrorKind::system);
  EXPECT_FALSE(parquet_names(testing::own_folder()));
}

TEST(ParquetSchema, RefusesFootersThatAreCutShort) {
  const std::size_t schema_end = example.size() - 3;
  for (std::size_t length = 0; length < schema_end; ++length) {
    EXPECT_FALSE(names_in_footer(example.substr(0, length))) << length;
  }
  EXPECT_TRUE(names_in_footer(example.substr(0, schema_end)));
}

TEST(ParquetSchema, SurvivesAnyBytes) {
  std::mt19937_64 random(7);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = example;
    for (int changes = 0; changes < 3; ++changes) bytes[random() % bytes.size()] = static_cast<char>(random());
    const Result<std::vector<std::string>> names = names_in_footer(bytes);
    read += names ? 1 : 0;
    ASSERT_LT(names.map([](const auto& found) { return found.size(); }).value_or(0), bytes.size());
  }
  EXPECT_GT(read, 0);
  EXPECT_FALSE(names_in_footer(std::string(100000, '\x1c')));  // records within records
  EXPECT_FALSE(names_in_footer(std::string("\x19\xfc\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)));
}

}  // namespace
}  // namespace vernier::engine
