#include "vernier/study/repeat.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "vernier/study.hpp"

// When a request that nobody has named is the same as one before.
namespace vernier::study {
namespace {

namespace fs = std::filesystem;

const std::string catalog_text = R"([budget]
epsilon = 3
[tables.people]
source = "people.csv"
unit = "row"
[tables.people.columns]
age = { type = "integer", lower = 0, upper = 99 }
)";

class SlowRepeat : public ::testing::Test {
 protected:
  SlowRepeat() {
    of_installation("one");
    write("catalog.toml", catalog_text);
    write("people.csv", "age\n20\n60\n");
  }

  void of_installation(const std::string& name) const {
    ::setenv("XDG_CONFIG_HOME", (folder_.path() / name).c_str(), 1);
    ::setenv("XDG_STATE_HOME", (folder_.path() / "state").c_str(), 1);
  }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path() / name) << content;
  }
  Result<Plan> plan(const std::string& sql, const std::string& name = "study") const {
    const std::string text =
        "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = \"a\"\nsql = \"" + sql + "\"\n";
    return Catalog::read(folder_.path() / "catalog.toml")
        .and_then([&](const Catalog& catalog) {
          return Study::of(name, Text{folder_.path() / "<study>", text}, catalog);
        })
        .and_then([](const Study& study) { return study.plan(); });
  }
  std::string id(const std::string& sql = "SELECT COUNT(*) AS n FROM people", const Request& request = {},
                 const std::string& name = "study") const {
    return plan(sql, name).and_then([&](const Plan& made) { return id_of_same(made, request); }).value_or("nothing");
  }

  testing::TemporaryFolder folder_;
};

TEST_F(SlowRepeat, KnowsTheSameQuestionOverTheSameBytes) {
  const std::string first = id();
  EXPECT_EQ(first.size(), 37U) << first;
  EXPECT_EQ(first.substr(0, 5), "same-");
  EXPECT_EQ(id(), first);
  write("people.csv", "age\n20\n60\n");
  EXPECT_EQ(id(), first) << "written anew with the same bytes";
}

TEST_F(SlowRepeat, TellsOtherQuestionsAnalystsAndRowsApart) {
  const std::string first = id();
  EXPECT_NE(id("SELECT SUM(age) AS n FROM people"), first);
  EXPECT_NE(id("SELECT COUNT(*) AS n FROM people", {.analyst = "anna"}), first);
  EXPECT_NE(id("SELECT COUNT(*) AS n FROM people", {}, "another study"), first);
  write("people.csv", "age\n20\n61\n");
  EXPECT_NE(id(), first);
  write("people.csv", "age\n20\n60\n");
  EXPECT_EQ(id(), first) << "as it was before";
}

// Who has another key cannot make the id from the same rows, and so cannot confirm them.
TEST_F(SlowRepeat, NeedsTheKeyOfTheInstallation) {
  const std::string first = id();
  of_installation("another");
  EXPECT_NE(id(), first);
  of_installation("one");
  EXPECT_EQ(id(), first);
}

}  // namespace
}  // namespace vernier::study
