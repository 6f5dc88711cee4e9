#include "vernier/query/expression/render.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/duckdb_session.hpp"
#include "support/tables.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/written_value.hpp"

// What rendered expressions come out as on rows that are known.
namespace vernier::query {
namespace {

struct Cell {
  std::string name;
  std::string sql;
};

// The value of an expression of the grammar on a row with these cells, and NULL in all other columns.
class Row {
 public:
  Row(std::initializer_list<Cell> cells) : cells_(cells) {}

  std::string value(const std::string& expression) {
    const Result<Query> query = read_query("SELECT COUNT(" + expression + ") FROM people", testing::people_catalog());
    if (!query) return query.error().sentence();
    const auto row = session_.run("SELECT " + rendered(*query->aggregations[0].argument) + " FROM " + table());
    return row ? row->front() : session_.error();
  }

 private:
  std::string cell(const Column& column) const {
    for (const auto& [name, sql] : cells_) {
      if (name == column.name) return sql;
    }
    return "NULL";
  }

  std::string table() const {
    std::string list;
    for (const Column& column : testing::people().columns) {
      list += (list.empty() ? "SELECT CAST(" : ", CAST(") + cell(column) + " AS " +
              std::string(column_type(column.type)) + ") AS " + quoted_identifier(column.name);
    }
    return bracketed(list);
  }

  std::vector<Cell> cells_;
  testing::DuckDbSession session_;
};

TEST(Render, MovesValuesToTheNearerBoundAndLeavesNull) {
  Row low{{"age", "-5"}, {"income", "'-inf'"}, {"born", "'-infinity'"}};
  EXPECT_EQ(low.value("age"), "0");
  EXPECT_EQ(low.value("income"), "0.0");
  EXPECT_EQ(low.value("born"), text_of(Day{-10000}));
  Row high{{"age", "121"}, {"income", "'inf'"}, {"born", "'5881580-07-10'"}};
  EXPECT_EQ(high.value("age"), "120");
  EXPECT_EQ(high.value("income"), "200000.0");
  EXPECT_EQ(high.value("born"), text_of(Day{20000}));
  Row none{{"income", "'nan'"}};
  EXPECT_EQ(none.value("age"), "NULL");
  EXPECT_EQ(none.value("income"), "NULL");
  EXPECT_EQ(none.value("born"), "NULL");
  EXPECT_EQ(none.value("CLAMP(id, 0, 5)"), "NULL");
}

TEST(Render, MakesNullOfWhatIsNotFiniteWhereThereAreNoBounds) {
  Row row{{"weight", "'inf'"}, {"rate", "'nan'"}, {"seen", "'infinity'"}};
  EXPECT_EQ(row.value("weight"), "NULL");
  EXPECT_EQ(row.value("rate"), "NULL");
  EXPECT_EQ(row.value("seen"), "NULL");
}

TEST(Render, DividesTowardZeroAndByZeroToNull) {
  Row row{{"id", "-7"}, {"age", "0"}, {"weight", "1e308"}};
  EXPECT_EQ(row.value("id // 2"), "-3");
  EXPECT_EQ(row.value("id % 2"), "-1");
  EXPECT_EQ(row.value("id / 2"), "-3.5");
  EXPECT_EQ(row.value("id // age"), "NULL");
  EXPECT_EQ(row.value("id % age"), "NULL");
  EXPECT_EQ(row.value("id / age"), "NULL");
  EXPECT_EQ(row.value("weight * 10"), "NULL");
}

TEST(Render, KeepsTheExtremesOfSixtyFourBits) {
  Row row{{"id", "'-9223372036854775808'"}};
  EXPECT_EQ(row.value("-id"), "9223372036854775808");
  EXPECT_EQ(row.value("ABS(id)"), "9223372036854775808");
  EXPECT_EQ(row.value("id // -1"), "9223372036854775808");
  EXPECT_EQ(row.value("id % -1"), "0");
  EXPECT_EQ(row.value("id * id"), "85070591730234615865843651857942052864");
  EXPECT_EQ(row.value("CAST(id - 1 AS INTEGER)"), "NULL");
  EXPECT_EQ(row.value("CLAMP(id - 1, -5, 5)"), "-5");
}

TEST(Render, RoundsHalvesUp) {
  Row row{{"weight", "2.5"}, {"rate", "-2.5"}};
  EXPECT_EQ(row.value("ROUND(weight)"), "3.0");
  EXPECT_EQ(row.value("ROUND(rate)"), "-2.0");
  EXPECT_EQ(row.value("CAST(weight AS INTEGER)"), "3");
  EXPECT_EQ(row.value("CAST(rate AS INTEGER)"), "-2");
  EXPECT_EQ(row.value("FLOOR(rate)"), "-3.0");
  EXPECT_EQ(row.value("CEIL(rate)"), "-2.0");
}

// x + 0.5 is rounded itself: to 1 of the double below 0.5, and to an even number from 2^52 on.
TEST(Render, RoundsByTheNumberItself) {
  Row row{{"weight", "'0.49999999999999994'"}, {"rate", "'4503599627370497'"}};
  EXPECT_EQ(row.value("ROUND(weight)"), "0.0");
  EXPECT_EQ(row.value("CAST(weight AS INTEGER)"), "0");
  EXPECT_EQ(row.value("CAST(ROUND(rate) AS INTEGER)"), "4503599627370497");
  EXPECT_EQ(row.value("CAST(-rate AS INTEGER)"), "-4503599627370497");
  Row half{{"weight", "-0.5"}};
  EXPECT_EQ(half.value("ROUND(weight)"), "0.0");
}

TEST(Render, PutsNoValueInABucketAboveIt) {
  Row row{{"weight", "'1.7'"}, {"rate", "'1e150'"}};  // 17 * 0.1 is above 1.7
  EXPECT_EQ(row.value("BUCKET(weight, 0.1)"), "1.6");
  EXPECT_EQ(row.value("BUCKET(weight, 0.1) > weight"), "false");
  EXPECT_EQ(row.value("BUCKET(rate, 0.1) > rate"), "false");
}

TEST(Render, PutsValuesInTheBucketBelow) {
  Row row{{"id", "-1"}, {"age", "39"}, {"weight", "-0.5"}, {"rate", "'-0.0'"}};
  EXPECT_EQ(row.value("BUCKET(id, 10)"), "-10");
  EXPECT_EQ(row.value("BUCKET(age, 10)"), "30");
  EXPECT_EQ(row.value("BUCKET(weight, 10)"), "-10.0");
  EXPECT_EQ(row.value("BUCKET(weight, 0.25)"), "-0.5");
  EXPECT_EQ(row.value("BUCKET(rate, 10)"), "0.0");
}

std::string value_of_text(const std::string& text, const std::string& expression) {
  Row row{{"region", text}};
  return row.value(expression);
}

TEST(Render, CastsTextOnlyWhereItIsOfTheForm) {
  for (const auto& [text, integer, real] : std::vector<std::array<std::string, 3>>{
           {"'12'", "12", "12.0"},
           {"' -5 '", "-5", "-5.0"},
           {"'1e3'", "1000", "1000.0"},
           {"' +.5e1 '", "5", "5.0"},
           {"'.5'", "NULL", "0.5"},
           {"'17000.0'", "17000", "17000.0"},
           {"'9223372036854775807'", "9223372036854775807", "9.223372036854776e+18"},
           {"'9223372036854775808'", "NULL", "9.223372036854776e+18"},
           {"'1e-400'", "NULL", "0.0"},
           {"'1e400'", "NULL", "NULL"},
           {"'nan'", "NULL", "NULL"},
           {"'12x'", "NULL", "NULL"},
           {"'0x10'", "NULL", "NULL"},
           {"''", "NULL", "NULL"}}) {
    Row row{{"region", text}};
    EXPECT_EQ(row.value("CAST(region AS INTEGER)"), integer) << text;
    EXPECT_EQ(row.value("CAST(region AS DOUBLE)"), real) << text;
  }
  EXPECT_EQ(value_of_text("'2020-02-29'", "CAST(region AS DATE)"), "2020-02-29");
  EXPECT_EQ(value_of_text("'2020-02-30'", "CAST(region AS DATE)"), "NULL");
  EXPECT_EQ(value_of_text("'0000-01-01'", "CAST(region AS DATE)"), "NULL");
  for (const char* const text : {"'true'", "' TRUE '", "'1'"}) {
    EXPECT_EQ(value_of_text(text, "CAST(region AS BOOLEAN)"), "true") << text;
  }
  EXPECT_EQ(value_of_text("'False'", "CAST(region AS BOOLEAN)"), "false");
  EXPECT_EQ(value_of_text("'t'", "CAST(region AS BOOLEAN)"), "NULL");
}

std::vector<std::string> number_like_texts() {
  std::mt19937_64 bits(17);
  const std::vector<std::string> pieces{"0",   "1",    "95",    "9223372036854775807",
                                        ".",   ".",    "e",     "E-",
                                        "e+",  "-",    " ",     "00000000000000000000",
                                        "17",  "1e18", "400",   "19",
                                        "e-2", "true", "FALSE", "x"};
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (std::size_t left = 1 + bits() % 5; left > 0; --left) text += pieces[bits() % pieces.size()];
    texts.push_back(text);
  }
  return texts;
}

// How many of the texts a cast reads otherwise than is written beside them, and one of these.
std::string differing(testing::DuckDbSession& session, Type type) {
  const Expression text = column(testing::column_of("t", Type::string));
  const auto row = session.run("SELECT count(*), min(t) FROM texts WHERE (" + rendered(*cast(text, type)) +
                               ") IS DISTINCT FROM " + quoted_identifier(name_of(type)));
  return row ? row->front() + " " + row->back() : session.error();
}

// What a file may have in a cell and what a cast may find in a text are the same.
TEST(Render, CastsTextAsCellsAreRead) {
  testing::DuckDbSession session;
  ASSERT_TRUE(session.run("CREATE TABLE texts (t VARCHAR, \"boolean\" BOOLEAN, \"integer\" BIGINT, \"real\" DOUBLE)"));
  std::string rows;
  for (const std::string& text : number_like_texts()) {
    const auto truth = written_boolean(text);
    const auto integer = written_integer(text);
    const auto real = written_real(text);
    const bool counts = real && std::abs(*real) <= 1e150;
    rows += (rows.empty() ? "(" : ", (") + quoted_text(text) + ", " + (truth ? rendered(Value(*truth)) : "NULL") +
            ", " + (integer ? rendered(Value(*integer)) : "NULL") + ", " + (counts ? rendered(Value(*real)) : "NULL") +
            ")";
  }
  ASSERT_TRUE(session.run("INSERT INTO texts VALUES " + rows)) << session.error();
  for (const Type type : {Type::boolean, Type::integer, Type::real}) EXPECT_EQ(differing(session, type), "0 NULL");
}

TEST(Render, CastsTextToDaysAsCellsAreRead) {
  testing::DuckDbSession session;
  ASSERT_TRUE(session.run("CREATE TABLE texts (t VARCHAR, \"date\" DATE)"));
  for (const std::string day : {"2020-02-29", "2019-02-29", "0001-01-01", "0000-01-01", "9999-12-31", "2020-1-01"}) {
    for (const std::string& text : {day, " " + day, day + "  ", "\t" + day, day + "x", "0" + day}) {
      const auto read = written_day(text);
      const std::string cell = read ? rendered(Value(*read)) : "NULL";
      ASSERT_TRUE(session.run("INSERT INTO texts VALUES (" + quoted_text(text) + ", " + cell + ")")) << session.error();
    }
  }
  EXPECT_EQ(differing(session, Type::date), "0 NULL");
}

std::string text_of_length(std::size_t length) { return "repeat('a', " + std::to_string(length) + ")"; }

// However long the cell: beyond 65,536 bytes there is nothing.
TEST(Render, HasNoTextThatIsTooLong) {
  Row longest{{"region", text_of_length(65'536)}};
  EXPECT_EQ(longest.value("LENGTH(region)"), "65536");
  EXPECT_EQ(longest.value("LENGTH(region || '')"), "65536");
  EXPECT_EQ(longest.value("LENGTH(region || 'a')"), "NULL");
  EXPECT_EQ(longest.value("region || region IS NULL"), "true");
  Row longer{{"region", text_of_length(65'537)}};
  EXPECT_EQ(longer.value("region IS NULL"), "true");
  EXPECT_EQ(longer.value("LENGTH(SUBSTRING(region, 1, 5))"), "NULL");
  Row wide{{"region", "repeat('\u00e9', 32769)"}};  // of 65,538 bytes
  EXPECT_EQ(wide.value("LENGTH(region)"), "NULL");
  Row half{{"region", text_of_length(30'000)}};
  EXPECT_EQ(half.value("LENGTH(CONCAT(region, '-', region, 'x'))"), "60002");
  EXPECT_EQ(half.value("LENGTH(UPPER(region || region) || region)"), "NULL");
}

TEST(Render, TakesThePartsOfADate) {
  Row row{{"seen", "'2024-12-29'"}};  // a Sunday
  EXPECT_EQ(row.value("year(seen)"), "2024");
  EXPECT_EQ(row.value("EXTRACT(quarter FROM seen)"), "4");
  EXPECT_EQ(row.value("EXTRACT(month FROM seen)"), "12");
  EXPECT_EQ(row.value("EXTRACT(week FROM seen)"), "52");
  EXPECT_EQ(row.value("EXTRACT(day FROM seen)"), "29");
  EXPECT_EQ(row.value("EXTRACT(dow FROM seen)"), "0");
  EXPECT_EQ(row.value("EXTRACT(isodow FROM seen)"), "7");
  EXPECT_EQ(row.value("EXTRACT(doy FROM seen)"), "364");
}

TEST(Render, ChoosesAndCompares) {
  Row row{{"age", "30"}, {"region", "'north'"}, {"member", "TRUE"}, {"seen", "'2020-06-01'"}};
  EXPECT_EQ(row.value("CASE WHEN age < 18 THEN 'young' WHEN age < 65 THEN 'working' ELSE 'old' END"), "working");
  EXPECT_EQ(row.value("CASE WHEN age < 18 THEN 1 END"), "NULL");
  EXPECT_EQ(row.value("COALESCE(educ, age)"), "30");
  EXPECT_EQ(row.value("NULLIF(age, 30)"), "NULL");
  EXPECT_EQ(row.value("NULLIF(age, 31)"), "30");
  EXPECT_EQ(row.value("region IN ('south', 'north')"), "true");
  EXPECT_EQ(row.value("age NOT BETWEEN 30 AND 40"), "false");
  EXPECT_EQ(row.value("seen >= '2020-06-01' AND NOT (seen > DATE '2020-06-01')"), "true");
  EXPECT_EQ(row.value("member AND educ IS NULL"), "true");
  EXPECT_EQ(row.value("educ = 1 OR NOT member"), "NULL");
  EXPECT_EQ(row.value("age = 30.0"), "true");
}

// Servers leave such a key out, and portable statements have their integers.
TEST(Render, CountsTheBytesOfKeysWithoutNulAlone) {
  testing::DuckDbSession session;
  EXPECT_EQ(session.run("SELECT " + duckdb_dialect().bytes_of("('no' || chr(0) || 'rth')"))->front(), "NULL");
  EXPECT_EQ(session.run("SELECT " + duckdb_dialect().bytes_of("'s\u00fcd'"))->front(), "4");
}

TEST(Render, CastsWhatIsPutOut) {
  EXPECT_EQ(rendered_output(literal(std::string("x"))), "CAST('x' AS VARCHAR)");
  EXPECT_EQ(rendered_output(column(testing::column_of("d", Type::boolean))), "CAST(\"d\" AS BOOLEAN)");
}

}  // namespace
}  // namespace vernier::query
