#include <fstream>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "support/signed_releases.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/release.hpp"
#include "vernier/release/run/exact_numbers.hpp"
#include "vernier/release/verify/verify.hpp"

// What statistics share, from the text of a study to a record that is verified, with the engine that ships.
namespace vernier::release {
namespace {

using testing::Ask;

constexpr int persons = 40;

std::string line_of(int i) {
  const char* const region = std::array{"east", "north", "south", "elsewhere"}[static_cast<std::size_t>(i % 4)];
  const std::string educ = i % 9 == 8 ? "" : std::to_string(1 + i % 6);
  return std::to_string(i / 2) + "," + region + "," + (i % 5 == 0 ? "Arnhem" : "Zwolle") + "," + educ +
         ",3,1000,0.5,1951-01-01,2020-01-01,true\n";
}

// All rows but one.
void write_people(const std::filesystem::path& path, int left_out, int copies = 1) {
  std::ofstream file(path);
  file << "id,region,city,educ,debt,income,share,born,seen,member\n";
  for (int i = 0; i < persons * copies; ++i) {
    if (i != left_out) file << line_of(i);
  }
}

std::string of_rows() {
  std::string table = testing::people_table;
  return table.replace(table.find("unit = \"id\""), 11, "unit = \"row\"");
}

class Shared : public ::testing::Test {
 protected:
  plan::BoundStudy study_of(const std::vector<Ask>& asks, const std::string& tables) {
    plan::BoundStudy study = testing::bound(asks, tables).value();
    study.catalog.path = folder_.path() / "catalog.toml";
    return study;
  }

  Release release(const plan::BoundStudy& study) {
    const plan::Plan plan = plan::allocate(study).value();
    auto ledger = open_ledger(study.catalog).value();
    auto session = engine::open_duckdb(study.catalog, study.catalog.tables, {1, 0}).value();
    auto source = random::Source::open();
    return run(plan, *session, *ledger, *source, {"a study", std::string(64, 'c')}).value();
  }

  // The exact integers of every measurement, one statistic after the other.
  std::vector<std::vector<std::int64_t>> exact(const plan::BoundStudy& study) {
    auto session = engine::open_duckdb(study.catalog, study.catalog.tables, {1, 0}).value();
    std::vector<std::vector<std::int64_t>> found;
    for (const plan::BoundStatistic& one : study.statistics) {
      const plan::Sql sql = plan::render(one, session->form(one), session->dialect());
      const auto numbers = ExactNumbers::of(one, session->run(sql, {1, 2}, nobody_watches).value()).value();
      for (std::size_t i = 0; i < one.measurements.size(); ++i) {
        const auto all = numbers.of_measurement(i);
        found.emplace_back(all.begin(), all.end());
      }
    }
    return found;
  }

  // Of measurements that are charged as one: how many of them a row moves, at most, over all rows of the table.
  std::size_t most_moved(const plan::BoundStudy& study) {
    write_people(people(), -1);
    const auto whole = exact(study);
    std::size_t most = 0;
    for (int row = 0; row < persons; ++row) {
      write_people(people(), row);
      const auto less = exact(study);
      std::map<std::int64_t, std::size_t> moved;
      std::size_t place = 0;
      for (const plan::BoundStatistic& statistic : study.statistics) {
        for (const plan::Measurement& one : statistic.measurements) {
          if (one.parallel && whole[place] != less[place]) most = std::max(most, ++moved[*one.parallel]);
          ++place;
        }
      }
    }
    return most;
  }

  std::filesystem::path people() const { return folder_.path() / "people.csv"; }

 private:
  testing::TemporaryFolder folder_;
};

std::vector<Ask> where(const std::vector<std::string>& conditions) {
  std::vector<Ask> asks;
  for (const std::string& one : conditions)
    asks.push_back({"SELECT region, COUNT(*) AS n, AVG(debt) AS d FROM people WHERE " + one + " GROUP BY region", ""});
  return asks;
}

TEST_F(Shared, MeasurementsThatAreChargedAsOneAreMovedOneAtATime) {
  const plan::BoundStudy study =
      plan::allocate(study_of(where({"educ = 1", "educ IN (2, 3)", "educ > 3", "educ IS NULL"}), of_rows()))
          .value()
          .study;
  EXPECT_EQ(most_moved(study), 1U);
}

// The planted mistake: filters that have rows in common, charged as one.
TEST_F(Shared, FiltersThatOverlapAreSeenToMoveTogether) {
  plan::BoundStudy study = plan::allocate(study_of(where({"educ <= 3", "educ >= 3"}), of_rows())).value().study;
  for (plan::BoundStatistic& one : study.statistics) {
    EXPECT_EQ(one.measurements[0].parallel, std::nullopt);
    one.measurements[0].parallel = 1;
  }
  EXPECT_EQ(most_moved(study), 2U);
}

// The other planted mistake: units with two rows are in two filters.
TEST_F(Shared, UnitsWithSeveralRowsAreSeenToMoveSeveral) {
  plan::BoundStudy study =
      plan::allocate(study_of(where({"educ = 1", "educ = 2"}), testing::people_table)).value().study;
  for (plan::BoundStatistic& one : study.statistics) {
    EXPECT_EQ(one.measurements[0].parallel, std::nullopt);
    one.measurements[0].parallel = 1;
  }
  write_people(people(), -1);
  const auto whole = exact(study);
  std::ofstream file(people());
  file << "id,region,city,educ,debt,income,share,born,seen,member\n";
  for (int i = 2; i < persons; ++i) file << line_of(i);  // without the unit 0, that has two rows
  file.close();
  const auto less = exact(study);
  EXPECT_NE(whole[0], less[0]);
  EXPECT_NE(whole[2], less[2]);
}

std::string record_of(const Release& release) { return testing::record_of(release); }

TEST_F(Shared, EqualQuestionsGetTheSameNumbersAndARecordThatHolds) {
  write_people(people(), -1, 200);
  const Release made = release(study_of(
      {{"SELECT region, COUNT(*) AS n, SUM(educ) AS s FROM people GROUP BY region", ""},
       {"SELECT region AS r, SUM(educ) AS t FROM people GROUP BY region ORDER BY r", ""},
       {"SELECT city, COUNT(*) AS n FROM people GROUP BY city", ""},
       {"SELECT city, SUM(debt) AS d, COUNT(DISTINCT id) AS u FROM people GROUP BY city ORDER BY city DESC", ""}},
      testing::people_table));
  EXPECT_EQ(made.plan.events.size(), 4U);  // two by region, the units of the cities, and a sum
  const auto number = [&](std::size_t table, std::size_t row, std::size_t column) {
    return made.tables[table].rows[row].numbers[column].value;
  };
  EXPECT_EQ(number(1, 0, 0), number(0, 2, 1));  // "east" comes first there, and last here
  EXPECT_EQ(number(1, 1, 0), number(0, 0, 1));
  ASSERT_EQ(made.tables[2].rows.size(), 2U);
  ASSERT_EQ(made.tables[3].rows.size(), 2U);
  EXPECT_EQ(number(3, 0, 1), number(2, 1, 0));
  const Verdict verdict = verify(record_of(made), {});
  EXPECT_TRUE(verdict.holds()) << *verdict.first_problem;
}

TEST_F(Shared, ARecordWhoseCopiesDifferIsRefused) {
  write_people(people(), -1, 200);
  Release made = release(study_of({{"SELECT COUNT(*) AS n FROM people", ""}, {"SELECT COUNT(*) AS m FROM people", ""}},
                                  testing::people_table));
  ASSERT_TRUE(verify(record_of(made), {}).holds()) << *verify(record_of(made), {}).first_problem;
  made.tables[1].rows[0].noisy[0] += 1;
  const Verdict changed = verify(record_of(made), {});
  ASSERT_FALSE(changed.holds());
  EXPECT_EQ(*changed.first_problem,
            "statistic 's1', m: noisy integers of its own should be those that it is copied from");
}

TEST_F(Shared, ARecordWhoseFiltersOverlapIsRefused) {
  write_people(people(), -1, 200);
  Release made = release(study_of(where({"educ = 1", "educ = 2"}), of_rows()));
  ASSERT_TRUE(verify(record_of(made), {}).holds()) << *verify(record_of(made), {}).first_problem;
  EXPECT_EQ(made.plan.events.size(), 2U);
  made.plan.study.statistics[1].within[0].ranges[0].lower->value = std::int64_t{1};
  const Verdict changed = verify(record_of(made), {});
  ASSERT_FALSE(changed.holds());
  EXPECT_NE(changed.first_problem->find("rows that exclude those of 's0'"), std::string::npos)
      << *changed.first_problem;
}

// What a delta would buy nothing for is planned, charged and verified without one.
TEST_F(Shared, ARecordWithoutADeltaHolds) {
  write_people(people(), -1);
  plan::BoundStudy study = study_of({{"SELECT COUNT(*) AS n FROM people", "accuracy = { n = 1000000000 }"}}, of_rows());
  study.budget.reset();
  const Release made = release(study);
  EXPECT_TRUE(made.plan.delta.is_pure());
  EXPECT_EQ(made.taken.cost.delta, 0);
  EXPECT_GT(made.taken.cost.epsilon, 0);
  ASSERT_TRUE(verify(record_of(made), {}).holds()) << *verify(record_of(made), {}).first_problem;
  Release other = made;
  other.plan.delta = *privacy::Delta::of(1e-7);
  EXPECT_FALSE(verify(record_of(other), {}).holds());
}

// What a box is charged by, and which integers are whose.
TEST_F(Shared, ARecordOfABoxHoldsAndChangesOfItAreRefused) {
  write_people(people(), -1, 200);
  plan::BoundStudy study = study_of(
      {{"SELECT region, COUNT(*) AS n, AVG(debt) AS d, SUM(educ) AS s FROM people GROUP BY region", ""}}, of_rows());
  study.budget = query::StudyBudget{numeric::Rational::of(1), numeric::Rational::of(0)};
  const Release made = release(study);
  ASSERT_EQ(plan::name_of(made.plan.statistics[0].noise[0].law), "box");
  ASSERT_EQ(made.plan.events.size(), 1U);
  ASSERT_TRUE(verify(record_of(made), {}).holds()) << *verify(record_of(made), {}).first_problem;
  const auto is_refused = [&](const std::function<void(Release&)>& change) {
    Release other = made;
    change(other);
    return !verify(record_of(other), {}).holds();
  };
  EXPECT_TRUE(is_refused([](Release& one) { one.plan.study.statistics[0].measurements[0].tallies.pop_back(); }));
  EXPECT_TRUE(is_refused([](Release& one) { one.plan.study.statistics[0].measurements[0].width = 1; }));
  EXPECT_TRUE(is_refused([](Release& one) { one.plan.study.statistics[0].measurements[1].steps -= 1; }));
  EXPECT_TRUE(is_refused([](Release& one) { one.plan.study.statistics[0].measurements[1].source.reset(); }));
  EXPECT_TRUE(is_refused([](Release& one) { one.plan.study.statistics[0].measurements[0].sensitivity.shift = 2; }));
  EXPECT_TRUE(is_refused([](Release& one) { one.plan.epsilon *= 0.9; }));
  EXPECT_TRUE(is_refused([](Release& one) {
    const double scale = plan::scale_of(one.plan.statistics[0].noise[0].law);
    for (plan::PlannedNoise& noise : one.plan.statistics[0].noise)
      noise.law = *noise::Box::of(*LaplaceScale::of(scale * 0.9));
  }));
  EXPECT_TRUE(is_refused([](Release& one) { one.tables[0].rows[0].noisy[1] += 1000; }));
}

// Beside a delta. `place` is that of the box among what is measured.
class SharedInABox : public Shared {
 protected:
  void expect_it_holds(const std::string& keys, const std::string& tables, const std::string& accuracy,
                       std::size_t place) {
    write_people(people(), -1, 200);
    const std::string numbers = ", COUNT(debt) AS n, COUNT(seen) AS k, AVG(debt) AS d, SUM(educ) AS s FROM people";
    const Release made = release(study_of({{"SELECT " + keys + numbers + " GROUP BY " + keys, accuracy}}, tables));
    ASSERT_EQ(plan::name_of(made.plan.statistics[0].noise[place].law), "box");
    EXPECT_TRUE(verify(record_of(made), {}).holds()) << *verify(record_of(made), {}).first_problem;
    Release other = made;
    other.plan.study.statistics[0].measurements[place].sensitivity.shift += 1;
    EXPECT_FALSE(verify(record_of(other), {}).holds());
  }
};

TEST_F(SharedInABox, HoldsWithPrivateKeys) { expect_it_holds("city", of_rows(), "", 1); }
TEST_F(SharedInABox, HoldsWhereSomeColumnsStateAnAccuracy) {
  expect_it_holds("region", of_rows(), "accuracy = { n = 30 }", 0);
}
TEST_F(SharedInABox, HoldsUnderReplace) {
  std::string replaced = of_rows();
  replaced.insert(replaced.find("unit ="), "neighbours = \"replace\"\n");
  expect_it_holds("region", replaced, "", 0);
}

}  // namespace
}  // namespace vernier::release
