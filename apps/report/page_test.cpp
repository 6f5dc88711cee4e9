#include "report/page.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "report/parts.hpp"
#include "report/shown.hpp"
#include "support/derived_releases.hpp"

namespace vernier::report {
namespace {

using release::Release;
using testing::by_private_region;
using testing::by_region;
using testing::released;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string page_of(const Release& release) {
  const release::Asked asked = testing::asked_of(release);
  const ledger::Cost most = ledger::rules_of(release.terms)->quanta.budget();
  return page({release, asked, {most - release.taken.cost, true, most}}).value();
}

Release example() {
  plan::BoundStatistic statistic = by_region();
  statistic.table.columns[0].labels = {{query::Value("south"), "<i>Süden</i>"}};
  return released({statistic}, {});
}

TEST(Page, HasAChartForEveryColumnInBothWidthsAndARowForEveryGroup) {
  const std::string html = page_of(example());
  EXPECT_EQ(count(html, "<svg class=\"chart\""), 6U);
  EXPECT_EQ(count(html, "role=\"img\""), 6U);
  const Release release = example();
  for (std::size_t i = 0; i < 3; ++i) {
    const ShownNumber first = shown(release.tables[0].rows[0].numbers[i], decimals_of(release.tables[0], i));
    EXPECT_TRUE(contains(html, ">" + first.interval)) << first.interval;
    EXPECT_TRUE(contains(html, ">" + first.value + "</td>")) << first.value;
  }
}

TEST(Page, KeepsNamesLabelsValuesAndStatementsText) {
  Release release = example();
  const std::string hostile = "</title></td><script>alert(1)</script><img src=x onerror=alert(2)>";
  plan::BoundStatistic& statistic = release.plan.study.statistics[0];
  statistic.name = statistic.query.keys[0].name = statistic.query.aggregations[0].name = hostile;
  statistic.table.columns[0].labels[query::Value("north")] = hostile;
  release.tables[0].rows[0].keys[0] = hostile;
  release.engine = hostile;
  release::Asked asked = testing::asked_of(release);
  asked.study = hostile;
  asked.sql[0] = hostile;
  const std::string html = page({release, asked, {}}).value();
  EXPECT_FALSE(contains(html, "<script"));
  EXPECT_FALSE(contains(html, "<img"));
  EXPECT_EQ(count(html, "</title>"), 1U + count(html, "<title id="));
  EXPECT_GT(count(html, "&lt;script&gt;"), 10U);
  EXPECT_TRUE(contains(page_of(example()), "&lt;i&gt;Süden&lt;/i&gt;"));
}

TEST(Page, AsksNobodyForAnything) {
  const std::string html = page_of(example());
  for (const char* forbidden : {"<script", "src=", "url(", "@import", "http:", "https:", "<link"}) {
    EXPECT_FALSE(contains(html, forbidden)) << forbidden;
  }
  EXPECT_TRUE(contains(html, "default-src &#39;none&#39;") || contains(html, "default-src 'none'"));
  EXPECT_TRUE(contains(html, "<html lang=\"en\">"));
  EXPECT_TRUE(contains(html, "prefers-color-scheme: dark"));
}

TEST(Page, SaysWhatSaysNothingAndWhatMayBeEmpty) {
  Release release = example();
  for (release::Row& row : release.tables[0].rows) row.numbers[2].may_be_empty = false;
  EXPECT_FALSE(contains(page_of(release), "may be empty"));
  release::Number& mean = release.tables[0].rows[1].numbers[2];
  mean.informative = false;
  mean.may_be_empty = true;
  mean.interval = {1, 16};
  const std::string html = page_of(release);
  EXPECT_TRUE(contains(html, "no information"));
  EXPECT_TRUE(contains(html, "all that is possible"));
  EXPECT_TRUE(contains(html, "the group may be empty"));
}

TEST(Page, SaysWhetherCoverageIsProven) {
  Release release = example();
  EXPECT_TRUE(contains(page_of(release), "n – proven, whatever the data"));
  for (release::Row& row : release.tables[0].rows) row.numbers[0].coverage = interval::Status::tested;
  EXPECT_TRUE(contains(page_of(release), "n – tested on many data sets, not proven"));
  release.tables[0].rows[0].numbers[0].coverage = interval::Status::proven;
  EXPECT_TRUE(contains(page_of(release), "n – proven for some rows, tested for the others"));
}

TEST(Page, ShowsWhatWasMadeOfNumbersAndWhichIntervalIsWhose) {
  const auto& all = testing::derived_releases();
  const std::string denoised = page_of(all[0].release), adding = page_of(all[1].release),
                    compared = page_of(all[2].release);
  EXPECT_EQ(count(denoised, ">denoised</th>"), 2U);
  EXPECT_TRUE(contains(denoised, "Denoised: n by james-stein-to-"));
  EXPECT_TRUE(contains(denoised, "Intervals belong to the numbers before them."));
  EXPECT_FALSE(contains(denoised, ">its interval</th>"));
  EXPECT_EQ(count(adding, ">its interval</th>"), 2U);
  EXPECT_TRUE(contains(adding, "which hold if the exact numbers add up"));
  EXPECT_TRUE(contains(compared, "south less north"));
  EXPECT_FALSE(contains(page_of(example()), "denoised</th>"));
}

TEST(Page, OfPrivateGroupsForecastsThemAndOfNoneSaysSo) {
  Release release = released({testing::with_columns(by_private_region(), {0})}, {});
  EXPECT_TRUE(contains(page_of(release), "Which groups are published"));
  EXPECT_TRUE(contains(page_of(release), "one that is missing may exist"));
  EXPECT_FALSE(contains(page_of(example()), "Which groups are published"));
  release.tables[0].rows.clear();
  EXPECT_TRUE(contains(page_of(release), "No group had enough units to be published."));
  EXPECT_FALSE(contains(page_of(release), "<svg"));
}

TEST(Page, CutsALongTableAndSaysSo) {
  Release release = example();
  release.tables[0].rows.resize(most_table_rows + 500, release.tables[0].rows[0]);
  const std::string html = page_of(release);
  EXPECT_TRUE(contains(html, "The first 2,000 of 2,500 rows"));
  EXPECT_FALSE(contains(page_of(example()), "The first "));
}

TEST(Page, DrawsNoChartOfMoreRowsThanAScreenHasRoomFor) {
  Release release = example();
  release.tables[0].rows.resize(5001, release.tables[0].rows[0]);
  const std::string html = page_of(release);
  EXPECT_TRUE(contains(html, "There is no chart, since 5,001 rows are too many for one."));
  EXPECT_FALSE(contains(html, "<svg"));
  release.tables[0].rows.resize(5000);
  EXPECT_TRUE(contains(page_of(release), "<svg"));
}

TEST(Page, TellsWhatIsLeftInTheLedgerNeverTooMuch) {
  const Release release = example();
  const ledger::Rules rules = ledger::rules_of(release.terms).value();
  const ledger::Cost most = rules.quanta.budget();
  const release::Asked asked = testing::asked_of(release);
  const std::string html = page({release, asked, {{most.epsilon / 3, most.delta / 3}, true, most}}).value();
  EXPECT_TRUE(contains(html, ">3333.33</td>"));  // of 10000
  EXPECT_TRUE(contains(html, ">10000</td>"));
}

// (e + 0) / (1 + e) = 0.73106 and so on; never below the exact one.
TEST(Page, TellsHowWellSomebodyCouldGuessAtMost) {
  EXPECT_EQ(best_guess(1, 0), "73.2 %");
  EXPECT_EQ(best_guess(1e-9, 0), "50.1 %");
  EXPECT_EQ(best_guess(std::log(3.0) + 1e-9, 0), "75.1 %");
  EXPECT_EQ(best_guess(1e-12, 0.5), "75.1 %");
  EXPECT_EQ(best_guess(800, 1e-9), "100.0 %");
}

TEST(Shown, RoundsOutwardsAndNamesOpenEnds) {
  release::Number number{.value = 41210.52,
                         .accuracy = 310.21,
                         .interval = {40905.16, 41519.91},
                         .is_whole = false,
                         .coverage = interval::Status::proven,
                         .covers = interval::Covers::bounded_value};
  EXPECT_EQ(shown(number, 0).line(), "41,211 ± 311");
  EXPECT_EQ(shown(number, 0).interval, "40,905 to 41,520");
  number.interval.high = std::numeric_limits<double>::infinity();
  EXPECT_EQ(shown(number, 0).interval, "at least 40,905");
  number.interval = {-number.interval.high, -5.5};
  EXPECT_EQ(shown(number, 0).interval, "at most -5");
  number.informative = false;
  EXPECT_EQ(shown(number, 0).line(), "no information");
}

}  // namespace
}  // namespace vernier::report
