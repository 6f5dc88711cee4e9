#include "support/catalog_rules.hpp"

#include <gtest/gtest.h>

#include "vernier/query/catalog.hpp"

namespace vernier::query {
namespace {

using testing::expect_said;
using testing::Rule;

const std::vector<Rule> budget_rules = {
    {"epsilon = 3.0", "epsilonn = 3.0",
     "1:1: [budget] has no epsilon; write for example epsilon = 1.0\n"
     "2:1: [budget] takes no key 'epsilonn' (did you mean epsilon?); its keys are accountant, conversion, "
     "delta, epsilon, ledger, shares and witness\n"},
    {"epsilon = 3.0", "epsilon = \"3\"",
     "2:11: epsilon of [budget] must be a number such as 0.5, but it is the text \"3\"\n"},
    {"epsilon = 3.0", "epsilon = inf",
     "2:11: epsilon of [budget] must be a number such as 0.5, but it is the number inf\n"},
    {"epsilon = 3.0", "epsilon = nan",
     "2:11: epsilon of [budget] must be a number such as 0.5, but it is the number nan\n"},
    {"epsilon = 3.0", "epsilon = -1.0",
     "2:11: epsilon of [budget] must be between 1e-10 and 1e4, but it is the number -1.0\n"},
    {"epsilon = 3.0", "epsilon = 10000.000000000000000000001",
     "2:11: epsilon of [budget] must be between 1e-10 and 1e4, but it is the number 10000.000000000000000000001\n"},
    {"delta = 1e-6", "delta = 1",
     "3:9: delta of [budget] must be 0 or between 1e-300 and 0.5, but it is the number 1\n"},
    {"delta = 1e-6", "delta = 1e-400",
     "3:9: delta of [budget] must be 0 or between 1e-300 and 0.5, but it is the number 1e-400\n"},
    {"delta = 1e-6", "delta = 0",
     "5:14: accountant of [budget] is zcdp, which proves nothing at delta 0; write delta = 1e-6, or accountant = "
     "\"pure\"\n"},
    {"\"zcdp\"", "\"zdcp\"",
     "5:14: accountant of [budget] must be zcdp, rdp or pure, but it is 'zdcp' (did you mean zcdp?)\n"},
    {"\"zcdp\"", "\"zcdp\"\nconversion = \"newer\"",
     "6:14: conversion of [budget] must be worthwhile, never or early, but it is 'newer' (did you mean never?)\n"},
    {"accountant = \"zcdp\"", "accountant = \"pure\"\nconversion = \"never\"",
     "6:14: conversion of [budget] belongs to the accountants zcdp and rdp; leave it out\n"},
    {"\"census.ledger\"", "\"\"",
     "4:10: ledger of [budget] must be a file or a postgresql:// address, but it is empty; leave it out for "
     "c.ledger\n"},
    {"\"census.ledger\"", "7",
     "4:10: ledger of [budget] must be a text in double quotes such as \"c.ledger\", but it is the number 7\n"},
};

const std::vector<Rule> table_rules = {
    {"[tables.people]",
     "[tables.\" people\"]\nsource = \"x.csv\"\nunit = \"row\"\ncolumns = { a = { type = \"date\" } }\n[tables.people]",
     "7:9: a table cannot have this name, since it begins or ends with a blank; choose another\n"},
    {"[tables.people]",
     "[tables.PEOPLE]\nsource = \"x.csv\"\nunit = \"row\"\ncolumns = { a = { type = \"date\" } }\n[tables.people]",
     "11:9: the table 'people' differs only by case from 'PEOPLE' in line 7, and engines take them for one; rename one "
     "of them\n"},
    {"[tables.people]", "[tables]\nx = 3\n[tables.people]",
     "8:5: the table 'x' must be a table such as [tables.people], but it is the number 3\n"},
    {"source = \"people.parquet\"", "",
     "7:9: the table 'people' has no source; write for example source = \"people.csv\"\n"},
    {"[tables.people]",
     "[tables.other]\nsource = \"x.csv\"\nunit = \"row\"\nneighbours = \"replace\"\ncolumns = { a = { type = \"date\" "
     "} "
     "}\n[tables.people]",
     "12:9: the table 'people' has neighbours add-remove and the table 'other' replace, which one budget cannot add "
     "up; "
     "write the same for both, or make two catalogs with a ledger each\n"},
    {"people.parquet", "people.sqlite",
     "8:10: source of the table 'people' ends neither in .csv, .tsv or .jsonl nor in .parquet; add format = \"csv\" or "
     "format "
     "= "
     "\"parquet\"\n"},
    {"people.parquet", "people[1].parquet",
     "8:10: source of the table 'people' must be the path of a file, but it has one of []{} in it; write it in full, "
     "or from the folder of this file on\n"},
    {"people.parquet", "**/people.parquet",
     "8:10: source of the table 'people' must be the path of a file, but it has ** in it, and * stands for a part of "
     "one name; write it in full, or from the folder of this file on\n"},
    {"\"people.parquet\"", "[\"a.parquet\", \"b.csv\"]",
     "8:10: source of the table 'people' names files of several kinds, and those of a table are of one; write all of "
     "them in one way, or declare a table for each kind\n"},
    {"\"people.parquet\"", "[\"a.parquet\", 7]",
     "8:24: source of the table 'people' must be paths of files, but one is the number 7; write source = "
     "[\"north.csv\", \"south.csv\"]\n"},
    {"\"people.parquet\"", "[]", "8:10: source of the table 'people' names no file; name one\n"},
    {"\"people.parquet\"", "\"people.jsonl\"\nquoted = true",
     "9:10: quoted of the table 'people' is for CSV only, but the source is JSON lines; leave it out\n"},
    {"people.parquet", "~/people.parquet",
     "8:10: source of the table 'people' must be the path of a file, but it begins with ~; write it in full, or from "
     "the "
     "folder of this file on\n"},
    {"people.parquet", "s3://bucket/people.parquet",
     "8:10: source of the table 'people' must be the path of a file, but it is an address; write it in full, or from "
     "the "
     "folder of this file on\n"},
    {"source = \"people.parquet\"", "source = \"people.parquet\"\nformat = \"xml\"",
     "9:10: format of the table 'people' must be csv, parquet or arrow, but it is 'xml'\n"},
    {"source = \"people.parquet\"", "source = \"people.parquet\"\nformat = \"arrow\"",
     "8:10: source of the table 'people' names a file, but with format = \"arrow\" the rows are given by the program "
     "that releases; leave it out, or write format = \"csv\" or \"parquet\"\n"},
    {"source = \"people.parquet\"", "format = \"arrow\"\nquoted = false",
     "9:10: quoted of the table 'people' is for CSV only, but the source is Arrow; leave it out\n"},
    {"source = \"people.parquet\"", "source = \"people.parquet\"\ndelimiter = \";\"",
     "9:13: delimiter of the table 'people' is for CSV only, but the source is Parquet; leave it out\n"},
    {"source = \"people.parquet\"", "source = \"people.csv\"\ndelimiter = \"ab\"",
     "9:13: delimiter of the table 'people' must be one character that no cell needs, such as \",\", \";\", \"|\" or "
     "\"\\t\"\n"},
    {"source = \"people.parquet\"", "source = \"people.csv\"\nquoted = false\nline_breaks = true",
     "10:15: line_breaks of the table 'people' needs quotes around cells, but quoted is false; leave one of them "
     "out\n"},
    {"source = \"people.parquet\"", "source = \"people.parquet\"\nline_breaks = true",
     "9:15: line_breaks of the table 'people' is for CSV only, but the source is Parquet; leave it out\n"},
    {"source = \"people.parquet\"", "source = \"people.csv\"\nquoted = 1",
     "9:10: quoted of the table 'people' must be true or false, but it is the number 1\n"},
    {"unit = \"person_id\"", "",
     "7:9: the table 'people' has no unit; write for example unit = \"person_id\", the column that says whose row it "
     "is, or "
     "unit = \"row\"\n"},
    {"unit = \"person_id\"", "unit = \"Person_id\"",
     "9:8: unit of the table 'people' must be one of its columns, or \"row\" where every row is a person of its own, "
     "but it is "
     "'Person_id' (did you mean person_id?)\n"},
    {"unit = \"person_id\"", "unit = \"income\"",
     "9:8: unit of the table 'people' is 'income', a real number, which is no identity; declare it as integer or "
     "string\n"},
    {"unit = \"person_id\"", "unit = \"person_id\"\nneighbours = \"replac\"",
     "10:14: neighbours of the table 'people' must be add-remove or replace, but it is 'replac' (did you mean "
     "replace?)\n"},
    {"unit = \"person_id\"", "unit = \"person_id\"\nsampled = 0",
     "10:11: sampled of the table 'people' must be between 1e-9 and 1, the probability with which each member of the "
     "population is in the table, but it is the number 0\n"},
    {"unit = \"person_id\"", "unit = \"person_id\"\nsampled = 1.001",
     "10:11: sampled of the table 'people' must be between 1e-9 and 1, the probability with which each member of the "
     "population is in the table, but it is the number 1.001\n"},
    {"unit = \"person_id\"", "unit = \"person_id\"\nrow_limit = 0",
     "10:13: row_limit of the table 'people' must be a whole number from 1 to 1000000000000, but it is the number 0\n"},
    {"unit = \"person_id\"", "unit = \"person_id\"\nrow_limit = 1_000_000_000_001",
     "10:13: row_limit of the table 'people' must be a whole number from 1 to 1000000000000, but it is the number "
     "1000000000001\n"},
    {"unit = \"person_id\"", "unit = \"person_id\"\nrow_limit = 1e6",
     "10:13: row_limit of the table 'people' must be a whole number from 1 to 1000000000000, but it is the number "
     "1e6\n"},
};

const std::vector<Rule> column_rules = {
    {"person_id = { type = \"integer\" }", "person_id = {}",
     "13:1: the column 'person_id' has no type; write for example type = \"integer\" (or \"real\", \"string\", "
     "\"boolean\", "
     "\"date\")\n"},
    {"person_id = { type = \"integer\" }", "person_id = \"integer\"",
     "13:13: the column 'person_id' must be a table such as { type = \"integer\" }, but it is the text \"integer\"\n"},
    {"person_id = { type = \"integer\" }", "person_id = { type = \"int\" }",
     "13:22: type of the column 'person_id' must be boolean, integer, real, string or date, but it is 'int'\n"},
    {"person_id = { type = \"integer\" }", "person_id = { type = \"integer\", uper = 3 }",
     "13:33: the column 'person_id' takes no key 'uper' (did you mean upper?); its keys are date_format, decimal_mark, "
     "false_words, granularity, keys, labels, lower, missing, never_null, rest, thousands, trim, true_words, type and "
     "upper\n"},
    {"person_id = { type = \"integer\" }", "person_id = { type = \"integer\" }\nRegion = { type = \"string\" }",
     "15:1: the column 'region' differs only by case from 'Region' in line 14, and engines take them for one; rename "
     "one of "
     "them\n"},
    {"person_id = { type = \"integer\" }", "person_id = { type = \"integer\" }\n\"a\\u202Eb\" = { type = \"string\" }",
     "14:1: a column cannot have this name, since it has a control character or one that cannot be seen; rename it in "
     "the "
     "file and here\n"},
    {"person_id = { type = \"integer\" }", "person_id = { type = \"integer\" }\n\"\" = { type = \"string\" }",
     "14:1: a column cannot have this name, since it is empty; rename it in the file and here\n"},
    {"lower = 1, ", "", "15:36: the column 'educ' has an upper bound but no lower one; write both, or none\n"},
    {", upper = 200000", "", "16:35: the column 'income' has a lower bound but no upper one; write both, or none\n"},
    {"lower = 1,", "lower = 17,",
     "15:36: lower of the column 'educ' must be below upper, but lower is the number 17 and upper is the number 16; "
     "put the "
     "smaller one first\n"},
    {"lower = 0,", "lower = 200000,",
     "16:35: lower of the column 'income' must be below upper, but lower is the number 200000 and upper is the number "
     "200000; "
     "put the smaller one first\n"},
    {"lower = 1900-01-01", "lower = 2026-01-01",
     "17:33: lower of the column 'born' must be below upper, but lower is the date 2026-01-01 and upper is the date "
     "2025-12-31; put the smaller one first\n"},
    {"lower = 1900-01-01", "lower = \"1900-01-01\"",
     "17:33: lower of the column 'born' must be a date without quotes such as 2026-01-31, but it is the text "
     "\"1900-01-01\"\n"},
    {"lower = 1900-01-01", "lower = 1900-01-01T00:00:00",
     "17:33: lower of the column 'born' must be a date without quotes such as 2026-01-31, but it is a time\n"},
    {"upper = 16", "upper = 16.0",
     "15:47: upper of the column 'educ' must be a whole number such as 16, but it is the number 16.0\n"},
    {"upper = 16", "upper = 9007199254740993",
     "15:47: upper of the column 'educ' must be at most 2^53 (9007199254740992) from 0, but it is the number "
     "9007199254740993; write narrower bounds\n"},
    {"upper = 200000", "upper = \"high\"",
     "16:46: upper of the column 'income' must be a number such as 0.5, but it is the text \"high\"\n"},
    {"upper = 200000", "upper = 200000.25",
     "16:46: upper of the column 'income' is the number 200000.25, which is no multiple of the granularity 0.5; write "
     "200000.5, or another granularity\n"},
    {"upper = 200000", "upper = 200000.000000000000000000000001",
     "16:46: upper of the column 'income' is the number 200000.000000000000000000000001, which is no multiple of the "
     "granularity 0.5; write 200000, or another granularity\n"},
    {"upper = 200000", "upper = 1e16",
     "16:46: upper of the column 'income' is the number 1e16, more than 2^53 steps of the granularity 0.5 from 0; "
     "write a "
     "larger granularity, or narrower bounds\n"},
    {"granularity = 0.5", "granularity = 0.01",
     "16:68: granularity of the column 'income' must be a power of two between 2^-100 and 2^100, but it is the number "
     "0.01; "
     "write 0.0078125 or 0.015625\n"},
    {"granularity = 0.5", "granularity = 0.500000000000000000000000001",
     "16:68: granularity of the column 'income' must be a power of two between 2^-100 and 2^100, but it is the number "
     "0.500000000000000000000000001; write 0.5 or 1\n"},
    {"granularity = 0.5", "granularity = -2",
     "16:68: granularity of the column 'income' must be a power of two between 2^-100 and 2^100, but it is the number "
     "-2; "
     "write 2 or 4\n"},
    {"type = \"integer\" }", "type = \"integer\", granularity = 1 }",
     "13:47: the column 'person_id' is of type integer, and only real columns have a granularity; leave it out\n"},
    {"keys = [true, false]", "lower = false, upper = true",
     "18:38: the column 'member' is of type boolean, which has no bounds; leave lower and upper out, or declare "
     "keys\n"},
};

const std::vector<Rule> key_rules = {
    {"\"south\", \"east\"", "\"south\", \"north\"",
     "14:55: the text \"north\" is a key of the column 'region' already; write it once\n"},
    {"\"south\", \"east\"", "3, \"east\"",
     "14:46: a key of the column 'region' must be a text in double quotes such as \"north\", but it is the number 3\n"},
    {"\"south\", \"east\"", "\"\", \"east\"",
     "14:46: a key of the column 'region' must be a text that can be seen, but it is empty; take it out\n"},
    {"\"south\", \"east\"", "\"a\\u0000b\", \"east\"",
     "14:46: a key of the column 'region' must be a text that can be seen, but it has a control character or one that "
     "cannot be "
     "seen; take it out\n"},
    {"[\"north\", \"south\", \"east\", \"west\"]", "[]",
     "14:36: keys of the column 'region' must be a list with a key in it, but it is empty; leave it out where keys are "
     "private\n"},
    {"[\"north\", \"south\", \"east\", \"west\"]", "\"north\"",
     "14:36: keys of the column 'region' must be a list with a key in it, but it is the text \"north\"; leave it out "
     "where "
     "keys are private\n"},
    {"labels = { 1 =", "keys = [1, 17], labels = { 1 =",
     "15:62: a key of the column 'educ' must be within its bounds, 1 to 16, but it is the number 17\n"
     "15:108: the label of '16' of the column 'educ' is for a value that is not among its keys; add it to keys, or "
     "take the "
     "label out\n"},
    {"granularity = 0.5", "granularity = 0.5, keys = [1.5]",
     "16:80: the column 'income' is of type real, which has no keys; leave them out and group it with BUCKET(x, "
     "width), or "
     "declare another type\n"},
    {"granularity = 0.5", "labels = { 1 = \"one\" }",
     "16:63: the column 'income' is of type real, which has no labels; leave them out and group it with BUCKET(x, "
     "width), or "
     "declare another type\n"},
    {"16 = \"Doctorate", "17 = \"Doctorate",
     "15:92: the label of '17' of the column 'educ' is for a value that lies outside its bounds, 1 to 16; take the "
     "label out\n"},
    {"16 = \"Doctorate", "016 = \"Doctorate",
     "15:92: the label of '016' of the column 'educ' must be for a whole number such as 16\n"},
    {"\"Doctorate degree\"", "16",
     "15:97: the label of '16' of the column 'educ' must be a text in double quotes such as \"north\", but it is the "
     "number "
     "16\n"},
    {"labels = {", "labels = 3, label = {",
     "15:60: labels of the column 'educ' must be a table such as { 1 = \"No schooling completed\" }, but it is the "
     "number 3\n"
     "15:63: the column 'educ' takes no key 'label' (did you mean labels?); its keys are date_format, decimal_mark, "
     "false_words, granularity, keys, labels, lower, missing, never_null, rest, thousands, trim, true_words, type and "
     "upper\n"},
};

TEST(CatalogRules, OfTheBudget) { expect_said(budget_rules); }
TEST(CatalogRules, OfTables) { expect_said(table_rules); }
TEST(CatalogRules, OfColumns) { expect_said(column_rules); }
TEST(CatalogRules, OfKeysAndLabels) { expect_said(key_rules); }

TEST(CatalogRules, OfTheWholeFile) {
  const auto said = [](const std::string& text) {
    return problems_text("c", examine_catalog_text("c", text).problems);
  };
  EXPECT_EQ(
      said(""),
      "c:1:1: the catalog has no budget; write for example [budget] and below it epsilon = 1.0\n"
      "c:1:1: the catalog has no tables; write for example [tables.people] and below it source = \"people.csv\"\n");
  EXPECT_EQ(said("budget = 3\n" + rest_of_catalog),
            "c:1:10: budget of the catalog must be a table such as [budget], but it is the number 3\n");
  EXPECT_EQ(said("[budget]\nepsilon = 1\n[tables]\n"),
            "c:3:1: no table is declared; write for example [tables.people]\n");
  EXPECT_EQ(said("[budget]\nepsilon = 1\n[[tables]]\n"),
            "c:3:1: tables of the catalog must be a table such as [tables.people], but it is a list\n");
  EXPECT_EQ(said("[budget]\nepsilon = 1\n[table.x]\n" + rest_of_catalog),
            "c:3:2: the catalog takes no key 'table' (did you mean tables?); its keys are budget, engine, tables and "
            "views\n");
  EXPECT_EQ(
      said("[budget]\nepsilon = = 1\n"),
      "c:2:11: this is no TOML: error while parsing value: could not determine value type; write KEY = VALUE, with "
      "text in double quotes\n");
  EXPECT_NE(said("[budget]\nepsilon = 1\nepsilon = 1\n").find("c:3:"), std::string::npos);
  EXPECT_NE(said("a = \"\xff\"\n").find("invalid utf-8"), std::string::npos);
}

// Just within the rules.
TEST(CatalogRules, AllowTheirEdges) {
  const auto accepted = [](const char* old, const char* now) {
    return problems_text("c", examine_catalog_text("c", changed(example_catalog, old, now)).problems);
  };
  EXPECT_EQ(accepted("upper = 16", "upper = 9007199254740992"), "");
  EXPECT_EQ(accepted("upper = 200000", "upper = 4503599627370496"), "");
  EXPECT_EQ(accepted("granularity = 0.5", "granularity = 5.960464477539063e-08"), "");  // as messages tell 2^-24
  EXPECT_EQ(accepted("lower = 0, upper = 200000, granularity = 0.5",
                     "lower = 0, upper = 0.10000038146972656, granularity = 9.5367431640625e-7"),
            "");
  EXPECT_EQ(accepted("epsilon = 3.0", "epsilon = 1e-10"), "");
  EXPECT_EQ(accepted("epsilon = 3.0", "epsilon = 1e4"), "");
  EXPECT_EQ(accepted("delta = 1e-6", "delta = 0.5"), "");
  EXPECT_EQ(accepted("unit = \"person_id\"", "unit = \"row\"\nrow_limit = 1_000_000_000_000"), "");
  EXPECT_EQ(accepted("unit = \"person_id\"", "unit = \"row\"\nsampled = 1"), "");
}

}  // namespace
}  // namespace vernier::query
