#include <functional>

#include "support/changed_records.hpp"
#include "support/table_studies.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/release/record/record.hpp"

// Records and files of tables in which one fact was changed and whose hashes and signature were made anew: that none of
// these catches it is what the other checks of verify are for.
namespace vernier::study {
namespace {

namespace fs = std::filesystem;

using testing::Json;

const std::string accurate = testing::tables_study + "accuracy = { 0 = 10, 1 = 15, 2 = 20 }\n";

class SlowChangedTables : public testing::TableStudies {
 protected:
  Json record() const { return Json::parse(read("published/release.json")); }

  // With the hashes of the files as they are, and of the plan as it is stated.
  std::string signed_anew(Json record) const {
    for (Json& file : record["certificate"]["documents"]) {
      file["sha256"] = sha256(read("published/" + file["name"].get<std::string>())).value();
    }
    if (const auto read = release::read_record(testing::signed_again(record))) {
      record["plan_hash"] = sha256(plan::canonical(read->plan, read->texts)).value();
    }
    return testing::signed_again(std::move(record));
  }

  std::string problem_of(const Json& record) const {
    write("published/release.json", signed_anew(record));
    return verdict().first_problem.value_or("");
  }

  // What is found where the fact at this path of the certificate, and where it stands for readers, is another.
  std::string problem_with(const Json& record, const std::string& path,
                           const std::function<void(Json&)>& change) const {
    Json changed = record;
    for (const char* const place : {"/certificate/tables/0", "/tables/0"}) {
      const Json::json_pointer pointer(place + path);
      if (changed.contains(pointer)) change(changed[pointer]);
    }
    EXPECT_NE(changed, record) << path;
    return problem_of(changed);
  }

  void expect_found(const Json& record, const std::string& path, const std::function<void(Json&)>& change) const {
    const std::string problem = problem_with(record, path, change);
    EXPECT_NE(problem, "") << path;
    EXPECT_EQ(problem.find("signature"), std::string::npos) << path << ": " << problem;
    EXPECT_EQ(problem.find("hash"), std::string::npos) << path << ": " << problem;
    EXPECT_EQ(problem.find("documents"), std::string::npos) << path << ": " << problem;
  }
};

void more(Json& number) { number = number.get<double>() * 1.001; }
void less(Json& number) { number = number.get<double>() * 0.999; }

TEST_F(SlowChangedTables, AreTakenWhereNothingWasChanged) {
  for (const std::string& study : {testing::tables_study, accurate}) {
    fs::remove_all(path("published"));
    ASSERT_TRUE(released(study));
    EXPECT_EQ(problem_of(record()), "");
  }
}

TEST_F(SlowChangedTables, AreRefusedWithAnotherScaleTargetOrReach) {
  ASSERT_TRUE(released(accurate));
  const Json good = record();
  for (const auto& change : {more, less}) {
    expect_found(good, "/contrast_scales/0", change);
    expect_found(good, "/contrast_scales/3", change);
    expect_found(good, "/scale", change);
    expect_found(good, "/tables/2/accuracy", change);
    expect_found(good, "/tables/2/deviation", change);
  }
  // A target that no reach can tell from the stated one is the same: steps lie between them.
  expect_found(good, "/tables/2/target", [](Json& target) { target = target.get<double>() * 1.2; });
  expect_found(good, "/tables/2/target", [](Json& target) { target = target.get<double>() / 1.2; });
  expect_found(good, "/gap", [](Json& gap) { gap = gap.get<double>() + 1e-3; });
  expect_found(good, "/tables/2/multiplier", [](Json& one) { one = one.get<double>() + 1.0; });
  expect_found(good, "/share", less);
  expect_found(good, "/max_rows", [](Json& rows) { rows = 2; });
  expect_found(good, "/simultaneous", [](Json& flag) { flag = true; });
}

TEST_F(SlowChangedTables, AreRefusedWithOtherKeysColumnsOrEvenness) {
  ASSERT_TRUE(released());
  const Json good = record();
  expect_found(good, "/even", [](Json& word) { word = "total"; });
  expect_found(good, "/columns/0/keys/0", [](Json& key) { key = "female"; });
  expect_found(good, "/columns/1/keys/1", [](Json& key) { key = "sued"; });
  expect_found(good, "/columns/0/name", [](Json& name) { name = "gender"; });
  expect_found(good, "/columns/0/keys", [](Json& keys) { keys.push_back("more"); });
  expect_found(good, "/row_limit", [](Json& limit) { limit = 100; });
  expect_found(good, "/tables/0/columns", [](Json& columns) { columns = columns.empty() ? Json{9} : Json("sex"); });
}

TEST_F(SlowChangedTables, AreRefusedWithAnotherCellOrContrast) {
  ASSERT_TRUE(released());
  const Json good = record();
  for (const char* const file :
       {"people.order-0.csv", "people.order-2.csv", "people.order-2.parquet", "people.contrasts.txt"}) {
    const std::string name = std::string("published/") + file, content = read(name);
    std::string other = content;
    other[other.find_last_of("0123456789")] ^= 1;
    write(name, other);
    EXPECT_EQ(problem_of(good).substr(0, 6), "cells:") << file;
    write(name, content);
  }
  EXPECT_EQ(problem_of(good), "");
}

}  // namespace
}  // namespace vernier::study
