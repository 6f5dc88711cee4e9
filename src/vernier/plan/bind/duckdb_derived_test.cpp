#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/bind/derived.hpp"

namespace vernier::plan {
namespace {

using testing::Ask;
using testing::bound;
using testing::said;

const std::string counts = "SELECT region, COUNT(*) AS n FROM people GROUP BY region";
const std::string shrunken = "denoise = \"least-risk\"", adding = "denoise = \"consistent\"";

bool is_in(const std::string& part, const std::string& sentence) { return sentence.find(part) != std::string::npos; }

TEST(Derived, AllowsCountsAndSumsToBeDenoised) {
  EXPECT_EQ(said(counts, shrunken), "");
  EXPECT_EQ(said("SELECT region, SUM(debt) AS d, AVG(educ) AS e FROM people GROUP BY region", shrunken), "");
}

TEST(Derived, RefusesToDenoiseWhatHasNoNoiseOfItsOwn) {
  for (const std::string column : {"AVG(educ)", "MEDIAN(educ)", "STDDEV(educ)"}) {
    const std::string sentence = said("SELECT region, " + column + " AS x FROM people GROUP BY region", shrunken);
    EXPECT_TRUE(is_in("study.toml:3", sentence)) << sentence;
    EXPECT_TRUE(is_in("only counts and sums with noise of their own", sentence)) << sentence;
  }
}

// Their noise decided whether they are there, that of other columns did not.
TEST(Derived, RefusesToDenoiseTheNumberByWhichGroupsWereChosen) {
  const std::string sentence = said("SELECT city, COUNT(*) AS n FROM people GROUP BY city", shrunken);
  EXPECT_TRUE(is_in("chosen by their number of units", sentence)) << sentence;
  EXPECT_EQ(said("SELECT city, COUNT(*) AS n, SUM(debt) AS d FROM people GROUP BY city", shrunken), "");
}

TEST(Derived, NumbersTablesThatAddUp) {
  const auto study = bound({{"SELECT region, member, COUNT(*) AS n FROM people GROUP BY region, member", adding},
                            {counts, adding},
                            {"SELECT COUNT(*) AS everybody FROM people", adding},
                            {counts, shrunken},
                            {"SELECT region, SUM(debt) AS d FROM people WHERE member GROUP BY region", adding},
                            {"SELECT SUM(debt) AS d FROM people WHERE member", adding}});
  ASSERT_TRUE(study) << study.error().sentence();
  const auto family = [&](std::size_t i) { return study->statistics[i].measurements.front().family; };
  EXPECT_EQ(family(0), 1);
  EXPECT_EQ(family(1), 1);
  EXPECT_EQ(family(2), 1);
  EXPECT_EQ(family(3), std::nullopt);
  EXPECT_EQ(family(4), 2);
  EXPECT_EQ(family(5), 2);
}

std::string said_of(const std::vector<Ask>& asks) {
  const auto study = bound(asks);
  return study ? "" : study.error().sentence();
}

TEST(Derived, RefusesToAddUpWhatHasNoPartner) {
  const std::vector<std::string> others = {
      "SELECT COUNT(*) AS n FROM people WHERE educ > 3",  // other rows
      "SELECT COUNT(educ) AS n FROM people",              // other values
      "SELECT COUNT(DISTINCT id) AS n FROM people",       // a unit may be in several groups
      "SELECT COUNT(DISTINCT educ) AS n FROM people"};
  for (const std::string& other : others) {
    const std::string sentence = said_of({{counts, adding}, {other, adding}});
    EXPECT_TRUE(is_in("no other statistic to add up with", sentence)) << other << ": " << sentence;
  }
  EXPECT_TRUE(is_in("no other statistic", said(counts, adding)));
  EXPECT_TRUE(is_in("no other statistic", said_of({{counts, adding}, {"SELECT COUNT(*) AS n FROM people", ""}})));
  EXPECT_TRUE(is_in("no other statistic",
                    said_of({{counts, adding + "\nmax_rows = 2"}, {"SELECT COUNT(*) AS n FROM people", adding}})));
}

TEST(Derived, RefusesToAddUpTablesOfWhichNoneHasAllKeys) {
  const std::string sentence =
      said_of({{counts, adding}, {"SELECT member, COUNT(*) AS n FROM people GROUP BY member", adding}});
  EXPECT_TRUE(is_in("none of them is grouped by the keys of all", sentence)) << sentence;
}

TEST(Derived, RefusesKeysOfTwoNamesAndPrivateKeysToAddUp) {
  const std::string other = "SELECT region AS land, member, COUNT(*) AS n FROM people GROUP BY land, member";
  EXPECT_TRUE(is_in("give it one name", said_of({{counts, adding}, {other, adding}})));
  const std::string cities = "SELECT city, COUNT(*) AS n, SUM(debt) AS d FROM people GROUP BY city";
  EXPECT_TRUE(is_in("private keys", said_of({{cities, adding}, {"SELECT COUNT(*) AS n FROM people", adding}})));
}

TEST(Derived, KnowsTheGroupsWhoseDifferencesAreAsked) {
  EXPECT_EQ(said(counts, "differences = [[\"north\", \"south\"], [\"east\", \"north\"]]"), "");
  const std::string sentence = said(counts, "differences = [[\"north\", \"sout\"]]");
  EXPECT_TRUE(is_in("has no group 'sout' (did you mean south?)", sentence)) << sentence;
  EXPECT_EQ(said("SELECT city, COUNT(*) AS n FROM people GROUP BY city", "differences = [[\"a\", \"b\"]]"), "");
  EXPECT_EQ(said("SELECT educ, COUNT(*) AS n FROM people WHERE educ < 3 GROUP BY educ", "differences = [[1, 2]]"), "");
}

TEST(Derived, RefusesDifferencesThatHaveNoInterval) {
  const std::string asked = "differences = [[\"north\", \"south\"]]";
  EXPECT_TRUE(is_in("has 0 keys", said("SELECT COUNT(*) AS n FROM people", asked)));
  EXPECT_TRUE(
      is_in("has 2 keys", said("SELECT region, member, COUNT(*) AS n FROM people GROUP BY region, member", asked)));
  EXPECT_TRUE(is_in("has quantiles", said("SELECT region, MEDIAN(educ) AS m FROM people GROUP BY region", asked)));
  EXPECT_TRUE(is_in("'groups'", said("SELECT region, COUNT(*) AS groups FROM people GROUP BY region", asked)));
}

}  // namespace
}  // namespace vernier::plan
