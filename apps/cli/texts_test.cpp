#include "cli/texts.hpp"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/coverage/coverage.hpp"
#include "cli/release/documents.hpp"
#include "support/arrow_rows.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/study.hpp"

// A program's way from texts and rows in memory to numbers that a stranger can verify; no study and no data is a file.
namespace vernier::cli {
namespace {

using nlohmann::json;
using testing::Cells;

const std::string catalog_text = R"([budget]
epsilon = 3.0
delta = 1e-6
[tables.people]
format = "arrow"
unit = "row"
row_limit = 1000000
[tables.people.columns]
region = { type = "string", keys = ["north", "south"] }
income = { type = "real", lower = 0, upper = 1000, granularity = 1 }
)";

const std::string study_text = R"(catalog = "catalog.toml"
budget = { epsilon = 1.0, delta = 1e-7 }
[[statistic]]
name = "income"
sql = "SELECT region, COUNT(*) AS people, AVG(income) AS income FROM people GROUP BY region"
)";

// 3,000 rows in the north with an income of 100, and 1,000 in the south with 300, a tenth of them without one.
std::shared_ptr<const engine::ArrowTable> people() {
  Cells<std::string> region;
  Cells<double> income;
  for (int i = 0; i < 4000; ++i) {
    region.emplace_back(i % 4 == 0 ? "south" : "north");
    income.push_back(i % 40 == 0 ? std::nullopt : std::optional(i % 4 == 0 ? 300.0 : 100.0));
  }
  const testing::ArrowBatch whole = {testing::arrow_texts("region", region), testing::arrow_reals("income", income)};
  return testing::arrow_table(
      {{whole[0].slice(0, 1500), whole[1].slice(0, 1500)}, {whole[0].slice(1500, 2500), whole[1].slice(1500, 2500)}});
}

// Keys and witnesses lie in a folder of this test. The engine has no sanitizers.
class SlowProgram : public ::testing::Test {
 protected:
  SlowProgram() {
    ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
    ::setenv("XDG_STATE_HOME", (folder_.path() / "state").c_str(), 1);
  }

  study::Text catalog(const std::string& text = catalog_text) const { return {folder_.path() / "<catalog>", text}; }
  Result<study::Study> asked(const std::string& study = study_text) const {
    return study::Catalog::of(catalog()).and_then([&](const study::Catalog& read) {
      return study::Study::of("census", study::Text{"<study>", study}, read);
    });
  }
  Result<study::Answer> release_of(const study::Request& request) const {
    return asked()->plan().and_then([&](const study::Plan& plan) { return plan.release(request); });
  }
  Result<study::Answer> released(study::Request request = {}, const Progress& progress = nobody_watches) const {
    request.documents = documents_beside(Files::answer());
    request.memory = {{"people", people()}};
    request.progress = progress;
    return release_of(request);
  }
  json ledger() const { return json::parse(ledger_show_json(catalog()).value()); }

  testing::TemporaryFolder folder_;
};

TEST_F(SlowProgram, PlansWithoutFiles) {
  const auto plan = plan_of(asked().value(), "", {Decimal::exactly(0.5), Decimal::exactly(2)});
  ASSERT_TRUE(plan) << plan.error().sentence();
  const json told = json::parse(plan_json(*plan));
  EXPECT_EQ(told["study"], "census");
  EXPECT_EQ(told["what_if"].size(), 2U);
  EXPECT_FALSE(told["ledger"]["exists"]);
  EXPECT_NE(plan_text(*plan).find("made by a program"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

// At these sizes the exact values lie in all intervals but for one run in a million: the counts ± 60 at least, the
// means near 100 and 300.
TEST_F(SlowProgram, ReleasesRowsInMemoryAndVerifiesThem) {
  const auto answer = released({.analyst = "anna", .request = "one"});
  ASSERT_TRUE(answer) << answer.error().sentence();
  const json record = json::parse(answer->record_text());
  const json& rows = record["statistics"][0]["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[0]["people"]["value"].get<double>(), 3000, 120);
  EXPECT_NEAR(rows[1]["people"]["value"].get<double>(), 1000, 120);
  EXPECT_NEAR(rows[0]["income"]["value"].get<double>(), 100, 20);
  EXPECT_NEAR(rows[1]["income"]["value"].get<double>(), 300, 40);

  const auto verdict = release::verify(answer->record_text(), std::nullopt);
  EXPECT_TRUE(verdict.holds()) << *verdict.first_problem;
  EXPECT_TRUE(json::parse(verdict_json(verdict))["holds"]);
  const auto again = released({.analyst = "anna", .request = "one"});
  EXPECT_TRUE(again->is_repeated);
  EXPECT_EQ(again->record_text(), answer->record_text());

  EXPECT_EQ(json::parse(ledger_history_json(catalog()).value())["entries"].size(), 3U);
  EXPECT_EQ(json::parse(ledger_history_json(catalog(), "ben").value())["entries"].size(), 0U);
  EXPECT_EQ(json::parse(ledger_history_json(catalog(), {}, 1).value())["entries"].size(), 1U);
  const auto checked = ledger_verify_json(catalog(), {{"mine", answer->record_text()}});
  ASSERT_TRUE(checked) << checked.error().sentence();
  EXPECT_EQ(json::parse(*checked)["published"], 1);
  EXPECT_TRUE(ledger()["exists"]);
}

TEST_F(SlowProgram, WritesAFolderWhereItIsAsked) {
  const auto answer = released({.folder = folder_.path() / "out"});
  ASSERT_TRUE(answer) << answer.error().sentence();
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out" / "release.json"));
}

TEST_F(SlowProgram, SaysWhatDoesNotHold) {
  const auto answer = released();
  ASSERT_TRUE(answer);
  std::string changed = answer->record_text();
  changed.replace(changed.find("\"census\""), 8, "\"Census\"");
  const auto verdict = release::verify(changed, std::nullopt);
  EXPECT_FALSE(verdict.holds());
  EXPECT_FALSE(json::parse(verdict_json(verdict))["holds"]);
  ASSERT_FALSE(study::expected_key("no key"));
  EXPECT_NE(study::expected_key("no key").error().sentence().find("the public key "), std::string::npos);
  EXPECT_FALSE(ledger_verify_json(catalog(), {{"mine", changed}}));
}

TEST_F(SlowProgram, RefusesBeforeAnythingIsCharged) {
  const auto none = release_of({});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().sentence().find("no rows are given for the table 'people'"), std::string::npos);
  const auto other = release_of({.memory = {{"people", people()}, {"peopel", people()}}});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().sentence().find("'peopel'"), std::string::npos);
  EXPECT_FALSE(ledger()["exists"]);
}

TEST_F(SlowProgram, StopsWhereItsProgressSaysNo) {
  const auto before = released({}, [](double) { return false; });
  ASSERT_FALSE(before);
  EXPECT_EQ(before.error().sentence(), "the run was stopped before it began; nothing was charged");
  int asked_times = 0;
  const auto later = released({}, [&](double) { return ++asked_times < 2; });
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().sentence(), engine::run_stopped);
  ASSERT_TRUE(released());
  const auto reading = ledger_show_json(catalog(), {}, [](double) { return false; });
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().sentence(), "reading the ledger was stopped; nothing was changed");
  EXPECT_FALSE(ledger_verify_json(catalog(), {}, [](double done) { return done < 0.5; }));
  EXPECT_TRUE(ledger_verify_json(catalog()));
}

TEST_F(SlowProgram, NamesTheTextThatIsWrong) {
  const auto wrong = asked("catalog = \"catalog.toml\"\nbudgte = 1\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().sentence().find("<study>:"), 0U) << wrong.error().sentence();
  const auto broken = study::Catalog::of(catalog("[budget]\n"));
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().sentence().find("<catalog>:1:1: [budget] has no epsilon"), std::string::npos);
  EXPECT_GT(json::parse(catalog_json(catalog("[budget]\n")))["problems"].size(), 0U);
  EXPECT_EQ(json::parse(catalog_json(catalog()))["tables"][0]["format"], "arrow");
}

TEST_F(SlowProgram, SimulatesValuesOfItsOwn) {
  const Given given{
      {{"lower", {"0"}}, {"upper", {"10"}}, {"size", {"50"}}, {"epsilon", {"1"}}, {"simulations", {"20"}}}};
  const auto told = coverage_json(given, CoverageValues{{1, 2, 3, 4}, "mine"});
  ASSERT_TRUE(told) << told.error().sentence();
  EXPECT_EQ(json::parse(*told)["population"], 4);
  EXPECT_FALSE(coverage_json(given));
  EXPECT_FALSE(coverage_json(Given{{{"distribution", {"normal"}}, {"size", {"50"}}, {"epsilon", {"1"}}}},
                             CoverageValues{{1}, "x"}));
  EXPECT_FALSE(coverage_json(given, CoverageValues{{1, 2}, "mine"}, [](double) { return false; }));
  const auto denoised =
      coverage_json(Given{{{"denoise", {}}, {"dimension", {"10"}}, {"epsilon", {"1"}}, {"simulations", {"20"}}}});
  ASSERT_TRUE(denoised) << denoised.error().sentence();
  EXPECT_TRUE(json::parse(*denoised).is_object());
  EXPECT_FALSE(coverage_json(Given{{{"denoise", {}}, {"plot", {"x.svg"}}}}));
}

}  // namespace
}  // namespace vernier::cli
