#include <gtest/gtest.h>

#include "engines/portable/servers.hpp"
#include "support/random_expressions.hpp"
#include "support/tables.hpp"
#include "vernier/engine/sql/probe.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/query.hpp"

// Random expressions over poisoned rows: no engine raises an error, and all have the same values.
namespace vernier::engines {
namespace {

using engine::Cells;
using query::Dialect;
using query::Expression;
using query::Type;
using testing::RandomExpressions;

std::vector<std::string> odd_texts() {
  std::vector<std::string> all{"",
                               "north",
                               "NaN",
                               "inf",
                               "1e400",
                               "-1e-400",
                               "99999999999999999999",
                               " 12 ",
                               "-5",
                               "5.",
                               "+7",
                               "2020-02-30",
                               "2020-02-29",
                               "1900-02-29",
                               "0000-01-01",
                               "9999-12-31",
                               "true",
                               "x'y",
                               "\u00df\u5217",
                               "12\n",
                               "\\",
                               "a ",
                               "A",
                               "1.5e3",
                               "\u0661\u0662",
                               "b\\n",
                               " TRUE ",
                               "1",
                               ".5",
                               " +.5e1 ",
                               "17000.0",
                               "922337203685477580.7e1",
                               "9223372036854775808",
                               "2e-324",
                               "3e-324",
                               "0e9999",
                               "1e-00400",
                               std::string(200, '1'),
                               std::string(201, '0'),
                               "500e-2",
                               "0.5e19",
                               "-.0"};
  for (const std::string& one : testing::adversarial_texts()) all.push_back(one);
  return all;
}

std::vector<std::string> poison(Type type) {
  switch (type) {
    case Type::boolean:
      return {"true", "false"};
    case Type::integer:
      return {"-9223372036854775808", "9223372036854775807", "9007199254740993", "0", "1", "-1", "42", "-7"};
    case Type::real:
      return {"NaN",
              "Infinity",
              "-Infinity",
              "1.7976931348623157e308",
              "-1e308",
              "1e151",
              "-1e150",
              "5e-324",
              "-1e-310",
              "9.3e-151",
              "-0.0",
              "0",
              "0.5",
              "2.5",
              "-2.5",
              "9223372036854775808",
              "123.456",
              "1e-150",
              "0.49999999999999994",
              "-0.5",
              "4503599627370497",
              "1.7"};
    case Type::string:
      return odd_texts();
    case Type::date:
      break;
  }
  return {"0001-01-01",    "9999-12-31", "infinity",   "-infinity",
          "5874897-12-31", "1970-01-01", "2000-02-29", "1582-10-10"};
}

constexpr int rows_of_poison = 120;

// Infinite days are days beyond all that count; where an engine has none, another such day stands for them.
std::string cell_in(const Dialect& in, const std::string& cell) {
  const bool has_infinite = &in != &query::trino_dialect() && &in != &query::spark_dialect();
  if (has_infinite || cell.find("infinity") == std::string::npos) return cell;
  return cell.starts_with('-') ? "-0001-01-01" : "+12345-01-01";
}

// The same rows for every dialect: which cell is drawn does not depend on it.
std::string poisoned_rows(const query::Table& table, const Dialect& in, std::uint64_t seed) {
  RandomExpressions random(seed, table, true);
  std::vector<std::string> rows;
  for (int i = 0; i < rows_of_poison; ++i) {
    std::string row = "(" + std::to_string(i);
    for (const query::Column& column : table.columns) {
      const std::vector<std::string> cells = poison(column.type);
      const std::size_t drawn = random.below(cells.size() + 1);
      const std::string text = drawn == cells.size()         ? "NULL"
                               : column.type == Type::string ? in.text(cells[drawn])
                                                             : "'" + cell_in(in, cells[drawn]) + "'";
      row += ", " + query::cast_to(in.type(column.type), text);
    }
    rows.push_back(row + ")");
  }
  return plan::joined(rows);
}

std::vector<std::string> creation_of(const query::Table& table, const Dialect& in, const std::string& name) {
  std::vector<std::string> columns{"place BIGINT"};
  for (const query::Column& column : table.columns) {
    columns.push_back(in.identifier(column.name) + " " + stored_type(in, column.type));
  }
  return {"CREATE TABLE " + name + " (" + plan::joined(columns) + ")",
          "INSERT INTO " + name + " VALUES " + poisoned_rows(table, in, 99)};
}

bool is_wide(const Expression& x) {
  const auto* const span = std::get_if<query::IntegerSpan>(&x.span());
  return span != nullptr && !query::is_narrow(*span);
}

// Wide integers as their digits; one form of 0.
std::string output(const Expression& x, const Dialect& in) {
  const std::string sql = query::rendered(x, in);
  if (is_wide(x)) return query::cast_to(in.type(Type::string), sql);
  if (x.type() == Type::real) return "(" + sql + " + " + in.constant(0.0) + ")";
  return query::cast_to(in.type(x.type()), sql);
}

std::vector<Type> types_of(const std::vector<Expression>& all) {
  std::vector<Type> types;
  for (const Expression& x : all) types.push_back(is_wide(x) ? Type::string : x.type());
  return types;
}

Result<Cells> values(engine::Connection& connection, const Dialect& in, const std::string& table,
                     const std::vector<Expression>& all) {
  std::vector<std::string> columns;
  for (const Expression& x : all) columns.push_back(output(x, in));
  return connection.read("SELECT " + plan::joined(columns) + " FROM " + table + " ORDER BY place", types_of(all), 1000,
                         nobody_watches);
}

// What a dialect that is wrong in one place would write.
struct Mistake {
  const char* name;
  const char* right;
  const char* wrong;
};

class Expressions : public ::testing::Test {
 protected:
  explicit Expressions(std::optional<Other> other = new_postgresql(),
                       const char* how_to_install = testing::PostgresqlServer::how_to_install)
      : other_(std::move(other)), how_to_install_(how_to_install) {}

  void SetUp() override {
    if (!other_) GTEST_SKIP() << how_to_install_;
    for (const std::string& sql : creation_of(people_, query::duckdb_dialect(), "people")) reference_.run(sql);
    for (const std::string& sql : creation_of(people_, other_->dialect, other_->table("people"))) other_->write(sql);
    Result<std::unique_ptr<engine::Connection>> connection = engine::connect(other_->engine);
    ASSERT_TRUE(connection) << connection.error().sentence();
    connection_ = *std::move(connection);
  }

  void expect_same(const std::vector<Expression>& all) {
    const Result<Cells> expected = values(reference_, query::duckdb_dialect(), "people", all);
    const Result<Cells> found = values(*connection_, other_->dialect, other_->table("people"), all);
    if (expected && found) return expect_equal(all, *expected, *found);
    if (all.size() > 1) {
      for (const Expression& one : all) expect_same({one});
      return;
    }
    ADD_FAILURE() << (expected ? other_->dialect.name() : "duckdb") << ": " << query::canonical(all.front()) << "\n"
                  << (expected ? found : expected).error().sentence() << "\n"
                  << query::rendered(all.front(), expected ? other_->dialect : query::duckdb_dialect());
  }

  void expect_equal(const std::vector<Expression>& all, const Cells& expected, const Cells& found) {
    ASSERT_EQ(expected.rows.size(), found.rows.size());
    for (std::size_t row = 0; row < expected.rows.size(); ++row) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(expected.rows[row][i], found.rows[row][i])
            << "row " << row << ": " << query::canonical(all[i]) << "\n"
            << query::rendered(all[i], other_->dialect);
        if (HasFailure()) return;
      }
    }
  }

  void expect_same(std::uint64_t seed, int count) {
    constexpr int together = 20;
    RandomExpressions random(seed, people_, true);
    for (int done = 0; done < count && !HasFailure(); done += together) {
      std::vector<Expression> all;
      for (int i = 0; i < together; ++i) all.push_back(random.any(1 + i % 4));
      expect_same(all);
    }
  }

  // Whether a question that a session asks first is answered otherwise, or any expression has another value, or none,
  // where its text has the mistake; it must stand in one.
  bool is_seen(const Mistake& mistake) {
    for (const engine::Probe& one : engine::probes(other_->dialect)) {
      const std::string wrong = replaced(one.sql, mistake);
      if (wrong != one.sql && !is_answered("SELECT " + wrong + " AS p", one.answer)) return true;
    }
    RandomExpressions random(7, people_, true);
    for (int i = 0; i < 400; ++i) {
      const std::vector<Expression> one{random.any(1 + i % 4)};
      const std::string right = output(one.front(), other_->dialect), wrong = replaced(right, mistake);
      if (right == wrong) continue;
      const Result<Cells> expected = values(reference_, query::duckdb_dialect(), "people", one);
      const Result<Cells> found =
          connection_->read("SELECT " + wrong + " FROM " + other_->table("people") + " ORDER BY place", types_of(one),
                            1000, nobody_watches);
      if (!found || (expected && found->rows != expected->rows)) return true;
    }
    return false;
  }

  bool is_answered(const std::string& sql, std::optional<std::int64_t> answer) {
    const Result<Cells> found = connection_->read(sql, {Type::integer}, 1, nobody_watches);
    const engine::Cell expected = answer ? engine::Cell(query::Value(*answer)) : std::nullopt;
    return found && found->rows.front().front() == expected;
  }

  static std::string replaced(std::string text, const Mistake& mistake) {
    const std::string right = mistake.right, wrong = mistake.wrong;
    for (std::size_t at = text.find(right); at != std::string::npos; at = text.find(right, at + wrong.size())) {
      text.replace(at, right.size(), wrong);
    }
    return text;
  }

  query::Table people_ = testing::people();
  Reference reference_;
  std::optional<Other> other_;
  const char* how_to_install_;
  std::unique_ptr<engine::Connection> connection_;
};

using SlowExpressions = Expressions;
TEST_F(SlowExpressions, HaveTheSameValuesOnEveryEngine) { expect_same(7, 200); }

TEST_F(SlowExpressions, OfADialectWithAMistakeHaveOtherValues) {
  const std::vector<Mistake> mistakes = {
      {"texts by the collation of their column", " COLLATE \"C\"", ""},
      {"NaN as a number", " <= CAST('Infinity' AS DOUBLE PRECISION)", " IS NOT NULL"},
      {"round for floor", "floor(", "round("},
      {"rounding without a half", "0.49999999999999994", "0"},
      {"patterns that match a part", "'^(", "'("},
      {"Sunday as day 7", "extract(dow", "extract(isodow"},
      {"quotients of wide integers as they come", "div(", "power("},
      {"reals without a lower end", "'-1e+150'", "'-1e+300'"}};
  for (const Mistake& one : mistakes) EXPECT_TRUE(is_seen(one)) << one.name;
}

using HeavyExpressions = Expressions;
TEST_F(HeavyExpressions, HaveTheSameValuesOnEveryEngine) { expect_same(8, 2000); }

class TrinoExpressions : public Expressions {
 protected:
  TrinoExpressions() : Expressions(new_trino(), how_to_get_trino) {}
};
TEST_F(TrinoExpressions, OfADialectWithAMistakeHaveOtherValues) {
  const std::vector<Mistake> mistakes = {{"NaN as a number", " <= CAST('Infinity' AS DOUBLE)", " IS NOT NULL"},
                                         {"patterns that match a part", "'\\A(", "'("},
                                         {"Sunday as day 7", " % 7)", ")"},
                                         {"round for floor", "floor(", "round("}};
  for (const Mistake& one : mistakes) EXPECT_TRUE(is_seen(one)) << one.name;
}
TEST_F(TrinoExpressions, HaveTheSameValues) { expect_same(7, 400); }

class SparkExpressions : public Expressions {
 protected:
  SparkExpressions() : Expressions(new_spark(), how_to_get_spark) {}
};
TEST_F(SparkExpressions, OfADialectWithAMistakeHaveOtherValues) {
  const std::vector<Mistake> mistakes = {{"NaN as a number", " <= CAST('Infinity' AS DOUBLE)", " IS NOT NULL"},
                                         {"its own floor", "< 4503599627370496D", "< 1e300D"},
                                         {"Sunday as day 1", "CAST(dayofweek(", "CAST(1 + dayofweek("},
                                         {"quotients that are reals", " div ", " / "}};
  for (const Mistake& one : mistakes) EXPECT_TRUE(is_seen(one)) << one.name;
}
TEST_F(SparkExpressions, HaveTheSameValues) { expect_same(7, 400); }

using HeavySparkExpressions = SparkExpressions;
TEST_F(HeavySparkExpressions, HaveTheSameValues) { expect_same(8, 2000); }

using HeavyTrinoExpressions = TrinoExpressions;
TEST_F(HeavyTrinoExpressions, HaveTheSameValues) { expect_same(8, 2000); }

// Of one letter alone, and long ones; each would take for ever where every place is tried for every %.
std::vector<Expression> slow_patterns(const query::Table& people) {
  std::string many;
  for (int i = 0; i < 60; ++i) many += "%a_";
  std::vector<Expression> all;
  for (const std::string& pattern :
       {std::string("%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%b"), std::string("%a_a%a_a%a__a%b"), many + "%b",
        std::string("a%a_%a%_b"), std::string("_%\u00df"), std::string("%a____________%")}) {
    all.push_back(
        *query::apply(query::Operation::like, {query::column(*people.column("region")), query::literal(pattern)}));
  }
  return all;
}

TEST_F(Expressions, LikeEndsSoonOnEveryEngine) { expect_same(slow_patterns(people_)); }
TEST_F(SparkExpressions, LikeEndsSoon) { expect_same(slow_patterns(people_)); }
TEST_F(TrinoExpressions, LikeEndsSoon) { expect_same(slow_patterns(people_)); }

// Eight times the text twice: without a bound 256 of them.
std::vector<Expression> long_texts(const query::Table& people) {
  const Expression text = query::column(*people.column("region"));
  Expression longer = text;
  std::vector<Expression> all{*query::apply(query::Operation::length, {text})};
  for (int i = 0; i < 8; ++i) {
    longer = *query::apply(query::Operation::concatenate, {longer, longer});
    all.push_back(*query::apply(query::Operation::length, {longer}));
  }
  return all;
}

TEST_F(Expressions, HaveNoTextThatIsTooLongOnAnyEngine) { expect_same(long_texts(people_)); }
TEST_F(SparkExpressions, HaveNoTextThatIsTooLong) { expect_same(long_texts(people_)); }
TEST_F(TrinoExpressions, HaveNoTextThatIsTooLong) { expect_same(long_texts(people_)); }

// Each cast and part by itself, over every poisoned cell.
std::vector<Expression> casts_and_parts(const query::Table& people) {
  std::vector<Expression> all;
  for (const query::Column& column : people.columns) {
    for (const Type type : {Type::boolean, Type::integer, Type::real, Type::string, Type::date}) {
      if (const auto cast = query::cast(query::column(column), type)) all.push_back(*cast);
    }
    for (int part = 0; part < 8 && column.type == Type::date; ++part) {
      all.push_back(*query::date_part(static_cast<query::DatePart>(part), query::column(column)));
    }
  }
  return all;
}

TEST_F(Expressions, OfEveryCastAndPartHaveTheSameValuesOnEveryEngine) { expect_same(casts_and_parts(people_)); }
TEST_F(SparkExpressions, OfEveryCastAndPartHaveTheSameValues) { expect_same(casts_and_parts(people_)); }
TEST_F(TrinoExpressions, OfEveryCastAndPartHaveTheSameValues) { expect_same(casts_and_parts(people_)); }

}  // namespace
}  // namespace vernier::engines
