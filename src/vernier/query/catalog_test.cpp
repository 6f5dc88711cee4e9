#include "vernier/query/catalog.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/own_folder.hpp"
#include "support/query_files.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

Catalog catalog_of(const std::string& text) {
  Reading<Catalog> reading = examine_catalog_text("data/catalog.toml", text);
  EXPECT_EQ(problems_text("catalog.toml", reading.problems), "");
  return std::move(reading.content).value();
}

TEST(Catalog, SaysWhatTheFileSays) {
  const Catalog catalog = catalog_of(example_catalog);
  EXPECT_EQ(catalog.budget.epsilon, Rational::of(3));
  EXPECT_EQ(catalog.budget.delta, Rational::of_decimal("1e-6").value());
  EXPECT_EQ(catalog.budget.ledger, "census.ledger");
  EXPECT_EQ(catalog.budget.accountant, Filter::zcdp);
  ASSERT_EQ(catalog.tables.size(), 1U);
  const Table& people = catalog.tables[0];
  EXPECT_EQ(people.name, "people");
  EXPECT_EQ(people.source.path, "people.parquet");
  EXPECT_EQ(people.source.kind, SourceKind::parquet);
  EXPECT_EQ(people.unit, "person_id");
  EXPECT_EQ(people.neighbours, privacy::Neighbours::add_remove);
  EXPECT_EQ(people.row_limit, default_row_limit);
  EXPECT_EQ(people.place, (Place{7, 9}));
}

TEST(Catalog, KeepsColumnsInTheOrderOfTheFile) {
  const Catalog catalog = catalog_of(example_catalog);
  std::string names;
  for (const Column& column : catalog.tables[0].columns) names += column.name + " ";
  EXPECT_EQ(names, "person_id region educ income born member ");
  EXPECT_EQ(catalog.tables[0].columns[2].place, (Place{15, 1}));
}

TEST(Catalog, SaysWhatTheColumnsSay) {
  const Catalog catalog = catalog_of(example_catalog);
  const Table& people = catalog.tables[0];
  EXPECT_FALSE(people.column("person_id")->range);
  EXPECT_EQ(people.column("region")->keys, (std::vector<Value>{"north", "south", "east", "west"}));
  const Column& educ = *people.column("educ");
  EXPECT_EQ(educ.range->lower, Value(std::int64_t{1}));
  EXPECT_EQ(educ.range->upper, Value(std::int64_t{16}));
  EXPECT_EQ(educ.labels.at(Value(std::int64_t{16})), "Doctorate degree");
  const Column& income = *people.column("income");
  EXPECT_EQ(income.range->lower, Value(0.0));
  EXPECT_EQ(income.range->upper, Value(200000.0));
  EXPECT_EQ(income.granularity, 0.5);
  EXPECT_EQ(people.column("born")->range->lower, Value(Day{-25567}));
  EXPECT_EQ(people.column("member")->keys, (std::vector<Value>{true, false}));
}

TEST(Catalog, FindsNamesWhateverTheirCase) {
  const Catalog catalog = catalog_of(example_catalog);
  ASSERT_NE(catalog.table("PEOPLE"), nullptr);
  EXPECT_EQ(catalog.table("person"), nullptr);
  EXPECT_EQ(catalog.table("People")->column("Region")->name, "region");
  EXPECT_EQ(catalog.table("People")->column("regions"), nullptr);
}

TEST(Catalog, HasTheseDefaults) {
  const Catalog catalog = catalog_of(
      "[budget]\nepsilon = 1\n[tables.t]\nsource = \"t.CSV\"\nunit = \"row\"\n"
      "[tables.t.columns]\nx = { type = \"real\", lower = -3, upper = 100 }\ny = { type = \"real\" }\n");
  EXPECT_EQ(catalog.budget.delta, Rational::of(0));
  EXPECT_EQ(catalog.budget.accountant, Filter::pure);
  EXPECT_EQ(catalog.budget.ledger, "catalog.ledger");
  const Table& table = catalog.tables[0];
  EXPECT_FALSE(table.unit);
  EXPECT_EQ(table.source.kind, SourceKind::csv);
  EXPECT_EQ(table.source.delimiter, ',');
  EXPECT_TRUE(table.source.quoted);
  EXPECT_FALSE(table.source.line_breaks);
  EXPECT_EQ(table.columns[0].granularity, 0x1p-13);  // 100 is 819200 steps
  EXPECT_EQ(table.columns[1].granularity, 0x1p-20);
}

TEST(Catalog, HasTablesWithoutAFile) {
  const Catalog catalog = catalog_of(
      "[budget]\nepsilon = 1\n[tables.t]\nformat = \"arrow\"\nunit = \"row\"\n"
      "[tables.t.columns]\nx = { type = \"integer\" }\n");
  EXPECT_EQ(catalog.tables[0].source.kind, SourceKind::arrow);
  EXPECT_TRUE(catalog.tables[0].source.path.empty());
  EXPECT_EQ(name_of(SourceKind::arrow), "arrow");
}

TEST(Catalog, SaysWhoMaySpendHowMuch) {
  const Budget none = catalog_of(example_catalog).budget;
  EXPECT_TRUE(none.shares.empty());
  EXPECT_EQ(none.reserve(), Rational::of(0));
  EXPECT_FALSE(none.witness);
  const std::string budget =
      "[budget]\nepsilon = 1\nwitness = \"../far/w\"\n[budget.shares]\n\"zoë\" = 0.1\nben = 3e-1\nanna = 0.2\n";
  const Budget shared = catalog_of(budget + rest_of_catalog).budget;
  ASSERT_EQ(shared.shares.size(), 3U);
  EXPECT_EQ(shared.shares[0].analyst, "zoë");
  EXPECT_EQ(shared.shares[1].part, Rational::of_decimal("0.3").value());
  EXPECT_EQ(shared.reserve(), Rational::of_decimal("0.4").value());  // exactly, which doubles miss
  EXPECT_EQ(shared.witness, "../far/w");
}

TEST(Catalog, SaysWhetherAWitnessIsKeptAndTheConversionPaidFor) {
  const Budget usual = catalog_of(example_catalog).budget;
  EXPECT_FALSE(usual.without_witness);
  EXPECT_EQ(usual.conversion, Conversion::worthwhile);
  const std::string budget = "[budget]\nepsilon = 1\ndelta = 1e-6\nwitness = \"none\"\nconversion = \"never\"\n";
  const Budget without = catalog_of(budget + rest_of_catalog).budget;
  EXPECT_FALSE(without.witness);
  EXPECT_TRUE(without.without_witness);
  EXPECT_EQ(name_of(without.conversion), "never");
  const Budget file = catalog_of("[budget]\nepsilon = 1\nwitness = \"./none\"\n" + rest_of_catalog).budget;
  EXPECT_EQ(file.witness, "./none");
  EXPECT_FALSE(file.without_witness);
}

TEST(Catalog, TakesWhatCanBeTold) {
  const Catalog catalog = catalog_of(
      "[budget]\nepsilon = 1\ndelta = 1e-9\naccountant = \"rdp\"\n[tables.\"Größe der Häuser\"]\nsource = \"t.txt\"\n"
      "format = \"csv\"\ndelimiter = \"\\t\"\nquoted = false\nunit = \"id \\\"x\\\"\"\nneighbours = \"replace\"\n"
      "row_limit = 1_000\n[tables.\"Größe der Häuser\".columns]\n\"id \\\"x\\\"\" = { type = \"string\" }\n");
  EXPECT_EQ(catalog.budget.accountant, Filter::rdp);
  const Table& table = *catalog.table("GRÖßE der HÄUSER");
  EXPECT_EQ(table.source.delimiter, '\t');
  EXPECT_FALSE(table.source.quoted);
  EXPECT_EQ(table.neighbours, privacy::Neighbours::replace);
  EXPECT_EQ(table.row_limit, 1000);
  EXPECT_EQ(table.unit, "id \"x\"");
}

TEST(Catalog, ReadsBudgetsToTheLastDigit) {
  const auto epsilon_of = [](const std::string& text) {
    return catalog_of("[budget]\n\"epsilon\"   =  " + text + " # a remark\n" + rest_of_catalog).budget.epsilon;
  };
  EXPECT_EQ(epsilon_of("0.1") + epsilon_of("0.2"), epsilon_of("0.3"));
  EXPECT_NE(Rational::of(0.1).value() + Rational::of(0.2).value(), Rational::of(0.3).value());
  EXPECT_EQ(epsilon_of("1_0.2_5e-1"), Rational::of_decimal("1.025").value());
  EXPECT_EQ(epsilon_of("+0.1000000000000000000000000000001"),
            Rational::of_decimal("0.1000000000000000000000000000001").value());
  EXPECT_EQ(epsilon_of("0x10"), Rational::of(16));
  // Behind letters of several bytes, in a line that ends in CR LF, and after a byte order mark.
  const Catalog catalog = catalog_of(
      "\xEF\xBB\xBF"
      "budget = { ledger = \"äöü€𝄞\", epsilon = 0.7 }\r\n" +
      rest_of_catalog);
  EXPECT_EQ(catalog.budget.epsilon, Rational::of_decimal("0.7").value());
}

TEST(Catalog, TellsEveryProblemInTheOrderOfTheFile) {
  const Reading<Catalog> reading =
      examine_catalog_text("c.toml", "[tables.t]\nunit = 1\nbanana = 2\n[budget]\nepsilon = 0\n");
  EXPECT_FALSE(reading.content);
  EXPECT_EQ(
      problems_text("c.toml", reading.problems),
      "c.toml:1:9: the table 't' has no source; write for example source = \"people.csv\"\n"
      "c.toml:1:9: the table 't' has no columns; write for example [tables.t.columns]\n"
      "c.toml:2:8: unit of the table 't' must be a text in double quotes such as \"person_id\", but it is the number "
      "1\n"
      "c.toml:3:1: the table 't' takes no key 'banana'; its keys are append_only, columns, date_format, decimal_mark, "
      "delimiter, expressions, false_words, format, line_breaks, max_groups, max_rows, missing, neighbours, public, "
      "public_count, "
      "quoted, row_limit, sampled, source, thousands, trim, true_words, unit and weight\n"
      "c.toml:5:11: epsilon of [budget] must be between 1e-10 and 1e4, but it is the number 0\n");
}

TEST(Catalog, IsOneSentenceWhenItCannotBeUsed) {
  const std::string path = testing::own_folder() + "broken_catalog.toml";
  std::ofstream(path) << "[budget]\nepsilon = 1\ndelta = 2\n";
  const Result<Catalog> catalog = read_catalog(path);
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().kind, ErrorKind::invalid);
  EXPECT_EQ(catalog.error().sentence().find(path + ":1:1: the catalog has no tables"), 0U)
      << catalog.error().sentence();
  EXPECT_NE(catalog.error().sentence().find("(and 1 more problem in this file)"), std::string::npos)
      << catalog.error().sentence();
  std::ofstream(path) << example_catalog;
  EXPECT_TRUE(read_catalog(path));
}

TEST(Catalog, IsRefusedWhereItsFileCannotBeRead) {
  for (const std::string& path : {testing::own_folder() + "no_such_catalog.toml", vernier::testing::own_folder()}) {
    const Result<Catalog> catalog = read_catalog(path);
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().kind, ErrorKind::system);
    EXPECT_NE(catalog.error().sentence().find(path), std::string::npos);
  }
  const std::string large = testing::own_folder() + "large_catalog.toml";
  std::ofstream(large) << std::string(most_file_bytes + 1, '#');
  EXPECT_NE(read_catalog(large).error().sentence().find("larger than 4 MiB"), std::string::npos);
}

}  // namespace
}  // namespace vernier::query
