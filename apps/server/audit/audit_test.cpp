#include "server/audit/audit.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace vernier::server {
namespace {

namespace fs = std::filesystem;

class AuditLog : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "vernier-audit-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "audit.jsonl"; }
  void add(int count) const {
    auto audit = Audit::open(file());
    ASSERT_TRUE(audit) << audit.error().sentence();
    for (int i = 0; i < count; ++i) ASSERT_TRUE(audit->add({"release", 202, "anna", "127.0.0.1", "c.toml", "key"}));
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> found;
    std::ifstream in(file());
    for (std::string line; std::getline(in, line);) found.push_back(line + "\n");
    return found;
  }
  void write(const std::vector<std::string>& lines) const {
    std::ofstream out(file());
    for (const std::string& line : lines) out << line;
  }

  fs::path folder_;
};

TEST_F(AuditLog, GoesOnWhereItEnded) {
  add(3);
  add(2);
  const auto verdict = verify_audit(file());
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->lines, 5);
  struct stat facts {};
  ASSERT_EQ(::stat(file().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST_F(AuditLog, IsRefusedWithAnyLineChangedTakenOutRepeatedOrMoved) {
  add(6);
  const std::vector<std::string> whole = lines();
  for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
    std::vector<std::string> changed = whole, shorter = whole, longer = whole, moved = whole;
    changed[i].replace(changed[i].find("anna"), 4, "anne");
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(i), whole[i]);
    std::swap(moved[i], moved[i + 1]);
    for (const auto& broken : {changed, shorter, longer, moved}) {
      write(broken);
      EXPECT_FALSE(verify_audit(file()));
      EXPECT_FALSE(Audit::open(file()));
    }
  }
  write(whole);
  EXPECT_TRUE(verify_audit(file()));
}

TEST_F(AuditLog, IsRefusedWhereAWriteWasCutShort) {
  add(2);
  const std::vector<std::string> whole = lines();
  write({whole[0], whole[1].substr(0, whole[1].size() / 2)});
  EXPECT_FALSE(verify_audit(file()));
  write({whole[0]});  // which nothing in the file can tell: the last hash does
  EXPECT_NE(verify_audit(file()).value().head, "");
}

TEST_F(AuditLog, IsOfOneServerAtATimeAndOfItsOwnerAlone) {
  add(1);
  {
    const auto one = Audit::open(file());
    ASSERT_TRUE(one);
    EXPECT_FALSE(Audit::open(file()));
  }
  ::chmod(file().c_str(), 0644);
  EXPECT_FALSE(Audit::open(file()));
}

TEST_F(AuditLog, ShowsItsLastLinesAsTheyAre) {
  auto audit = Audit::open(file());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(audit->add({"what " + std::to_string(i), 200, "\"quoted\"\n", ""}));
  const auto last = audit->last(2);
  ASSERT_TRUE(last);
  ASSERT_EQ(last->size(), 2U);
  const auto read = nlohmann::json::parse(last->back());
  EXPECT_EQ(read["what"], "what 4");
  EXPECT_EQ(read["name"], "\"quoted\"\n");
}

}  // namespace
}  // namespace vernier::server
