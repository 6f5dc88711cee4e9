#include "response/directed.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/duckdb_session.hpp"
#include "support/temporary_folder.hpp"

namespace vernier::response {
namespace {

using testing::TemporaryFolder;

struct Pair {
  Response with, without;
};

Pair responses(const Mistake& mistake) {
  const TemporaryFolder with, without;
  write_example(with.path(), true);
  write_example(without.path(), false);
  return {respond(with.path(), mistake), respond(without.path(), mistake)};
}

TEST(DirectedResponse, IsTheSameWhetherAPersonIsThereOrNot) {
  const Pair pair = responses({});
  EXPECT_EQ(pair.with.status, "published");
  EXPECT_EQ(pair.with, pair.without) << text_of(pair.with) << "\n" << text_of(pair.without);
}

// Keys that are private, and published since many units have them; that of the person alone stays below the threshold
// but with probability 1e-7. Whatever bytes stand in the person's cells, in every kind of file.
TEST(DirectedResponse, HasTheSamePrivateKeysWhetherAPersonIsThereOrNot) {
  for (const Manner manner : {Manner::quoted_csv, Manner::bare_csv, Manner::parquet}) {
    const TemporaryFolder with, without;
    write_private_example(with.path(), true, manner);
    write_private_example(without.path(), false, manner);
    const Response here = respond(with.path(), {}), there = respond(without.path(), {});
    EXPECT_EQ(here.status, "published") << static_cast<int>(manner);
    EXPECT_EQ(here, there) << text_of(here) << "\n" << text_of(there);
    EXPECT_NE(here.body.find("south"), std::string::npos);
    EXPECT_NE(here.body.find("west"), std::string::npos);
    EXPECT_EQ(text_of(here).find(canary), std::string::npos);
  }
}

TEST(DirectedResponse, FindsEveryPlantedMistake) {
  const std::vector<Mistake> mistakes = planted_mistakes();
  EXPECT_EQ(mistakes.size(), 5U);
  for (const Mistake& mistake : mistakes) {
    const Pair pair = responses(mistake);
    EXPECT_FALSE(pair.with == pair.without) << mistake.name << "\n" << text_of(pair.with);
  }
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// All files but the data.
std::string everything_in(const std::filesystem::path& folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().filename() != "people.csv" && entry.path().extension() != ".parquet") {
      all += content_of(entry.path());
    }
  }
  return all;
}

TEST(DirectedResponse, HasNothingOfARareCell) {
  const TemporaryFolder folder;
  write_example(folder.path(), true);
  const Response response = respond(folder.path(), {});
  EXPECT_EQ((text_of(response) + everything_in(folder.path())).find(canary), std::string::npos);
}

// Whatever an engine says, one sentence comes out; where it does not, the word is found.
TEST(DirectedResponse, SilencesATalkativeEngine) {
  std::vector<Mistake> mistakes = planted_mistakes();
  const TemporaryFolder silenced, passed_on;
  write_example(silenced.path(), true);
  write_example(passed_on.path(), true);
  EXPECT_EQ(respond(silenced.path(), mistakes[0]).status, engine::run_failed);
  EXPECT_NE(respond(passed_on.path(), mistakes[1]).status.find(canary), std::string::npos);
}

// A file whose footer is right and whose pages are not: only reading its rows can tell.
TEST(DirectedResponse, IsTheConstantSentenceOnADamagedFile) {
  const TemporaryFolder folder;
  write_example(folder.path(), true);
  const std::string csv = (folder.path() / "people.csv").string(),
                    parquet = (folder.path() / "people.parquet").string();
  testing::DuckDbSession engine;
  ASSERT_TRUE(engine.run("COPY (SELECT id::BIGINT AS id, region, TRY_CAST(age AS BIGINT) AS age, note FROM read_csv('" +
                         csv + "', all_varchar = true)) TO '" + parquet + "' (FORMAT parquet)"))
      << engine.error();
  std::string bytes = content_of(parquet);
  for (std::size_t i = 4; i < bytes.size() / 3; ++i) bytes[i] = static_cast<char>(~bytes[i]);
  std::ofstream(parquet, std::ios::binary | std::ios::trunc) << bytes;
  std::string catalog = content_of(folder.path() / "catalog.toml");
  catalog.replace(catalog.find("people.csv"), std::string("people.csv").size(), "people.parquet");
  std::ofstream(folder.path() / "catalog.toml", std::ios::trunc) << catalog;
  const Response response = respond(folder.path(), {});
  EXPECT_EQ(response.status, engine::run_failed);
  EXPECT_EQ(everything_in(folder.path()).find(canary), std::string::npos);
}

}  // namespace
}  // namespace vernier::response
