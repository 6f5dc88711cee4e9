#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"

// By which hash a unit's groups are chosen: each as often, and anew under a new secret.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

// Every one of `units` units has a row in each of 50 groups, of the amount 2^unit.
constexpr std::size_t choices = 50;

std::string choice_table() {
  std::string keys;
  for (std::size_t i = 0; i < choices; ++i) keys += (i == 0 ? "\"g" : ", \"g") + std::to_string(i) + "\"";
  return R"([tables.visits]
source = "visits.csv"
unit = "who"
row_limit = 1000000
[tables.visits.columns]
who = { type = "integer" }
region = { type = "string", keys = [)" +
         keys + R"(] }
amount = { type = "integer", lower = 0, upper = 1099511627776 }
)";
}

std::string choice_csv(std::size_t units) {
  std::string csv = "who,region,amount\n";
  for (std::size_t unit = 0; unit < units; ++unit) {
    const std::string amount = std::to_string(std::uint64_t{1} << unit % 41);
    for (std::size_t i = 0; i < choices; ++i) {
      csv += std::to_string(unit) + ",g" + std::to_string(i) + "," + amount + "\n";
    }
  }
  return csv;
}

class Choice {
 public:
  explicit Choice(std::size_t units) {
    folder_.write("visits.csv", choice_csv(units));
    session_ = session_of(folder_.catalog(choice_table()));
  }

  plan::Sql sql(BoundingForm form) const {
    return plan::render(statistic_of("SELECT region, COUNT(*) AS n, SUM(amount) AS s FROM visits GROUP BY region",
                                     "max_groups = 1", choice_table()),
                        form);
  }

  std::vector<RawGroup> run(const plan::Sql& sql, const Secret& secret) { return groups_of(*session_, sql, secret); }

 private:
  DataFolder folder_;
  std::unique_ptr<Session> session_;
};

// Of the numbers of 4000 units that chose one of 50 groups each.
double chi_square(const std::vector<RawGroup>& groups) {
  double sum = 80.0 * static_cast<double>(choices - groups.size());
  for (const RawGroup& group : groups) sum += std::pow(static_cast<double>(group.tallies[0]) - 80, 2) / 80;
  return sum;
}

// At 49 degrees 112 is exceeded once in a million times, and 16 undercut as rarely.
TEST(DuckDbChoice, ChoosesEveryGroupAsOften) {
  Choice choice(4000);
  for (const Secret& secret : {Secret{1, 2}, Secret{-77, 1234567890123}, Secret{0, 0}}) {
    const auto groups = choice.run(choice.sql(BoundingForm::bottom_m), secret);
    std::int64_t total = 0;
    for (const RawGroup& group : groups) total += group.tallies[0];
    EXPECT_EQ(total, 4000);
    EXPECT_LT(chi_square(groups), 112);
    EXPECT_GT(chi_square(groups), 16);
  }
}

// How many of 41 units choose the same group under both secrets.
std::size_t same_choices(Choice& choice, const plan::Sql& sql, const Secret& a, const Secret& b) {
  std::map<std::int64_t, std::int64_t> chosen;
  for (const RawGroup& group : choice.run(sql, a)) chosen[group.cell] = group.tallies[1];
  std::size_t same = 0;
  for (const RawGroup& group : choice.run(sql, b)) {
    same += static_cast<std::size_t>(
        __builtin_popcountll(static_cast<std::uint64_t>(chosen[group.cell] & group.tallies[1])));
  }
  return same;
}

// The most that any pair of secrets has in common. Where choices are made anew it is Binomial(41, 1/50) for each pair:
// 10 or more are seen once in 10^8 times.
std::size_t most_same_choices(Choice& choice, const plan::Sql& sql) {
  const std::vector<std::pair<Secret, Secret>> pairs = {
      {{7, 12345}, {7, 54321}}, {{7, 39595}, {7, 39596}}, {{12345, 7}, {54321, 7}}, {{0, 0}, {0, 1}},
      {{0, 0}, {1, 0}},         {{3, 4}, {4, 3}},         {{-1, 5}, {1, 5}},        {{7, 71271}, {7, 71272}}};
  std::size_t most = 0;
  for (const auto& [a, b] : pairs) most = std::max(most, same_choices(choice, sql, a, b));
  return most;
}

TEST(DuckDbChoice, ChoosesAnewUnderANewSecret) {
  Choice choice(41);
  for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
    EXPECT_LT(most_same_choices(choice, choice.sql(form)), 10U);
  }
}

// The mutants hash once. The engine's hash joins its last argument by exclusive or, without mixing: some secrets then
// choose alike, and with the key last the groups are not chosen equally often.
plan::Sql with_priority(plan::Sql sql, const std::string& priority) {
  const std::string ours = "hash(hash(u, cell, CAST($1 AS BIGINT), CAST($2 AS BIGINT)))";
  const std::size_t place = sql.text.find(ours);
  EXPECT_NE(place, std::string::npos);
  if (place != std::string::npos) sql.text.replace(place, ours.size(), priority);
  return sql;
}

TEST(DuckDbChoice, WouldChooseAlikeWithASingleHash) {
  Choice choice(41);
  const std::string single = "hash(u, cell, CAST($1 AS BIGINT), CAST($2 AS BIGINT))";
  EXPECT_GT(most_same_choices(choice, with_priority(choice.sql(BoundingForm::bottom_m), single)), 20U);
}

TEST(DuckDbChoice, WouldFavourGroupsWithTheKeyLast) {
  Choice choice(4000);
  const std::string single = "hash(CAST($1 AS BIGINT), CAST($2 AS BIGINT), u, cell)";
  EXPECT_GT(chi_square(choice.run(with_priority(choice.sql(BoundingForm::bottom_m), single), {1, 2})), 1000);
}

}  // namespace
}  // namespace vernier::engine
