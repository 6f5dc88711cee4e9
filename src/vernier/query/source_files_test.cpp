#include "vernier/query/source_files.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/own_folder.hpp"

namespace vernier::query {
namespace {

using Names = std::vector<std::string>;

// The names of the files, in their order; or why there are none.
Names names(const std::string& source) {
  const auto files = files_of(testing::own_folder() + "catalog.toml", source);
  if (!files) return {files.error().sentence()};
  Names found;
  for (const auto& file : *files) found.push_back(file.filename().string());
  return found;
}

TEST(SourceFiles, AreThoseOfAPatternByTheBytesOfTheirNames) {
  for (const char* const name : {"b-2.csv", "b-10.csv", "b-1.csv", "B-1.csv", ".b-1.csv", "b-1.csv.bak", "b-\\1.csv"})
    std::ofstream(testing::own_folder() + name) << "x\n";
  EXPECT_EQ(names("b-*.csv"), (Names{"b-1.csv", "b-10.csv", "b-2.csv", "b-\\1.csv"}));
  EXPECT_EQ(names("b-?.csv"), (Names{"b-1.csv", "b-2.csv"}));
  EXPECT_EQ(names("b-\\*.csv"), (Names{"b-\\1.csv"}));
  EXPECT_EQ(names("b-2.csv\nb-1*.csv\nnone.csv"), (Names{"b-2.csv", "b-1.csv", "b-10.csv", "none.csv"}));
  EXPECT_EQ(names("c-*.csv"),
            Names{"no file has a name such as 'c-*.csv'; put files there, or correct `source` in the catalog"});
}

TEST(SourceFiles, AreFoundWhateverTheFolderIsCalled) {
  const std::filesystem::path folder = testing::own_folder() + "odd [a] * ? \\ folder";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "one.csv") << "x\n";
  const auto files = files_of(folder / "catalog.toml", "*.csv");
  ASSERT_TRUE(files) << files.error().sentence();
  EXPECT_EQ(*files, std::vector<std::filesystem::path>{folder / "one.csv"});
}

TEST(SourceFiles, SayByTheirNamesHowTheyAreWritten) {
  for (const char* const name : {"a.jsonl", "a.NDJSON", "a.jsonl.gz", "x/a.JsonL.zst"})
    EXPECT_TRUE(is_json_lines(name)) << name;
  for (const char* const name : {"a.csv", "a.json", "a.jsonl.csv", "jsonl", "a.jsonl.bz2"})
    EXPECT_FALSE(is_json_lines(name)) << name;
  EXPECT_EQ(format_of({"a.jsonl", SourceKind::csv}), "json");
  EXPECT_EQ(format_of({"a.csv", SourceKind::csv}), "csv");
  EXPECT_EQ(unpacked_name("a.CSV.GZ"), "a.CSV");
  EXPECT_TRUE(is_compressed("a.csv.zst"));
  EXPECT_FALSE(is_compressed("a.gz.csv"));
}

TEST(SourceFiles, HaveAnEnd) {
  std::string many = "a.csv";
  for (std::size_t i = 1; i < most_files; ++i) many += "\na.csv";
  EXPECT_EQ(names(many).size(), most_files);
  EXPECT_EQ(names(many + "\na.csv"),
            Names{"'a.csv' names more than 400 files; put some of them together, as one Parquet file may hold all"});
}

}  // namespace
}  // namespace vernier::query
