#include <gtest/gtest.h>

#include "engines/portable/servers.hpp"
#include "support/hostile_texts.hpp"
#include "vernier/plan/render/rows.hpp"

// Names and texts that end quotes, comments and statements are names and texts to a server too.
namespace vernier::engines {
namespace {

using query::Type;

class Hostile : public ::testing::Test {
 protected:
  explicit Hostile(std::optional<Other> other = new_postgresql(),
                   const char* how_to_install = testing::PostgresqlServer::how_to_install)
      : other_(std::move(other)), how_to_install_(how_to_install) {}

  void SetUp() override {
    if (!other_) GTEST_SKIP() << how_to_install_;
    auto connection = engine::connect(other_->engine);
    ASSERT_TRUE(connection) << connection.error().sentence();
    connection_ = *std::move(connection);
  }

  // All of them in one statement.
  void expect_texts() const {
    const std::vector<std::string> texts = testing::hostile_texts();
    std::vector<std::string> columns;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      columns.push_back(other_->dialect.text(texts[i]) + " AS " + plan::numbered("c", i));
    }
    const auto cells = connection_->read("SELECT " + plan::joined(columns),
                                         std::vector<Type>(texts.size(), Type::string), 1, nobody_watches);
    ASSERT_TRUE(cells);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(cells->rows.front()[i], engine::Cell(query::Value(texts[i]))) << i;
    }
  }

  // Twenty to a statement; each is the name of a column, and of the table around it.
  void expect_names() const {
    std::vector<std::string> names = testing::hostile_texts();
    std::erase(names, "");
    constexpr std::size_t together = 20;
    for (std::size_t first = 0; first < names.size(); first += together) {
      std::vector<std::string> columns, tables;
      for (std::size_t i = first; i < std::min(first + together, names.size()); ++i) {
        const std::string name = other_->dialect.identifier(names[i]);
        const std::string alias = other_->dialect.identifier(std::to_string(i) + names[i]);
        columns.push_back(alias + "." + name + " AS " + plan::numbered("c", i));
        tables.push_back("(SELECT CAST(" + std::to_string(i) + " AS BIGINT) AS " + name + ") AS " + alias);
      }
      const auto cells =
          connection_->read("SELECT " + plan::joined(columns) + " FROM " + plan::joined(tables, " CROSS JOIN "),
                            std::vector<Type>(columns.size(), Type::integer), 1, nobody_watches);
      ASSERT_TRUE(cells) << first;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        EXPECT_EQ(cells->rows.front()[i], engine::Cell(query::Value(static_cast<std::int64_t>(first + i))));
      }
    }
  }

  std::optional<Other> other_;
  const char* how_to_install_;
  std::unique_ptr<engine::Connection> connection_;
};

class TrinoHostile : public Hostile {
 protected:
  TrinoHostile() : Hostile(new_trino(), how_to_get_trino) {}
};
class SparkHostile : public Hostile {
 protected:
  SparkHostile() : Hostile(new_spark(), how_to_get_spark) {}
};

TEST_F(Hostile, TextsAreTextsToPostgresql) { expect_texts(); }
TEST_F(Hostile, NamesAreNamesToPostgresql) { expect_names(); }
TEST_F(TrinoHostile, TextsAreTexts) { expect_texts(); }
TEST_F(TrinoHostile, NamesAreNames) { expect_names(); }
TEST_F(SparkHostile, TextsAreTexts) { expect_texts(); }
TEST_F(SparkHostile, NamesAreNames) { expect_names(); }

}  // namespace
}  // namespace vernier::engines
