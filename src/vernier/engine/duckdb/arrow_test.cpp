#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "support/arrow_rows.hpp"
#include "support/data_folder.hpp"
#include "vernier/engine/duckdb/sources.hpp"

// Rows in memory give the very numbers that the same rows in a file give.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using testing::arrow_table;
using testing::ArrowBatch;
using testing::ArrowStream;
using testing::Cells;
using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

std::string in_memory(std::string table) {
  const std::string source = "source = \"people.csv\"";
  return table.replace(table.find(source), source.size(), "format = \"arrow\"");
}
const std::string of_file = testing::people_table;
const std::string of_memory = in_memory(of_file);

// Rows of testing::people_table.
struct People {
  Cells<std::int64_t> id, educ, debt;
  Cells<std::string> region, city;
  Cells<double> income, share;
  Cells<std::int32_t> born, seen;
  Cells<bool> member;
};

class RandomPeople {
 public:
  explicit RandomPeople(std::uint64_t seed) : random_(seed) {}

  People rows(std::size_t count) {
    People people;
    for (std::size_t i = 0; i < count; ++i) add(people);
    return people;
  }

 private:
  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }
  template <class Value>
  std::optional<Value> or_null(Value value) {
    return below(8) == 0 ? std::nullopt : std::optional(std::move(value));
  }
  std::string word(std::int64_t count) {
    const std::int64_t which = below(count);
    return which == 0 ? "a word of more than twelve bytes" : "żó" + std::to_string(which);
  }

  void add(People& people) {
    static const std::vector<std::string> regions = {"north", "south", "east", "west"};
    people.id.push_back(or_null(below(50)));
    people.educ.push_back(or_null(below(30) - 5));
    people.debt.push_back(or_null(below(200) - 100));
    people.region.push_back(or_null(regions[static_cast<std::size_t>(below(4))]));
    people.city.push_back(or_null(word(6)));
    people.income.push_back(or_null(static_cast<double>(below(4'000'000)) / 16 - 10));
    people.share.push_back(or_null(static_cast<double>(below(64)) / 32 - 0.5));
    people.born.push_back(or_null(static_cast<std::int32_t>(below(2000)) - 8000));
    people.seen.push_back(or_null(static_cast<std::int32_t>(below(20000)) - 1000));
    people.member.push_back(or_null(below(2) == 0));
  }

  std::mt19937_64 random_;
};

template <class Value>
std::string cell(const std::optional<Value>& value) {
  if constexpr (std::is_same_v<Value, std::string>)
    return value.value_or("");
  else
    return value ? std::to_string(*value) : "";
}
std::string day_cell(const std::optional<std::int32_t>& day) { return day ? query::text_of(query::Day{*day}) : ""; }

std::string csv_of(const People& people) {
  std::string csv = "id,region,city,educ,debt,income,share,born,seen,member\n";
  for (std::size_t i = 0; i < people.id.size(); ++i) {
    csv += cell(people.id[i]) + "," + cell(people.region[i]) + "," + cell(people.city[i]) + "," + cell(people.educ[i]) +
           "," + cell(people.debt[i]) + "," + cell(people.income[i]) + "," + cell(people.share[i]) + "," +
           day_cell(people.born[i]) + "," + day_cell(people.seen[i]) + "," + cell(people.member[i]) + "\n";
  }
  return csv;
}

ArrowBatch columns_of(const People& people) {
  static const std::vector<std::string> regions = {"north", "south", "east", "west"};
  Cells<std::int8_t> coded;
  for (const auto& region : people.region)
    coded.push_back(region ? std::optional(static_cast<std::int8_t>(std::find(regions.begin(), regions.end(), *region) -
                                                                    regions.begin()))
                           : std::nullopt);
  Cells<std::int16_t> small;
  for (const auto& debt : people.debt)
    small.push_back(debt ? std::optional(static_cast<std::int16_t>(*debt)) : std::nullopt);
  return {testing::arrow_booleans("member", people.member),
          testing::arrow_integers("id", people.id),
          testing::arrow_dictionary("region", coded, testing::arrow_texts("", {"north", "south", "east", "west"})),
          testing::arrow_views("city", people.city),
          testing::arrow_integers("educ", people.educ),
          testing::arrow_numbers("debt", "s", small),
          testing::arrow_reals("income", people.income),
          testing::arrow_reals("share", people.share),
          testing::arrow_days("born", people.born),
          testing::arrow_days("seen", people.seen)};
}

// The rows as slices, so many in each batch.
std::vector<ArrowBatch> batches_of(const People& people, std::int64_t size) {
  const ArrowBatch whole = columns_of(people);
  std::vector<ArrowBatch> batches;
  for (std::int64_t first = 0; first < whole.front().length; first += size) {
    ArrowBatch batch;
    for (const auto& column : whole) batch.push_back(column.slice(first, std::min(size, column.length - first)));
    batches.push_back(batch);
  }
  return batches;
}

struct Case {
  std::string sql;
  std::string more;
};

const std::vector<Case> cases = {
    {"SELECT COUNT(*) AS n FROM people", ""},
    {"SELECT region, COUNT(*) AS n, SUM(income) AS s, AVG(educ) AS e FROM people GROUP BY region", "max_groups = 2"},
    {"SELECT city, SUM(debt) AS d, SUM(share) AS h FROM people GROUP BY city", "max_groups = 3\nmax_rows = 4"},
    {"SELECT member, COUNT(seen) AS n FROM people WHERE born > DATE '1951-01-01' GROUP BY member", "max_groups = 2"},
    {"SELECT COUNT(DISTINCT city) AS c, SUM(educ) AS e FROM people WHERE NOT member OR income < 90000", ""}};

std::vector<std::string> groups_in(Session& session, const std::string& tables, const Case& one) {
  const auto statistic = statistic_of(one.sql, one.more, tables);
  std::vector<std::string> told;
  for (const RawGroup& group : groups_of(session, plan::render(statistic, session.form(statistic)))) {
    std::string text = std::to_string(group.cell);
    for (const query::Value& key : group.keys) text.append(" ").append(query::text_of(key));
    for (const std::int64_t tally : group.tallies) text.append(" ").append(std::to_string(tally));
    told.push_back(text);
  }
  return told;
}

void expect_same(const People& people, std::int64_t size) {
  const DataFolder folder;
  folder.write("people.csv", csv_of(people));
  const auto from_file = session_of(folder.catalog(of_file));
  const auto from_memory = session_of(folder.catalog(of_memory), {{"people", arrow_table(batches_of(people, size))}});
  for (const Case& one : cases) {
    const auto wanted = groups_in(*from_file, of_file, one);
    EXPECT_FALSE(wanted.empty()) << one.sql;
    EXPECT_EQ(groups_in(*from_memory, of_memory, one), wanted) << one.sql << " in batches of " << size;
  }
}

TEST(DuckDbArrow, GivesTheNumbersOfTheSameRowsInAFile) {
  const People people = RandomPeople(1).rows(5'000);
  for (const std::int64_t size : {5'000, 2'048, 2'047, 999}) expect_same(people, size);
  expect_same(RandomPeople(2).rows(30), 1);
}

TEST(DuckDbArrow, HasNoGroupsWithoutRows) {
  const DataFolder folder;
  const ArrowBatch columns = columns_of({});
  ArrowStream without_batches(columns, {});
  for (const auto& rows : {*without_batches.take(), arrow_table({columns}), arrow_table({columns, columns})}) {
    const auto session = session_of(folder.catalog(of_memory), {{"people", rows}});
    for (const Case& one : cases) EXPECT_TRUE(groups_in(*session, of_memory, one).empty()) << one.sql;
  }
}

const std::string row_table =
    "[tables.t]\nformat = \"arrow\"\nunit = \"row\"\nrow_limit = 1000000\n[tables.t.columns]\n";

std::vector<std::int64_t> tallies(const std::shared_ptr<const ArrowTable>& rows, const std::string& columns,
                                  const std::string& sql) {
  const DataFolder folder;
  const auto session = session_of(folder.catalog(row_table + columns), {{"t", rows}});
  const auto groups = groups_of(*session, plan::render(statistic_of(sql, "", row_table + columns), BoundingForm::rows));
  return groups.empty() ? std::vector<std::int64_t>() : groups.front().tallies;
}

using Tallies = std::vector<std::int64_t>;

// What a declared type cannot hold, text that is no UTF-8, numbers that are none.
TEST(DuckDbArrow, ReadsWhatHasNoValueAsNull) {
  EXPECT_EQ(tallies(arrow_table({{testing::arrow_numbers<std::uint64_t>("x", "L", {1, UINT64_MAX, {}})}}),
                    "x = { type = \"integer\" }\n", "SELECT COUNT(x) AS n, COUNT(*) AS r FROM t"),
            (Tallies{1, 3}));
  EXPECT_EQ(tallies(arrow_table({{testing::arrow_texts("x", {"a", "\xFF\xFE", "żółć", "\xC5", {}, ""})}}),
                    "x = { type = \"string\" }\n", "SELECT COUNT(x) AS n, COUNT(*) AS r FROM t"),
            (Tallies{3, 6}));
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(tallies(arrow_table({{testing::arrow_reals("x", {1, nan, inf, -inf, {}})}}),
                    "x = { type = \"real\", lower = 0, upper = 4, granularity = 1 }\n",
                    "SELECT COUNT(x) AS n, SUM(x) AS s FROM t"),
            (Tallies{3, 5}));
}

TEST(DuckDbArrow, HoldsItsRowsAsLongAsTheSession) {
  const DataFolder folder;
  ArrowStream stream({{testing::arrow_integers("x", {1, 2})}});
  const auto alive = stream.alive();
  const std::string table = row_table + "x = { type = \"integer\" }\n";
  auto session = session_of(folder.catalog(table), {{"t", *stream.take()}});
  EXPECT_EQ(*alive, 2);
  const auto statistic = statistic_of("SELECT COUNT(*) AS n FROM t", "", table);
  EXPECT_EQ(groups_of(*session, plan::render(statistic, BoundingForm::rows)).front().tallies, Tallies{2});
  session.reset();
  EXPECT_EQ(*alive, 0);
}

// Several sessions of several threads each over the same rows, at the same time.
TEST(DuckDbArrow, IsReadByManyThreadsAtOnce) {
  Cells<std::int64_t> numbers;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < 600'000; ++i) numbers.push_back(i % 7 == 0 ? std::nullopt : std::optional(i % 101));
  for (const auto& number : numbers) sum += number.value_or(0);
  const auto rows = arrow_table({{testing::arrow_integers("x", numbers)}});
  const std::string column = "x = { type = \"integer\", lower = 0, upper = 100 }\n";
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      EXPECT_EQ(tallies(rows, column, "SELECT COUNT(*) AS n, SUM(x) AS s FROM t"), (Tallies{600'000, sum}));
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(DuckDbArrow, IsRefusedWhereItDoesNotBelong) {
  const DataFolder folder;
  const query::Catalog catalog = folder.catalog(row_table + "x = { type = \"integer\" }\n");
  const auto rows = arrow_table({{testing::arrow_integers("x", {1})}});
  EXPECT_NE(open_duckdb(catalog, catalog.tables).error().sentence().find("no rows are given"), std::string::npos);
  EXPECT_NE(open_duckdb(catalog, catalog.tables, {}, {{"t", rows}, {"u", rows}}).error().sentence().find("'u'"),
            std::string::npos);
}

}  // namespace
}  // namespace vernier::engine
