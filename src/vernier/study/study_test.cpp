#include "vernier/study.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

// From a CSV to numbers that a stranger can verify, as a program does it.
namespace vernier::study {
namespace {

namespace fs = std::filesystem;

const std::string catalog_text = R"([budget]
epsilon = 3
[tables.people]
source = "people.csv"
unit = "person_id"
[tables.people.columns]
person_id = { type = "integer" }
region = { type = "string", keys = ["north", "south"] }
age = { type = "integer", lower = 0, upper = 99 }
)";

const std::string study_text = R"(catalog = "catalog.toml"
budget = { epsilon = 1 }
[[statistic]]
name = "people by region"
sql = "SELECT region, COUNT(*) AS people FROM people GROUP BY region"
)";

// Keys, witnesses, data, catalog and study lie in a folder of this test. The engine has no sanitizers.
class SlowStudy : public ::testing::Test {
 protected:
  SlowStudy() {
    ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
    ::setenv("XDG_STATE_HOME", (folder_.path() / "state").c_str(), 1);
    std::string rows = "person_id,region,age\n";
    for (int i = 0; i < 400; ++i) rows += std::to_string(i) + (i < 300 ? ",north,20\n" : ",south,60\n");
    write("people.csv", rows);
    write("catalog.toml", catalog_text);
    write("study.toml", study_text);
  }
  ~SlowStudy() override { ::unsetenv("VERNIER_CATALOGS"); }

  void write(const std::string& name, const std::string& content) const { std::ofstream(path(name)) << content; }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  Result<Catalog> catalog() const { return Catalog::read(path("catalog.toml")); }
  Result<Answer> released(const Request& request) const {
    return Study::read(path("study.toml"))
        .and_then([&](const Study& study) { return study.plan(); })
        .and_then([&](const Plan& plan) { return plan.release(request); });
  }
  std::int64_t spends() const {
    const Result<LedgerShow> show = ledger_show(read_text(path("catalog.toml")).value(), {}, nobody_watches);
    return show ? show->reading.summary.all().releases : -1;
  }

  testing::TemporaryFolder folder_;
};

// Geometric noise of epsilon 1 beyond 50: less than 1e-21.
TEST_F(SlowStudy, ReleasesAFileAndVerifiesIt) {
  const Result<Answer> answer = released({.folder = path("published")});
  ASSERT_TRUE(answer) << answer.error().sentence();
  const Result<release::Record> record = answer->record();
  ASSERT_TRUE(record) << record.error().sentence();
  EXPECT_NEAR(record->tables[0].rows[0].numbers[0].value, 300, 50);
  EXPECT_NEAR(record->tables[0].rows[1].numbers[0].value, 100, 50);
  const Result<release::Verdict> verdict = verify(path("published"), std::nullopt);
  ASSERT_TRUE(verdict) << verdict.error().sentence();
  EXPECT_TRUE(verdict->holds()) << verdict->first_problem.value_or("");
  EXPECT_EQ(spends(), 1);
}

TEST_F(SlowStudy, MakesTheRecordAloneUnlessMoreIsAsked) {
  const Result<Answer> alone = released({});
  ASSERT_TRUE(alone) << alone.error().sentence();
  ASSERT_EQ(alone->documents.size(), 1U);
  EXPECT_EQ(alone->documents[0].name, "release.json");
  const MakeDocuments tables = [](const Published& published) -> Result<ledger::Documents> {
    ledger::Documents documents = csv_documents(published.release);
    documents.push_back({std::string(spoken), "for a person"});
    return documents;
  };
  const Result<Answer> more = released({.documents = tables, .folder = path("published")});
  ASSERT_TRUE(more) << more.error().sentence();
  ASSERT_EQ(more->documents.size(), 3U);
  EXPECT_EQ(more->documents[1].name, "people-by-region.csv");
  EXPECT_EQ(more->documents[2].name, "report.txt");
  EXPECT_FALSE(fs::exists(path("published") / "report.txt"));
  ASSERT_EQ(more->record()->documents.size(), 1U);
  EXPECT_EQ(more->record()->documents[0].name, "people-by-region.csv");
  EXPECT_TRUE(verify(path("published"), std::nullopt)->holds());
}

// What was published is there to make other documents from, but for an answer that was stored before.
TEST_F(SlowStudy, AnswersTheSameRequestOnce) {
  const Result<Answer> first = released({.request = "one"}), again = released({.request = "one"});
  ASSERT_TRUE(first && again);
  EXPECT_FALSE(first->is_repeated);
  ASSERT_TRUE(first->published);
  EXPECT_EQ(csv_documents(first->published->release).size(), 1U);
  EXPECT_TRUE(again->is_repeated);
  EXPECT_FALSE(again->published);
  EXPECT_EQ(again->record_text(), first->record_text());
  EXPECT_EQ(spends(), 1);
}

TEST_F(SlowStudy, SpendsNothingWhereSomethingIsInTheWay) {
  fs::create_directory(path("taken"));
  write("taken/file", "");
  EXPECT_FALSE(released({.folder = path("taken")}));
  fs::remove(path("people.csv"));
  EXPECT_FALSE(released({.folder = path("published")}));
  EXPECT_FALSE(fs::exists(path("published")));
  write("people.csv", "person_id,region\n1,north\n");
  EXPECT_FALSE(released({}));
  EXPECT_EQ(spends(), 0);
}

TEST_F(SlowStudy, TakesOneStatement) {
  const std::string sql = "SELECT COUNT(*) AS people FROM people WHERE age > 30";
  const Result<query::Query> query = catalog()->parse(sql);
  ASSERT_TRUE(query) << query.error().sentence();
  Question question{.query = *query, .sql = sql};
  question.accuracy = {{"people", numeric::Rational::of(20), {}}};
  const Result<Study> study = Study::of("old people", question, *catalog());
  ASSERT_TRUE(study) << study.error().sentence();
  EXPECT_EQ(study->tables().size(), 1U);
  const Result<Plan> plan = study->plan();
  ASSERT_TRUE(plan) << plan.error().sentence();
  EXPECT_LE(plan->content().statistics[0].noise[0].accuracy, 20);
  EXPECT_TRUE(plan->ledger()->is_affordable);
  const auto at_more = plan->at({privacy::Epsilon::of(2).value()});
  ASSERT_TRUE(at_more) << at_more.error().sentence();
  EXPECT_LT(at_more->at(0).accuracies[0], 20);
  EXPECT_FALSE(plan->ledger()->exists);
}

TEST_F(SlowStudy, TakesOnlyCatalogsThatCount) {
  EXPECT_TRUE(Study::read(path("study.toml"), {.folders = {folder_.path()}}));
  EXPECT_FALSE(Study::read(path("study.toml"), {.folders = {"/usr"}}));
  EXPECT_TRUE(Study::read(path("study.toml"), {.only = path("catalog.toml")}));
  write("other.toml", catalog_text);
  EXPECT_FALSE(Study::read(path("study.toml"), {.only = path("other.toml")}));
  ::setenv("VERNIER_CATALOGS", "/usr", 1);
  EXPECT_FALSE(catalog());
  EXPECT_FALSE(Catalog::of({path("catalog.toml"), catalog_text}));
  EXPECT_FALSE(Study::read(path("study.toml"), {.folders = {folder_.path()}}));
  ::setenv("VERNIER_CATALOGS", "usr", 1);
  EXPECT_FALSE(catalog());
}

TEST_F(SlowStudy, RefusesLimitsThatChangeNothing) {
  write("study.toml", study_text + "max_rows = 2\n");
  EXPECT_TRUE(Study::read(path("study.toml")));
  std::string rows = catalog_text;
  write("catalog.toml", rows.replace(rows.find("\"person_id\""), 11, "\"row\""));
  const Result<Study> refused = Study::read(path("study.toml"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("states max_rows, but every row"), std::string::npos);
  write("study.toml", study_text + "max_rows = 1\n");
  EXPECT_TRUE(Study::read(path("study.toml")));
}

TEST_F(SlowStudy, TellsWhatAnotherDeltaOrAccuracyWouldBuy) {
  const Plan plan = Study::read(path("study.toml"))->plan().value();
  EXPECT_EQ(plan.what_if_keys(), (std::vector<std::string>{"epsilon", "delta", "max_rows", "people"}));
  const auto wider = plan.at_other("people", {numeric::Rational::of(40)});
  ASSERT_TRUE(wider) << wider.error().sentence();
  EXPECT_LE(wider->front().accuracies.front(), 40);
  EXPECT_LT(wider->front().epsilon, plan.content().epsilon);
  EXPECT_FALSE(plan.at_other("people", {*numeric::Rational::of_decimal("0.001")}));
}

TEST_F(SlowStudy, FindsBoundsPrivately) {
  const Result<BoundsQuestion> question = BoundsQuestion::of(*catalog(), "people.age");
  ASSERT_TRUE(question) << question.error().sentence();
  EXPECT_FALSE(BoundsQuestion::of(*catalog(), "people.aeg"));
  EXPECT_FALSE(BoundsQuestion::of(*catalog(), "poeple.age"));
  EXPECT_FALSE(BoundsQuestion::of(*catalog(), "age"));
  Question terms;
  terms.budget = {numeric::Rational::of(2), numeric::Rational::of(0)};
  const Result<Study> study = question->study(*catalog(), terms);
  ASSERT_TRUE(study) << study.error().sentence();
  const Result<Answer> answer = study->plan()->release({});
  ASSERT_TRUE(answer) << answer.error().sentence();
  const BoundsAnswer bounds = bounds_answer(*question, answer->published->study, answer->published->release);
  ASSERT_TRUE(bounds.kept);  // 100 values of noise of scale 1/2 or so stand out with all but 1e-20
  EXPECT_EQ(noisy_counts(bounds.release).size(), question->grid.buckets.size());
}

}  // namespace
}  // namespace vernier::study
