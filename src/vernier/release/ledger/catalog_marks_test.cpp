#include <gtest/gtest.h>

#include "support/tables.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"

namespace vernier::release {
namespace {

namespace fs = std::filesystem;

query::Catalog catalog_in(const fs::path& folder, const std::string& ledger) {
  query::Catalog catalog = testing::people_catalog();
  catalog.path = folder / "catalog.toml";
  catalog.budget.ledger = ledger;
  return catalog;
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

TEST(CatalogMarks, LieBesideTheLedger) {
  const testing::TemporaryFolder folder;
  EXPECT_NE(marks_of(catalog_in(folder.path(), "people.ledger")).close({"people"}).find("catalog.toml --table people"),
            std::string::npos);
  EXPECT_EQ(folders_in(folder.path()), (std::vector<std::string>{"people.ledger.tables"}));
}

TEST(CatalogMarks, OfALedgerInPostgresqlLieWithItsWitness) {
  const testing::TemporaryFolder folder, witness;
  query::Catalog catalog = catalog_in(folder.path(), "postgresql://127.0.0.1/people");
  catalog.budget.witness = witness.path() / "people.witness";
  marks_of(catalog).close({"people"});
  ASSERT_EQ(folders_in(witness.path()).size(), 1U);
  EXPECT_TRUE(folders_in(witness.path()).front().starts_with("tables-"));
  EXPECT_TRUE(folders_in(folder.path()).empty());
  EXPECT_FALSE(marks_of(catalog).check_open({"people"}));
  catalog.budget.ledger = "postgresql://127.0.0.1/others";
  EXPECT_TRUE(marks_of(catalog).check_open({"people"}));
  catalog.budget.witness.reset();
  catalog.budget.without_witness = true;
  marks_of(catalog).close({"people"});
  EXPECT_EQ(folders_in(folder.path()).size(), 1U);
}

}  // namespace
}  // namespace vernier::release
