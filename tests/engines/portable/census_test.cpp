#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engines/portable/servers.hpp"
#include "support/seeded_bits.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/record/release_json.hpp"
#include "vernier/release/run/run_with.hpp"
#include "vernier/release/signing/key_file.hpp"
#include "vernier/study.hpp"
#include "vernier/study/session.hpp"

// A census released on the embedded engine and on others by the same bits of randomness: the same numbers in the same
// record, but for what names the engine.
namespace vernier::engines {
namespace {

using engine::Cell;
using query::Type;
using query::Value;
using Json = nlohmann::json;

constexpr std::int64_t people = 3000;

// Five people to a household; some rows have holes.
std::vector<Cell> person(std::int64_t i) {
  const std::vector<std::string> regions = {"north", "south", "east", "West", "\u00f8st", "o'er"};
  const std::int64_t mixed = (i * 2654435761) % 100003;
  const auto unless = [&](std::int64_t part, Value value) { return mixed % part == 0 ? Cell() : Cell(value); };
  return {Value(i / 5),
          unless(53, Value(regions[static_cast<std::size_t>(mixed) % regions.size()])),
          unless(41, Value(mixed % 99)),
          unless(31, Value(static_cast<double>(mixed % 4000) * 12.5 - 500)),
          unless(29, Value(query::Day{static_cast<std::int32_t>(mixed % 20000) - 5000})),
          unless(37, Value(mixed % 3 == 0))};
}

constexpr const char* columns =
    "household = { type = \"integer\" }\n"
    "region = { type = \"string\", keys = [\"north\", \"south\", \"east\", \"West\", \"\u00f8st\", \"o'er\"] }\n"
    "age = { type = \"integer\", lower = 0, upper = 90 }\n"
    "income = { type = \"real\", lower = 0, upper = 40000 }\n"
    "born = { type = \"date\", lower = 1950-01-01, upper = 2015-12-31 }\n"
    "works = { type = \"boolean\" }\n";

constexpr const char* statistics[] = {
    "SELECT region, COUNT(*) AS n, SUM(age) AS age, AVG(income) AS income FROM people GROUP BY region",
    "SELECT works, MEDIAN(income) AS income, COUNT(DISTINCT region) AS regions FROM people WHERE age >= 16 GROUP BY "
    "works",
    "SELECT BUCKET(age, 10) AS decade, COUNT(*) AS n FROM people WHERE LOWER(region) <> 'west' GROUP BY 1",
    "SELECT VARIANCE(age) AS age, QUANTILE(age, 0.9) AS old FROM people WHERE born < DATE '1990-01-01'"};

class Census : public ::testing::Test {
 protected:
  explicit Census(std::optional<Other> other = new_postgresql(),
                  const char* how_to_install = testing::PostgresqlServer::how_to_install)
      : other_(std::move(other)), how_to_install_(how_to_install) {}

  void SetUp() override {
    if (!other_) GTEST_SKIP() << how_to_install_;
    ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
    ::setenv("XDG_STATE_HOME", (folder_.path() / "state").c_str(), 1);
  }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path() / name) << content;
  }

  study::Plan plan_of(const std::string& name, const std::string& engine, const std::string& source) const {
    write(name + ".toml", "[budget]\nepsilon = 20\ndelta = 1e-5\nledger = \"" + name + ".ledger\"\n" + engine +
                              "[tables.people]\nsource = " + source +
                              "\nunit = \"household\"\n[tables.people.columns]\n" + columns);
    std::string text = "catalog = \"" + name + ".toml\"\nbudget = { epsilon = 4, delta = 1e-6 }\n";
    int number = 0;
    for (const char* const sql : statistics) {
      text += "[[statistic]]\nname = \"s" + std::to_string(++number) +
              "\"\nmax_groups = 2\nmax_rows = 3\nsql = \"\"\"" + sql + "\"\"\"\n";
    }
    write(name + ".study", text);
    auto study = study::Study::read(folder_.path() / (name + ".study"));
    if (!study) throw std::runtime_error(study.error().sentence());
    auto plan = study->plan();
    if (!plan) throw std::runtime_error(plan.error().sentence());
    return *std::move(plan);
  }

  study::Plan of_file() const {
    std::string text = "household,region,age,income,born,works\n";
    for (std::int64_t i = 0; i < people; ++i) {
      std::string line;
      for (const Cell& cell : person(i)) line += (line.empty() ? "" : ",") + (cell ? query::text_of(*cell) : "");
      text += line + "\n";
    }
    write("people.csv", text);
    return plan_of("file", "[engine]\nkind = \"duckdb\"\nhash = \"portable\"\n", "\"people.csv\"");
  }

  study::Plan of_server() const {
    const std::string name = plan::joined(other_->schema, ".") + ".people";
    study::Plan plan = plan_of(
        "server", "[engine]\nkind = \"" + other_->engine.kind + "\"\naddress = \"" + other_->engine.address + "\"\n",
        "{ table = \"" + name + "\" }");
    std::vector<std::vector<Cell>> rows;
    for (std::int64_t i = 0; i < people; ++i) rows.push_back(person(i));
    const query::Table& table = plan.content().study.statistics.front().table;
    for (const std::string& sql : creation(other_->dialect, table, rows)) other_->write(sql);
    return plan;
  }

  // What a record says, but for what names engine, ledger, catalog and time.
  static Json record_of(const study::Plan& plan) {
    const query::Catalog& catalog = plan.content().study.catalog;
    auto session = study::open_session(catalog, study::all_tables(catalog));
    if (!session) throw std::runtime_error(session.error().sentence());
    auto ledger = release::open_ledger(catalog);
    if (!ledger) throw std::runtime_error(ledger.error().sentence());
    testing::SeededSource source = testing::seeded_source(17);
    const auto released =
        release::run_with(plan.content(), **session, **ledger, source, {"a census", std::string(64, '0')});
    if (!released) throw std::runtime_error(released.error().sentence());
    const auto record = release::signed_release_json(
        *released, {"a census", {"1", "2", "3", "4"}, numeric::Rational::of_decimal("0.05").value()},
        release::installation_key().value());
    if (!record) throw std::runtime_error(record.error().sentence());
    return Json::parse(*record);
  }

  void expect_same() const {
    const Json file = record_of(of_file()), server = record_of(of_server());
    ASSERT_EQ(file.at("statistics").size(), 4U);
    EXPECT_GE(file.at("statistics")[0].at("rows").size(), 6U);
    EXPECT_EQ(file.at("statistics"), server.at("statistics"));
    EXPECT_NE(file.at("versions").at("engine"), server.at("versions").at("engine"));
  }

  testing::TemporaryFolder folder_;
  std::optional<Other> other_;
  const char* how_to_install_;
};

class TrinoCensus : public Census {
 protected:
  TrinoCensus() : Census(new_trino(), how_to_get_trino) {}
};

class SparkCensus : public Census {
 protected:
  SparkCensus() : Census(new_spark(), how_to_get_spark) {}
};

TEST_F(Census, OnPostgresqlHasTheSameNumbersAsOnTheEmbeddedEngine) { expect_same(); }
TEST_F(TrinoCensus, HasTheSameNumbersAsOnTheEmbeddedEngine) { expect_same(); }
TEST_F(SparkCensus, HasTheSameNumbersAsOnTheEmbeddedEngine) { expect_same(); }

}  // namespace
}  // namespace vernier::engines
