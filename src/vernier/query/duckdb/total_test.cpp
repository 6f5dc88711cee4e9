#include <gtest/gtest.h>

#include "support/duckdb_session.hpp"
#include "support/random_expressions.hpp"
#include "support/tables.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/quote.hpp"

// The promise on which everything stands: on whatever rows, a rendered expression raises no error, has the type that
// was promised, lies in its span, and is NULL only where it may be.
namespace vernier::query {
namespace {

using testing::DuckDbSession;
using testing::RandomExpressions;

std::vector<std::string> odd_texts() {
  return {"''",
          "'north'",
          "'NaN'",
          "'inf'",
          "'1e400'",
          "'-1e-400'",
          "'99999999999999999999'",
          "' 12 '",
          "'-5'",
          "'5.'",
          "'2020-02-30'",
          "'2020-02-29'",
          "'0000-01-01'",
          "'9999-12-31'",
          "'true'",
          "'x''y'",
          "'\u00df\u5217'",
          "NULL",
          "'2020-02-29 23:59:59.5'",
          "'2020-02-29T24:00'",
          "'2020-02-29 23:59:60'",
          "'9999-12-31 23:59:59.999999Z'",
          "'0001-01-01 00:00'",
          "'2020-02-30 10:00:00'",
          "'2020-02-29 1:00'"};
}

// What breaks arithmetic, casts and calendars, per type.
std::vector<std::string> poison(Type type) {
  switch (type) {
    case Type::boolean:
      return {"TRUE", "FALSE", "NULL"};
    case Type::integer:
      return {"'-9223372036854775808'", "'9223372036854775807'", "'9007199254740993'", "0", "1", "-1", "42", "NULL"};
    case Type::real:
      return {"'nan'",
              "'inf'",
              "'-inf'",
              "'1.7976931348623157e308'",
              "'-1.7976931348623157e308'",
              "'1e308'",
              "'5e-324'",
              "'-0.0'",
              "'0'",
              "'0.5'",
              "'9223372036854775808'",
              "'123.456'",
              "NULL"};
    case Type::string: {
      std::vector<std::string> all = odd_texts();
      for (const std::string& one : testing::adversarial_texts()) all.push_back(quoted_text(one));
      return all;
    }
    case Type::date:
      break;
  }
  return {"'0001-01-01'",         "'9999-12-31'", "'infinity'",   "'-infinity'",       "'5881580-07-10'",
          "'5877642-06-25 (BC)'", "'1970-01-01'", "'2000-02-29'", "'0044-03-15 (BC)'", "NULL"};
}

std::string poisoned_row(const Table& table, RandomExpressions& random) {
  std::string row;
  for (const Column& column : table.columns) {
    const std::vector<std::string> cells = poison(column.type);
    row += (row.empty() ? "" : ", ") + cells[random.below(cells.size())];
  }
  return bracketed(row);
}

void fill(DuckDbSession& session, const Table& table, RandomExpressions& random) {
  std::string columns;
  for (const Column& column : table.columns) {
    columns +=
        (columns.empty() ? "" : ", ") + quoted_identifier(column.name) + " " + std::string(column_type(column.type));
  }
  ASSERT_TRUE(session.run("CREATE TABLE people " + bracketed(columns))) << session.error();
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(session.run("INSERT INTO people VALUES " + poisoned_row(table, random))) << session.error();
  }
}

std::string digits_of(Int128 value) {
  std::string digits;
  for (Int128 rest = value < 0 ? -value : value; rest != 0 || digits.empty(); rest /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  return "CAST('" + std::string(value < 0 ? "-" : "") + digits + "' AS HUGEINT)";
}

std::string outside(const Expression& x) {
  const Span& span = x.span();
  if (x.type() == Type::string) return "strlen(e) > 65536";
  if (const auto* const ends = std::get_if<IntegerSpan>(&span)) {
    return "e NOT BETWEEN " + digits_of(ends->lower) + " AND " + digits_of(ends->upper);
  }
  if (const auto* const ends = std::get_if<RealSpan>(&span)) {
    return "NOT isfinite(e) OR e NOT BETWEEN " + rendered(Value(ends->lower)) + " AND " + rendered(Value(ends->upper));
  }
  if (const auto* const ends = std::get_if<DaySpan>(&span)) {
    return "e NOT BETWEEN " + rendered(Value(ends->lower)) + " AND " + rendered(Value(ends->upper));
  }
  return "FALSE";
}

std::string promised_type(const Expression& x) {
  const auto* const span = std::get_if<IntegerSpan>(&x.span());
  return span != nullptr && !is_narrow(*span) ? "HUGEINT" : std::string(column_type(x.type()));
}

void expect_total(DuckDbSession& session, const Expression& x) {
  const std::string sql = rendered(x);
  const auto row =
      session.run("SELECT count(*) FILTER (WHERE " + outside(x) + "), count(*) FILTER (WHERE e IS NULL), " +
                  "min(typeof(e)) FROM (SELECT " + sql + " AS e FROM people)");
  ASSERT_TRUE(row) << canonical(x) << "\n" << sql << "\n" << session.error();
  EXPECT_EQ((*row)[0], "0") << canonical(x) << "\n" << sql;
  EXPECT_TRUE(x.nullable() || (*row)[1] == "0") << canonical(x) << "\n" << sql;
  EXPECT_EQ((*row)[2], promised_type(x)) << canonical(x) << "\n" << sql;
  if (x.type() == Type::boolean) {
    EXPECT_TRUE(session.run("SELECT count(*) FROM people WHERE " + sql)) << canonical(x) << "\n" << session.error();
  }
}

void expect_all_total(std::uint64_t seed, int count) {
  const Table table = testing::people();
  RandomExpressions random(seed, table);
  DuckDbSession session;
  fill(session, table, random);
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) expect_total(session, random.any(1 + i % 4));
}

TEST(SlowTotal, RandomExpressionsKeepTheirPromiseOnPoisonedRows) { expect_all_total(1, 2000); }

TEST(HeavyTotal, ManyRandomExpressionsKeepTheirPromiseOnPoisonedRows) { expect_all_total(2, 30000); }

TEST(Total, EveryOperationIsDrawn) {
  RandomExpressions random(3, testing::people());
  std::vector<bool> seen(56);
  for (int i = 0; i < 9000; ++i) seen[static_cast<std::size_t>(random.any(1).operation())] = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 55);  // all but null, which stands only within others
}

// Values pass through text, and must come back as the same bits.
TEST(Total, LiteralsAreExact) {
  DuckDbSession session;
  for (const double value : {0.1, 1e308, -5e-324, 123456789.123456789, 1.0 / 3, 2.2250738585072014e-308, 0.0}) {
    const auto row = session.run("SELECT " + rendered(Value(value)));
    ASSERT_TRUE(row);
    EXPECT_EQ(*read_number("it", row->front()), value);
  }
  for (const std::int64_t value : {INT64_MIN, INT64_MAX, std::int64_t{0}}) {
    EXPECT_EQ(session.run("SELECT " + rendered(Value(value)))->front(), std::to_string(value));
  }
}

}  // namespace
}  // namespace vernier::query
