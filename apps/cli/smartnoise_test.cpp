#include "cli/smartnoise.hpp"

#include <gtest/gtest.h>

#include "vernier/query/catalog.hpp"

namespace vernier::cli {
namespace {

const std::string metadata = R"(Database:
  health:
    visits:
      max_ids: 3
      rows: 100000
      pid:
        type: int
        private_id: True
      age:
        type: int
        lower: 0.0
        upper: 120
      cost:
        type: float
        lower: 0
        upper: 65536.5
      rate:
        type: float
        lower: 0.1
        upper: 0.9
      region:
        type: string
        cardinality: 4
      member:
        type: boolean
        nullable: false
      seen:
        type: datetime
      note:
        type: unknown
)";

ImportedCatalog imported(const std::string& text) {
  auto catalog = read_smartnoise(text);
  EXPECT_TRUE(catalog) << catalog.error().sentence;
  return catalog ? *std::move(catalog) : ImportedCatalog{};
}

std::string said(const std::string& text) {
  const auto catalog = read_smartnoise(text);
  return catalog ? "" : query::located("f", catalog.error());
}

std::string notes(const ImportedCatalog& catalog, bool are_open) {
  std::string text;
  for (const ImportNote& note : catalog.notes) {
    if (note.is_open == are_open) text += std::to_string(note.line) + ": " + note.sentence + "\n";
  }
  return text;
}

// The text with every open point filled in.
std::string filled(std::string text) {
  for (const auto& [open, answer] :
       std::vector<std::pair<std::string, std::string>>{{"# epsilon = 1.0", "epsilon = 1.0"},
                                                        {"# source = \"...\"", "source = \"t.csv\""},
                                                        {"# unit = \"...\"", "unit = \"row\""}}) {
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + answer.size()))
      text.replace(at, open.size(), answer);
  }
  return text;
}

TEST(SmartNoise, BecomesACatalogOnceItIsFilledIn) {
  const std::string text = catalog_text(imported(metadata), "m.yaml");
  EXPECT_FALSE(query::examine_catalog_text("c.toml", text).content);
  const auto reading = query::examine_catalog_text("c.toml", filled(text));
  ASSERT_TRUE(reading.content) << reading.problems.front().sentence << "\n" << text;
  const query::Table& table = reading.content->tables.front();
  EXPECT_EQ(table.name, "visits");
  EXPECT_EQ(table.unit, "pid");
  ASSERT_EQ(table.columns.size(), 7U);
  EXPECT_EQ(table.column("age")->range->upper, query::Value(std::int64_t{120}));
  EXPECT_EQ(table.column("cost")->range->upper, query::Value(65536.5));
  EXPECT_FALSE(table.column("rate")->range);
  EXPECT_EQ(table.column("seen")->type, query::Type::date);
  EXPECT_EQ(table.column("note"), nullptr);
}

TEST(SmartNoise, TellsWhatIsOpenAndWhatIsLeftOut) {
  const ImportedCatalog catalog = imported(metadata);
  const std::string open = notes(catalog, true), left = notes(catalog, false);
  EXPECT_NE(open.find("3: source of the table 'visits' is open"), std::string::npos) << open;
  EXPECT_NE(open.find("19: bounds of the column 'rate' are left open, since lower = 0.1, upper = 0.9 is not taken"),
            std::string::npos)
      << open;
  for (const char* const part :
       {"4: max_ids: '3' of the table 'visits' belongs to the study", "5: rows: '100000'", "23: 'cardinality'",
        "26: 'nullable'", "27: the column 'seen' is a datetime", "29: the column 'note' is of type unknown"}) {
    EXPECT_NE(left.find(part), std::string::npos) << part << "\n" << left;
  }
}

TEST(SmartNoise, ChoosesAUnitOnlyWhereOneIsMeant) {
  const auto unit = [](const std::string& lines) {
    return imported("d:\n  s:\n    t:\n" + lines).tables.front().unit.value_or("(open)");
  };
  const std::string one = "      a: {type: int, private_id: True}\n";
  EXPECT_EQ(unit(one), "a");
  EXPECT_EQ(unit(one + "      row_privacy: True\n"), "row");
  EXPECT_EQ(unit(one + "      row_privacy: no\n"), "a");
  EXPECT_EQ(unit("      a: {type: int}\n"), "(open)");
  EXPECT_EQ(unit(one + "      b: {type: string, private_id: yes}\n"), "(open)");
  EXPECT_EQ(unit("      row: {type: int}\n      row_privacy: True\n"), "(open)");
}

TEST(SmartNoise, AFloatNamesNobody) {
  const ImportedCatalog catalog = imported("d: {s: {t: {a: {type: float, private_id: true}}}}\n");
  EXPECT_FALSE(catalog.tables.front().columns.front().type);
  EXPECT_NE(notes(catalog, true).find("which is no identity"), std::string::npos);
}

TEST(SmartNoise, TablesOfTwoSchemasKeepApart) {
  const ImportedCatalog catalog = imported("d: {s: {t: {a: {type: int}}}, r: {T: {a: {type: int}}}}\n");
  ASSERT_EQ(catalog.tables.size(), 2U);
  EXPECT_EQ(catalog.tables[0].name + " " + catalog.tables[1].name, "t r.T");
  const auto reading = query::examine_catalog_text("c.toml", filled(catalog_text(catalog, "m.yaml")));
  EXPECT_TRUE(reading.content) << reading.problems.front().sentence;
}

TEST(SmartNoise, OneSentenceForEveryOtherFile) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"- a\n", "f:1:1: the file must have a collection"},
      {"just text\n", "the file must have a collection"},
      {"{}\n", "the file must have a collection, its schemas and their tables below it, but it is empty"},
      {"engine: spark\n", "there is no collection"},
      {"a: {s: {t: {x: {type: int}}}}\nb: {s: {t: {x: {type: int}}}}\n",
       "f:2:1: there are two collections, 'a' and 'b'"},
      {"d: 1\n", "the collection 'd' must have schemas below it, but it is the text '1'"},
      {"d: {s: 1}\n", "the schema 's' must have tables below it"},
      {"d: {s: {t: []}}\n", "the table 't' must have its columns below it, but it is a list"},
      {"d: {s: {t: {rows: 3}}}\n", "the table 't' has no columns that can be used"},
      {"d: {s: {t: {rows: [3]}}}\n", "rows of the table 't' must be one value"},
      {"d: {s: {t: {x: 3}}}\n", "the column 'x' must have its type and bounds below it"},
      {"d: {s: {t: {x: {lower: 3}}}}\n", "the column 'x' has no type"},
      {"d: {s: {t: {x: {type: integer}}}}\n",
       "must be int, float, string, boolean, datetime or unknown, but it is the text 'integer'"},
      {"d: {s: {t: {x: {type: {}}}}}\n", "must be int, float"},
      {"d: {s: {t: {x: {type: int, lower: low, upper: 3}}}}\n", "lower of the column 'x' must be a number"},
      {"d: {s: {t: {x: {type: int, lower: '0', upper: 3}}}}\n", "lower of the column 'x' must be a number"},
      {"d: {s: {t: {x: {type: int, lower: 0, upper: 010}}}}\n", "upper of the column 'x' must be a number"},
      {"d: {s: {t: {x: {type: int, lower: 0, upper: .inf}}}}\n", "upper of the column 'x' must be a number"},
      {"d: {s: {t: {x: {type: int, private_id: maybe}}}}\n", "private_id of the column 'x' must be True or False"},
      {"d: {s: {t: {row_privacy: 'True', x: {type: int}}}}\n", "row_privacy of the table 't' must be True or False"},
      {"d: {s: {t: {x: {type: int}, X: {type: int}}}}\n", "differs only by case from 'x'"},
      {"d: {s: {t: {\"x\\u202e\": {type: int}}}}\n", "a column cannot have this name"},
  };
  for (const auto& [text, part] : all) EXPECT_NE(said(text).find(part), std::string::npos) << text << said(text);
}

TEST(SmartNoise, OddBoundsAreLeftOpen) {
  for (const char* const bounds : {"lower: 3, upper: 3", "lower: 4, upper: 3", "lower: 0, upper: 1e300",
                                   "lower: 0.5, upper: 2", "lower: 0", "upper: 2"}) {
    const ImportedCatalog catalog = imported(std::string("d: {s: {t: {x: {type: int, ") + bounds + "}}}}\n");
    EXPECT_EQ(catalog.tables.front().columns.front().bounds, "") << bounds;
    EXPECT_NE(notes(catalog, true).find("bounds of the column 'x' are left open"), std::string::npos) << bounds;
  }
}

TEST(SmartNoise, OddNamesStayInTheirRemarks) {
  const ImportedCatalog catalog = imported("d: {s: {t: {\"a\\\"]\": {type: int, \"odd\\nkey\": 1}}}}\n");
  const auto reading = query::examine_catalog_text("c.toml", filled(catalog_text(catalog, "m.yaml")));
  ASSERT_TRUE(reading.content) << reading.problems.front().sentence << catalog_text(catalog, "m.yaml");
  EXPECT_EQ(reading.content->tables.front().columns.front().name, "a\"]");
}

}  // namespace
}  // namespace vernier::cli
