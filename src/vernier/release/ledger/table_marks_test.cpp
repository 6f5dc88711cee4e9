#include "vernier/release/ledger/table_marks.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/ledgers.hpp"
#include "support/release_plans.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/release/run/run_with.hpp"

namespace vernier::release {
namespace {

namespace fs = std::filesystem;

class Marks : public ::testing::Test {
 protected:
  fs::path path() const { return folder_.path() / "a.ledger.tables"; }
  TableMarks marks() const { return {path(), "vernier catalog reopen c.toml --table "}; }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(Marks, CloseATableForEveryProcess) {
  EXPECT_TRUE(marks().check_open({"people", "visits"}));
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_EQ(
      marks().close({"people"}),
      "; the table 'people' is closed until the steward reopens it: repair or replace its file and write 'vernier "
      "catalog reopen c.toml --table people'");
  const Result<void> open = marks().check_open({"visits", "PEOPLE"});
  ASSERT_FALSE(open);
  EXPECT_NE(open.error().sentence().find("'PEOPLE' is closed"), std::string::npos);
  EXPECT_NE(open.error().sentence().find("--table PEOPLE'; nothing was charged"), std::string::npos);
  EXPECT_TRUE(marks().check_open({"visits"}));
}

TEST_F(Marks, OpenItAgain) {
  EXPECT_FALSE(marks().reopen("people").value());
  marks().close({"people", "visits"});
  EXPECT_TRUE(marks().reopen("people").value());
  EXPECT_FALSE(marks().reopen("people").value());
  EXPECT_TRUE(marks().check_open({"people"}));
  EXPECT_FALSE(marks().check_open({"visits"}));
}

TEST_F(Marks, SayWhereNoneCanBeWritten) {
  std::ofstream(path()) << "a file in the place of the folder";
  EXPECT_NE(marks().close({"people"}).find("no mark could be written"), std::string::npos);
  EXPECT_FALSE(marks().check_open({"people"}));  // nobody can tell
  marks().remember("people", "1");
  EXPECT_FALSE(marks().has_seen("people", "1"));
}

TEST_F(Marks, RememberOneStateOfATable) {
  marks().remember("people", "1");
  EXPECT_TRUE(marks().has_seen("people", "1"));
  EXPECT_FALSE(marks().has_seen("people", "2"));
  EXPECT_FALSE(marks().has_seen("visits", "1"));
  marks().remember("people", "2");
  EXPECT_FALSE(marks().has_seen("people", "1"));
  marks().reopen("people").value();
  EXPECT_FALSE(marks().has_seen("people", "2"));
}

TEST_F(Marks, AreNowhereUnlessAPlaceIsGiven) {
  const TableMarks nowhere;
  EXPECT_EQ(nowhere.close({"people"}), "");
  EXPECT_TRUE(nowhere.check_open({"people"}));
  nowhere.remember("people", "1");
  EXPECT_FALSE(nowhere.has_seen("people", "1"));
}

// A session over files: how often it looked through them, and whether that fails.
class FileSession : public testing::ToldSession {
 public:
  FileSession() : ToldSession({{{1, {}, {8, 9, -40, 9, 27}}}}) {}
  Result<void> look_through(const std::string& table, const Progress& progress) override {
    looked.push_back(table);
    before_answer();
    if (!progress(0.5)) return engine::stopped_run();
    if (is_damaged) return fail(ErrorKind::system, "page 3 has the text 'Ms Secret'");
    return {};
  }
  std::string state_of(const std::string&) const override { return state; }

  std::vector<std::string> looked;
  std::string state = "1";
  bool is_damaged = false;
};

class Closing : public Marks {
 protected:
  Result<release::Release> run(engine::Session& session, const Progress& progress = nobody_watches) {
    const plan::Plan plan = testing::release_plan({testing::by_region()}, testing::no_noise());
    return release::run(plan, session, *ledger_, source_, {"a study", "hash", progress, "", "", marks()});
  }
  std::int64_t entries() const { return ledger_->book().position().index; }

 private:
  testing::TemporaryFolder place_;
  std::unique_ptr<ledger::Ledger> ledger_ = testing::ledger_at(
      place_.path() / "a.ledger", {ledger::Accountant::approximate, test::decimal("10"), test::decimal("1e-6")});
  random::Source source_ = *random::Source::open();
};

TEST_F(Closing, LooksThroughAFileOnceItIsPaidForAndOnce) {
  FileSession session;
  const std::int64_t before = entries();
  std::vector<std::int64_t> sizes;
  session.before_answer = [&] { sizes.push_back(entries()); };
  ASSERT_TRUE(run(session));
  EXPECT_EQ(sizes, (std::vector{before + 1, before + 1}));  // looking through, and the statement
  EXPECT_EQ(session.looked.size(), 1U);
  ASSERT_TRUE(run(session));
  EXPECT_EQ(session.looked.size(), 1U);  // as it was
  session.state = "2";
  ASSERT_TRUE(run(session));
  EXPECT_EQ(session.looked.size(), 2U);
  session.state = "";  // too young to be remembered
  ASSERT_TRUE(run(session));
  ASSERT_TRUE(run(session));
  EXPECT_EQ(session.looked.size(), 4U);
}

TEST_F(Closing, FollowsAFileThatCannotBeReadToItsEnd) {
  FileSession session;
  session.is_damaged = true;
  const std::int64_t before = entries();
  const Result<release::Release> released = run(session);
  ASSERT_FALSE(released);
  EXPECT_TRUE(released.error().sentence().starts_with(std::string(engine::run_failed) + "; the table '"));
  EXPECT_EQ(released.error().sentence().find("Secret"), std::string::npos);
  EXPECT_TRUE(session.statements.empty());
  EXPECT_EQ(entries(), before + 1);
  session.is_damaged = false;
  const Result<release::Release> again = run(session);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().sentence().find("is closed, since the engine failed"), std::string::npos);
  EXPECT_EQ(entries(), before + 1);  // nothing was charged
  EXPECT_EQ(session.looked.size(), 1U);
}

TEST_F(Closing, FollowsAStatementThatFails) {
  FileSession session;
  session.failure = "out of memory";
  ASSERT_FALSE(run(session));
  session.failure.reset();
  ASSERT_FALSE(run(session));
  EXPECT_EQ(session.statements.size(), 1U);
}

TEST_F(Closing, DoesNotFollowARunThatIsStopped) {
  FileSession session;
  const auto stopped = run(session, [](double) { return false; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().sentence(), engine::run_stopped);
  EXPECT_TRUE(run(session));
}

}  // namespace
}  // namespace vernier::release
