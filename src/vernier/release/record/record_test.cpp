#include "vernier/release/record/record.hpp"

#include <random>

#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/signed_releases.hpp"
#include "vernier/release/verify/verify.hpp"

namespace vernier::release {
namespace {

using testing::Json;
using testing::kinds_of_releases;
using testing::record_of;
using testing::signed_again;

const std::string& counts() {
  static const std::string text = record_of(kinds_of_releases()[0].release);
  return text;
}

std::string refusal(const std::string& text) {
  const Result<Record> record = read_record(text);
  return record ? "" : record.error().sentence();
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return text.replace(place, old.size(), by);
}

TEST(Record, ReadsWhatTheWriterWrote) {
  for (const auto& [name, release] : kinds_of_releases()) {
    const Result<Record> record = read_record(record_of(release));
    ASSERT_TRUE(record) << name << ": " << record.error().sentence();
    EXPECT_EQ(plan::canonical(record->plan, record->texts), plan::canonical(release.plan)) << name;
    EXPECT_EQ(record->plan.epsilon, release.plan.epsilon) << name;
    EXPECT_EQ(record->receipt.head, release.receipt.head) << name;
    for (std::size_t i = 0; i < release.tables.size(); ++i) {
      ASSERT_EQ(record->tables[i].rows.size(), release.tables[i].rows.size()) << name;
      for (std::size_t j = 0; j < release.tables[i].rows.size(); ++j) {
        EXPECT_EQ(record->tables[i].rows[j].keys, release.tables[i].rows[j].keys) << name;
        EXPECT_EQ(record->tables[i].rows[j].noisy, release.tables[i].rows[j].noisy) << name;
      }
    }
  }
}

release::Asked asked_with(const release::Release& release, std::vector<DocumentHash> documents) {
  release::Asked asked = testing::asked_of(release);
  asked.documents = std::move(documents);
  return asked;
}

TEST(Record, ReadsTheHashesOfTheFilesBesideIt) {
  const release::Release& release = kinds_of_releases()[0].release;
  const std::vector<DocumentHash> hashes = hashes_of({{"a.csv", "abc"}, {"report.html", ""}}).value();
  EXPECT_EQ(hashes[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const auto text = [&](const std::vector<DocumentHash>& documents) {
    return signed_release_json(release, asked_with(release, documents), testing::test_key()).value();
  };
  EXPECT_EQ(read_record(text(hashes))->documents, hashes);
  EXPECT_TRUE(verify(text(hashes), {}).holds());
  EXPECT_EQ(refusal(text({hashes[0], hashes[0]})), "certificate.documents[1].name is there twice");
  EXPECT_EQ(refusal(text({{"release.json", hashes[0].sha256}})), "certificate.documents[0].name is there twice");
  EXPECT_EQ(refusal(text({{"a.csv", "ABC"}})), "certificate.documents[0].sha256 must be 64 hex digits");
}

// The catalog and the sources are part of the plan, whose hash the ledger has.
TEST(Record, HoldsTheOriginToThePlan) {
  release::Release release = kinds_of_releases()[0].release;
  release.plan.study.origin = {release.catalog_hash, std::string(64, 'e')};
  release.plan_hash = sha256(plan::canonical(release.plan)).value();
  const Json record = Json::parse(record_of(release));
  EXPECT_EQ(testing::problem_of(record), "");
  Json catalog = record, sources = record, none = record;
  catalog["catalog_hash"] = std::string(64, 'd');
  sources["certificate"]["sources"] = std::string(64, 'd');
  none["certificate"].erase("sources");
  for (const Json& changed : {catalog, sources, none}) {
    EXPECT_NE(testing::problem_of(changed).find("plan: hash"), std::string::npos) << testing::problem_of(changed);
  }
}

TEST(Record, HasNoNegativeZero) {
  for (const char* zero : {"-0", "-0.0", "-0e5", "-0.00E-3"}) {
    EXPECT_EQ(refusal(replaced(counts(), "\"times\":1", std::string("\"times\":") + zero)), "a number in it is -0");
  }
  EXPECT_EQ(refusal(replaced(counts(), "a study", "a -0 study")), "");
}

TEST(Record, ReadsIntegersThatNoDoubleHoldsAndKeysOfEveryType) {
  release::Release release = kinds_of_releases()[0].release;
  constexpr std::int64_t large = (std::int64_t{1} << 53) + 1;
  release.tables[0].rows[0].noisy = {large};
  release.tables[0].rows[1].noisy = {std::numeric_limits<std::int64_t>::min()};
  release.tables[0].rows[2].noisy = {std::numeric_limits<std::int64_t>::max()};
  const std::vector<std::pair<query::Type, query::Value>> keys = {{query::Type::integer, large},
                                                                  {query::Type::real, 0.1},
                                                                  {query::Type::boolean, true},
                                                                  {query::Type::date, query::Day{19000}},
                                                                  {query::Type::string, std::string("ä\n\"'\\")}};
  for (const auto& [type, value] : keys) {
    query::Column column;
    column.name = "k";
    column.type = type;
    release.plan.study.statistics[0].query.keys = {{query::column(column), "k"}};
    for (Row& row : release.tables[0].rows) row.keys = {value};
    const Result<Record> record = read_record(record_of(release));
    ASSERT_TRUE(record) << record.error().sentence();
    EXPECT_EQ(record->tables[0].rows[0].keys.front(), value);
    EXPECT_EQ(record->tables[0].rows[0].noisy.front(), large);
    EXPECT_EQ(record->tables[0].rows[1].noisy.front(), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(record->tables[0].rows[2].noisy.front(), std::numeric_limits<std::int64_t>::max());
  }
}

TEST(Record, NamesThePlaceOfWhatItRefuses) {
  ASSERT_EQ(refusal(counts()), "");
  EXPECT_EQ(refusal(""), "it is no JSON");
  EXPECT_EQ(refusal("[]"), "the record must be an object");
  EXPECT_EQ(refusal(replaced(counts(), "\"study\":", "\"release\":")), "an object has the key 'release' twice");
  EXPECT_EQ(refusal(replaced(counts(), "\"study\":", "\"stuff\":")), "study is missing");
  EXPECT_EQ(refusal(replaced(counts(), "\"study\":", "\"more\":1,\"study\":")), "more is unknown");
  EXPECT_EQ(refusal(replaced(counts(), "\"tallies\":", "\"more\":1,\"tallies\":")),
            "certificate.statistics[0].measurements[0].more is unknown");
  EXPECT_EQ(refusal(replaced(counts(), "\"confidence\":", "\"more\":1,\"confidence\":")),
            "statistics[0].rows[0].n.more is unknown");
  EXPECT_EQ(refusal(replaced(counts(), "\"row_limit\":1000000", "\"row_limit\":0")),
            "certificate.statistics[0].row_limit must be a whole number from 1 to 1000000000000");
  EXPECT_EQ(refusal(replaced(counts(), "\"row_limit\":1000000", "\"row_limit\":\"1000000\"")),
            "certificate.statistics[0].row_limit must be a whole number from 1 to 1000000000000");
  EXPECT_EQ(refusal(replaced(counts(), "\"kind\":\"count\"", "\"kind\":\"median\"")),
            "certificate.statistics[0].measurements[0].kind is a word that releases do not have");
  EXPECT_EQ(refusal(replaced(counts(), "\"weight\":\"1\"", "\"weight\":\"2/2\"")),
            "certificate.statistics[0].weight must be an exact number such as 3 or 1/20");
  EXPECT_EQ(refusal(replaced(counts(), "\"weight\":\"1\"", "\"weight\":\"-1\"")),
            "certificate.statistics[0].weight must be above 0");
  EXPECT_EQ(
      refusal(replaced(counts(), "\"version\":2", "\"version\":1")),
      "certificate.version must be 2; verify this record with the version of vernier that it names under versions");
  EXPECT_EQ(
      refusal(replaced(counts(), "\"study\":\"a study\"", "\"study\":" + std::string(20, '[') + std::string(20, ']'))),
      "it is nested too deeply");
}

TEST(Record, RefusesDeepNestingWithoutARecursion) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_EQ(refusal(deep), "it is nested too deeply");
}

std::vector<std::string> all_texts() {
  std::vector<std::string> texts;
  for (const auto& [name, release] : kinds_of_releases()) texts.push_back(record_of(release));
  return texts;
}

// Random edits of bytes: what is read must be read without harm, signed again it must be judged without harm.
int read_edited(int count, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  const std::vector<std::string> texts = all_texts();
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = texts[bits() % texts.size()];
    const std::size_t edits = 1 + bits() % 3;
    for (std::size_t j = 0; j < edits && !text.empty(); ++j) {
      const std::size_t place = bits() % text.size();
      const std::string_view marks = "0123456789-+.eE\"\\{}[],:nulltrue \n\xff";
      const char mark = marks[bits() % marks.size()];
      switch (bits() % 4) {
        case 0:
          text[place] = mark;
          break;
        case 1:
          text.insert(place, 1, mark);
          break;
        case 2:
          text.erase(place, 1 + bits() % 10);
          break;
        default:
          if (bits() % 20 == 0) text.resize(place);
      }
    }
    refused += read_record(text) ? 0 : 1;
  }
  return refused;
}

// Any figure replaced by the worst that there is, and signed.
int verify_hostile(int count, std::uint64_t seed) {
  const std::vector<Json> worst = {0,
                                   -1,
                                   1,
                                   1e308,
                                   -1e308,
                                   5e-324,
                                   INT64_MAX,
                                   INT64_MIN,
                                   "inf",
                                   "-inf",
                                   "nan",
                                   "",
                                   nullptr,
                                   true,
                                   Json::array(),
                                   Json::object(),
                                   "1/3",
                                   "-1",
                                   1'000'000,
                                   9007199254740992,
                                   "9223372036854775807",
                                   1e-9,
                                   0.5,
                                   std::string(30000, '7')};
  std::mt19937_64 bits(seed);
  const std::vector<std::string> texts = all_texts();
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    Json record = Json::parse(texts[bits() % texts.size()]);
    const std::vector<std::string> paths = testing::leaves_of(record);
    record[Json::json_pointer(paths[bits() % paths.size()])] = worst[bits() % worst.size()];
    refused += verify(signed_again(record), {}).holds() ? 0 : 1;
  }
  return refused;
}

TEST(Record, IsReadWithoutHarmWhateverWasEdited) { EXPECT_GT(read_edited(20'000, 1), 10'000); }
TEST(HeavyRecord, IsReadWithoutHarmWhateverWasEdited) { EXPECT_GT(read_edited(250'000, 2), 125'000); }
TEST(HeavyRecord, IsReadWithoutHarmWhateverWasEditedOtherwise) { EXPECT_GT(read_edited(250'000, 5), 125'000); }
TEST(HeavyRecord, IsReadWithoutHarmWhateverWasEditedOnceMore) { EXPECT_GT(read_edited(250'000, 6), 125'000); }
TEST(HeavyRecord, IsReadWithoutHarmWhateverWasEditedAtLast) { EXPECT_GT(read_edited(250'000, 7), 125'000); }

TEST(Record, IsJudgedWithoutHarmWhateverItsFigures) { EXPECT_GT(verify_hostile(400, 3), 250); }
TEST(HeavyRecord, IsJudgedWithoutHarmWhateverItsFigures) { EXPECT_GT(verify_hostile(20'000, 4), 12'000); }

}  // namespace
}  // namespace vernier::release
