#include "vernier/release/verify/verify.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/changed_records.hpp"
#include "support/every_kind.hpp"
#include "support/parameters.hpp"
#include "support/signed_releases.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/release/verify/examination.hpp"

namespace vernier::release {
namespace {

using testing::Json;
using testing::kind_of_release;
using testing::kinds_of_releases;
using testing::leaves_of;
using testing::record_of;
using testing::signed_again;

std::string problem_of(const std::string& text) {
  return verify(text, testing::test_key().public_key()).first_problem.value_or("");
}

TEST(Verify, HoldsForEveryKindOfRelease) {
  for (const auto& [name, release] : kinds_of_releases()) {
    const Verdict verdict = verify(record_of(release), testing::test_key().public_key());
    EXPECT_TRUE(verdict.holds()) << name << ": " << verdict.first_problem.value_or("");
    EXPECT_EQ(verdict.checks.size(), 15U) << name;
  }
}

TEST(Verify, CountsWhatItRecomputed) {
  const Verdict verdict = verify(record_of(kinds_of_releases()[2].release), {});  // means and counts of three groups
  std::map<std::string_view, std::int64_t> counts;
  for (const Check& check : verdict.checks) counts[check.name] = check.count;
  EXPECT_EQ(counts["intervals"], 6);
  EXPECT_EQ(counts["rows"], 3);
  EXPECT_EQ(counts["scales"], 2);
  EXPECT_EQ(counts["events"], 2);
}

TEST(SlowVerify, RefusesEveryFlippedBit) {
  const auto releases = testing::small_releases();
  ASSERT_EQ(releases.size(), 6U);
  for (const auto& [name, release] : releases) {
    std::string text = record_of(release);
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
      const char before = text[bit / 8];
      text[bit / 8] = static_cast<char>(before ^ (1 << (bit % 8)));
      ASSERT_TRUE(problem_of(text).starts_with("signature: ")) << name << ", bit " << bit;
      text[bit / 8] = before;
    }
    ASSERT_EQ(problem_of(text), "") << name;
  }
}

TEST(Verify, RefusesWhatIsAddedOrCutOff) {
  const std::string text = record_of(kinds_of_releases()[0].release);
  for (const std::string& changed :
       {text + "\n", text + " ", " " + text, text.substr(0, text.size() - 1), text.substr(1), std::string(),
        text + text, std::string("{}"), text.substr(text.size() - 240)}) {
    EXPECT_TRUE(problem_of(changed).starts_with("signature: ")) << changed.size();
  }
}

TEST(Verify, TellsWhoseSignatureItIsWhereAnotherIsExpected) {
  const std::string text = record_of(kinds_of_releases()[0].release);
  const SigningKey other = SigningKey::generate().value();
  const Verdict verdict = verify(text, other.public_key());
  EXPECT_FALSE(verdict.holds());
  EXPECT_NE(verdict.first_problem->find(other.public_key().fingerprint()), std::string::npos);
  EXPECT_NE(verdict.first_problem->find(testing::test_key().public_key().fingerprint()), std::string::npos);
  EXPECT_TRUE(verify(text, {}).holds());
  EXPECT_EQ(verify(text, {}).signer->fingerprint(), testing::test_key().public_key().fingerprint());
}

// What nobody can recompute from the record; certificate.md lists it.
bool is_believed(const std::string& path) {
  static const std::set<std::string> believed = {
      "/release", "/study", "/catalog_hash", "/ledger/index", "/ledger/head", "/versions/vernier", "/versions/engine"};
  return believed.contains(path) || (path.starts_with("/statistics/") && path.ends_with("/sql"));
}

// What may be believed or not: keys that were found in the data; a budget of which a charge by total takes its part
// whatever it is; an integer from which nothing is published, or something at the end of what is possible.
bool is_free(const std::string& path) {
  return path.ends_with("/region") || path.starts_with("/certificate/charge/budget_") ||
         path.starts_with("/certificate/charge/opening/room_") || path.find("/noisy/") != std::string::npos;
}

bool is_of_later_row(const std::string& path) {
  return path.find("/rows/") != std::string::npos && path.find("/rows/0/") == std::string::npos;
}

// How many changes were refused.
int expect_refused(const testing::NamedRelease& named, bool with_all_rows) {
  const Json record = Json::parse(record_of(named.release));
  EXPECT_EQ(problem_of(signed_again(record)), "") << named.name;
  int refused = 0;
  for (const std::string& path : leaves_of(record)) {
    const bool is_of_signature = path == "/certificate/public_key" || path == "/certificate/signature";
    if (is_of_signature || is_free(path) || (!with_all_rows && is_of_later_row(path))) continue;
    const std::string problem = problem_of(signed_again(testing::changed(record, path)));
    EXPECT_EQ(problem.empty(), is_believed(path)) << named.name << path << ": " << problem;
    EXPECT_FALSE(problem.starts_with("signature")) << named.name << path;
    refused += problem.empty() ? 0 : 1;
  }
  return refused;
}

TEST(SlowVerify, RefusesEveryChangedFigureThatFollowsFromOthers) {
  int refused = 0;
  for (const testing::NamedRelease& named : testing::small_releases()) refused += expect_refused(named, false);
  EXPECT_GT(refused, 300);
}

TEST(HeavyVerify, RefusesEveryChangedFigureThatFollowsFromOthers) {
  int refused = 0;
  for (const testing::NamedRelease& named : kinds_of_releases()) refused += expect_refused(named, true);
  EXPECT_GT(refused, 900);
}

// A change of one figure, and the words of the sentence that refuses it.
struct Change {
  std::string path;
  Json value;
  std::string problem;
};

TEST(Verify, NamesTheLineThatDoesNotHold) {
  const Json record = Json::parse(record_of(kinds_of_releases()[5].release));  // all kinds of columns, under replace
  const Json& row = record["statistics"][0]["rows"][1];
  const std::string low = row["n"]["interval"][0].dump();
  const std::string& hash = record["plan_hash"].get_ref<const std::string&>();
  for (const Change& change : std::vector<Change>{
           {"/statistics/0/rows/1/n/interval/1", row["n"]["interval"][1].get<int>() - 1,
            "statistic 'by region', row 2, n: interval [" + low},
           {"/statistics/0/rows/1/n/value", row["n"]["value"].get<int>() + 1,
            "statistic 'by region', row 2, n: value "},
           {"/statistics/0/rows/0/educ/accuracy", 0.5, "statistic 'by region', row 1, educ: accuracy 0.5 should be "},
           {"/statistics/0/rows/0/educ/confidence", 0.99, "confidence 0.99 should be 0.95"},
           {"/statistics/0/releases/1/sensitivity", 50, "statistic 'by region', debt: sensitivity 50 should be 100"},
           {"/statistics/0/releases/1/coordinates", 9, "statistic 'by region', debt: coordinates 9 should be 1"},
           {"/guarantee/epsilon", 0.5, "guarantee: epsilon 0.5 should be "},
           {"/guarantee/delta", 1e-9, "guarantee: delta 1e-09 should be 1e-07"},
           {"/guarantee/method", "rdp", "guarantee: method rdp should be "},
           {"/certificate/alpha", "1/100", "should be "},
           {"/certificate/events/0/scale", 1, "event 1: release "},
           {"/certificate/statistics/1/private_keys/threshold", 2, "statistic 'by region': threshold 2 should be "},
           {"/certificate/statistics/1/private_keys/delta", 1e-12, "statistic 'by region': delta of the keys 1e-12"},
           {"/certificate/statistics/0/max_rows", 2, "statistic 'by region', n: sensitivity 1 should be 2"},
           {"/certificate/statistics/0/row_limit", 9, "range of the exact number"},
           {"/certificate/charge/epsilon", "1/100", "charge: total epsilon 0.01 and delta"},
           {"/certificate/charge/theorem", "none", "charge: theorem none should be "},
           {"/plan_hash", "00", "plan: hash 00 should be " + hash},
           {"/neighbours", "add-remove", "coordinates"},
           {"/assumptions/0", "All is well.", "assumptions: sentence 'All is well.' should be "}}) {
    Json changed = record;
    changed[Json::json_pointer(change.path)] = change.value;
    const std::string problem = problem_of(signed_again(changed));
    EXPECT_NE(problem.find(change.problem), std::string::npos) << change.path << ": " << problem;
  }
}

TEST(Verify, HoldsAReleaseToItsPublicFiles) {
  const Json record = Json::parse(record_of(kind_of_release("budget of the catalog, and a public table")));
  ASSERT_EQ(record["certificate"]["public_files"].size(), 1U);
  Json other = record, none = record;
  other["certificate"]["public_files"][0]["sha256"] = std::string(64, '0');
  none["certificate"]["public_files"] = Json::array();
  EXPECT_EQ(problem_of(signed_again(record)), "");
  EXPECT_TRUE(problem_of(signed_again(other)).starts_with("assumptions: sentence"));
  EXPECT_TRUE(problem_of(signed_again(none)).starts_with("assumptions: number"));
}

// With the hash of the plan that it states, so that nothing contradicts a lie but what follows from it.
std::string with_hash_of_its_plan(Json record) {
  const Result<Record> read = read_record(signed_again(record));
  if (read) record["plan_hash"] = sha256(plan::canonical(read->plan, read->texts)).value();
  return signed_again(record);
}

TEST(Verify, RefusesALieThatIsToldTwice) {
  Json changed = Json::parse(record_of(kinds_of_releases()[3].release));
  EXPECT_EQ(problem_of(with_hash_of_its_plan(changed)), "");
  changed["guarantee"]["epsilon"] = 0.5;
  EXPECT_NE(problem_of(with_hash_of_its_plan(changed)).find("guarantee: epsilon 0.5 should be "), std::string::npos);
}

// What shares a measurement is like it, and shows what node sums hold, whatever the plan says.
TEST(Verify, RefusesFiguresThatWereNotMeasured) {
  const Json record = Json::parse(record_of(kind_of_release("spreads")));
  const auto problem = [&](std::size_t measurement, const char* field, const Json& value) {
    Json changed = record;
    changed["certificate"]["statistics"][0]["measurements"][measurement][field] = value;
    Json& stated = changed["statistics"][0]["releases"][measurement];
    if (std::string(field) == "source") stated["shared_with"] = "n";
    if (std::string(field) == "figure") {
      stated["accuracy_in"] = "ranks";
      stated.erase("typical_rows");
    }
    return problem_of(signed_again(changed));
  };
  const std::string figure = "its figure given should be one of what was measured";
  EXPECT_NE(problem(1, "origin", 2).find(figure), std::string::npos);
  EXPECT_NE(problem(0, "figure", "least").find(figure), std::string::npos);
  EXPECT_NE(problem(4, "source", 3).find(figure), std::string::npos);
  EXPECT_NE(problem(0, "fineness", 15).find("its steps given"), std::string::npos);
}

// What only catalog and study know of a plan: the statement and its expressions, and how the table is called.
bool is_of_catalog(const std::string& path) {
  return path.ends_with("/engine/statement") || path.ends_with("/expression") || path.ends_with("/table");
}

// Declared, and without effect on this record: the typical size of groups where no accuracy is about it; of quantiles
// alone the row limit, and that they are to be proven; how many groups a unit may have where there is one; of a slope
// from where x and y are counted; of the residuals of a regression from where anything is counted, and in which steps
// x.
bool has_no_effect(const Json& record, const std::string& path) {
  const auto place = static_cast<std::size_t>(path[24] - '0');
  const Json &statistic = record["statistics"][place], &certified = record["certificate"]["statistics"][place];
  const Json& releases = statistic["releases"];
  if (path.ends_with("/max_groups")) return statistic["rows"].size() == 1 && certified["private_keys"].is_null();
  const bool is_measured = path.find("/measurements/") != std::string::npos;
  const bool is_of_residuals = is_measured && certified["measurements"][0]["figure"] == "residual-deviation";
  if (is_of_residuals && path.ends_with("/regressors/0/granularity")) return true;
  if (is_measured && path.ends_with("/origin"))
    return is_of_residuals || certified["measurements"][0]["figure"] == "slope" ||
           certified["measurements"][0]["figure"] == "slope-of-population";
  const auto all = [&](const auto& test) { return std::all_of(releases.begin(), releases.end(), test); };
  if (path.ends_with("/typical_rows")) return all([](const Json& one) { return !one.contains("typical_rows"); });
  return (path.ends_with("/row_limit") || path.ends_with("/guaranteed")) &&
         all([](const Json& one) { return one["mechanism"] == "exponential"; });
}

// How many of its facts were changed, each under the hash of the plan that is stated then.
int expect_facts_refused(const Json& record) {
  EXPECT_EQ(problem_of(with_hash_of_its_plan(record)), "");
  int refused = 0;
  for (const std::string& path : leaves_of(record)) {
    const bool is_fact = path.starts_with("/certificate/statistics/") || path.find("/releases/") != std::string::npos;
    if (!is_fact || is_free(path) || is_of_catalog(path)) continue;
    const bool is_certified = path.starts_with("/certificate/");
    const std::string problem = problem_of(with_hash_of_its_plan(testing::changed(record, path)));
    EXPECT_EQ(problem.empty(), is_certified && has_no_effect(record, path)) << path << problem;
    ++refused;
  }
  return refused;
}

TEST(Verify, RefusesAPlanThatSaysOtherThingsThanFollow) {
  EXPECT_GT(expect_facts_refused(Json::parse(record_of(kind_of_release("private keys")))), 50);
}

TEST(SlowVerify, RefusesPlansOfEveryKindThatSayOtherThingsThanFollow) {
  int refused = 0;
  for (const auto& [name, release] : kinds_of_releases()) {
    SCOPED_TRACE(name);
    refused += expect_facts_refused(Json::parse(record_of(release)));
  }
  EXPECT_GT(refused, 500);
}

// Of every kind of measurement that there is, the plan holds, and no fact of it can be another.
TEST(SlowVerify, HoldsForTheWholeListOfStatisticsAndRefusesEveryOtherFact) {
  std::set<plan::MeasurementKind> seen;
  for (const testing::Kind& kind : testing::every_kind()) {
    SCOPED_TRACE(kind.name);
    const auto answer = [&](const plan::BoundStatistic&) { return std::vector<engine::RawGroup>{kind.group}; };
    testing::ReleaseTerms terms;
    terms.study.neighbours = kind.statistic.table.neighbours;
    const Release made = testing::released({kind.statistic}, terms, answer);
    EXPECT_GT(expect_facts_refused(Json::parse(record_of(made))), 20);
    for (const plan::Measurement& one : made.plan.study.statistics[0].measurements) seen.insert(one.kind);
  }
  seen.insert(plan::Boxed::kind);  // duckdb_sharing_test changes the facts of a box
  for (const plan::MeasurementKind kind : plan::all_kinds()) EXPECT_TRUE(seen.contains(kind)) << kind.name;
}

// Lists that fit together but say that something else was counted.
TEST(Verify, RefusesTalliesThatAreNotThoseOfTheColumns) {
  const Json record = Json::parse(record_of(kind_of_release("replace")));  // units, rows, sums and values
  const std::string engine = "/certificate/statistics/0/engine", first = "/certificate/statistics/0/measurements/";
  const auto problem = [&](const std::vector<std::pair<std::string, Json>>& changes) {
    Json changed = record;
    for (const auto& [path, value] : changes) changed[Json::json_pointer(path)] = value;
    return problem_of(with_hash_of_its_plan(changed));
  };
  EXPECT_EQ(problem({}), "");
  EXPECT_NE(problem({{engine + "/tallies/0/kind", "units"}}), "");
  EXPECT_NE(problem({{engine + "/tallies/2/kind", "distinct"}}), "");
  Json swapped = record[Json::json_pointer(engine + "/tallies")];
  std::swap(swapped[2], swapped[3]);
  EXPECT_NE(problem({{engine + "/tallies", swapped}, {first + "2/tallies", {3, 2}}}), "");
  Json more = record[Json::json_pointer(engine + "/tallies")];
  more.push_back(more[1]);
  EXPECT_NE(problem({{engine + "/tallies", more}}), "");
  Json twice = record[Json::json_pointer(engine + "/arguments")];
  twice.push_back(twice[0]);
  EXPECT_NE(problem({{engine + "/arguments", twice}}), "");
}

// A weight is told as it counts: not at all where nothing is shared by it.
TEST(Verify, RefusesWeightsFromWhichNothingFollows) {
  const auto weighted = [](const char* first, const char* second, bool has_target) {
    plan::BoundStatistic one = testing::with_columns(testing::by_region(), {0}), other = one;
    one.weight = test::decimal(first);
    other.weight = test::decimal(second);
    if (has_target) one.measurements[0].target = test::decimal("40");
    return Json::parse(record_of(testing::released({one, other}, {})));
  };
  const auto weights_of = [](const Json& record) {
    const Json& all = record["certificate"]["statistics"];
    return std::pair(all[0]["weight"].get<std::string>(), all[1]["weight"].get<std::string>());
  };
  EXPECT_EQ(weights_of(weighted("4", "3", false)), std::pair(std::string("1"), std::string("3/4")));
  EXPECT_EQ(weights_of(weighted("4", "3", true)), std::pair(std::string("1"), std::string("1")));
  for (const bool has_target : {false, true}) {
    for (const int place : {0, 1}) {
      Json changed = weighted("4", "3", has_target);
      changed["certificate"]["statistics"][place]["weight"] = "2";
      EXPECT_NE(problem_of(with_hash_of_its_plan(changed)), "") << has_target << place;
    }
  }
}

// The norms by which neighbours may differ are in no record: they follow from what is hashed.
TEST(Verify, RecomputesTheNormsThatThePlanHad) {
  for (const auto& [name, release] : kinds_of_releases()) {
    Examination all(read_record(record_of(release)).value());
    ASSERT_TRUE(check_sensitivities(all)) << name;
    for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
      const auto &found = all.study.statistics[i].measurements, &had = release.plan.study.statistics[i].measurements;
      for (std::size_t j = 0; j < found.size(); ++j) {
        const plan::Sensitivity &a = found[j].sensitivity, &b = had[j].sensitivity;
        EXPECT_TRUE(a.l0 == b.l0 && a.linf == b.linf && a.l1 == b.l1 && a.l2_squared == b.l2_squared) << name << j;
      }
    }
  }
}

TEST(Verify, RefusesARowOfPrivateKeysBelowTheThreshold) {
  Json record = Json::parse(record_of(kinds_of_releases()[4].release));  // units are not published
  const std::int64_t threshold = record["certificate"]["statistics"][0]["private_keys"]["threshold"];
  Json& units = record["certificate"]["statistics"][0]["noisy"][0][0];
  units = threshold;
  EXPECT_EQ(problem_of(signed_again(record)), "");
  units = threshold - 1;
  EXPECT_NE(problem_of(signed_again(record)).find("row 1: noisy number of units "), std::string::npos);
}

TEST(Verify, RefusesAKeyThatIsThereTwice) {
  Json record = Json::parse(record_of(kinds_of_releases()[3].release));
  Json& rows = record["statistics"][0]["rows"];
  Json& noisy = record["certificate"]["statistics"][0]["noisy"];
  rows.push_back(rows[0]);
  noisy.push_back(noisy[0]);
  EXPECT_NE(problem_of(signed_again(record)).find("key that was there before"), std::string::npos);
}

// Any seed, budget, alpha, relation and accountant.
int random_releases_that_hold(test::Parameters& any, int count) {
  int held = 0;
  for (int i = 0; i < count; ++i) {
    testing::ReleaseTerms terms;
    terms.seed = static_cast<std::uint64_t>(i);
    terms.study.epsilon = std::to_string(any.log_uniform(0.05, 5));
    terms.study.alpha = any.log_uniform(1e-6, 0.5);
    terms.study.neighbours = i % 2 == 0 ? privacy::Neighbours::add_remove : privacy::Neighbours::replace;
    terms.accountant = i % 3 == 0   ? ledger::Accountant::approximate
                       : i % 3 == 1 ? ledger::Accountant::zcdp
                                    : ledger::Accountant::rdp;
    terms.is_open = i % 5 == 0;
    plan::BoundStatistic one = i % 4 < 2 ? testing::by_region() : testing::by_private_region();
    one.contribution = {1 + i % 3, i % 4 < 2 ? 1 + i % 2 : 1};
    one.weight = test::decimal(std::to_string(any.log_uniform(0.1, 10)));
    const Verdict verdict = verify(record_of(testing::released({one}, terms)), {});
    EXPECT_TRUE(verdict.holds()) << i << ": " << verdict.first_problem.value_or("");
    held += verdict.holds() ? 1 : 0;
  }
  return held;
}

TEST(Verify, HoldsForRandomReleases) {
  test::Parameters any(7);
  EXPECT_EQ(random_releases_that_hold(any, 12), 12);
}

TEST(HeavyVerify, HoldsForRandomReleases) {
  test::Parameters any(8);
  EXPECT_EQ(random_releases_that_hold(any, 200), 200);
}

}  // namespace
}  // namespace vernier::release
