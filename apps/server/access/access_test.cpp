#include "server/access/access.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vernier/core/hash.hpp"

namespace vernier::server {
namespace {

namespace fs = std::filesystem;

// A file of tokens in a folder of its own.
class TokenFile {
 public:
  TokenFile() {
    std::string pattern = (fs::temp_directory_path() / "vernier-access-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  TokenFile(const TokenFile&) = delete;
  TokenFile& operator=(const TokenFile&) = delete;
  ~TokenFile() { fs::remove_all(folder_); }

  fs::path path() const { return folder_ / "tokens.toml"; }
  std::string add(const std::string& name, Role role = Role::analyst, std::int64_t days = 90) const {
    return add_token(path(), name, role, days).value();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    const std::vector<Token> tokens = read_tokens(path()).value();
    for (const Token& one : tokens) found.push_back(one.person.name);
    return found;
  }
  std::string text() const {
    std::stringstream all;
    all << std::ifstream(path()).rdbuf();
    return all.str();
  }
  void write(const std::string& text) const { std::ofstream(path()) << text; }

 private:
  fs::path folder_;
};

std::string hash_of(const std::string& token) { return sha256(token).value(); }

TEST(Tokens, AreKeptByTheirHashWhereOnlyTheirOwnerReads) {
  const TokenFile file;
  const std::string token = file.add("anna");
  EXPECT_EQ(token.size(), 4 + 64U);
  EXPECT_EQ(file.text().find(token), std::string::npos);
  EXPECT_NE(file.text().find(hash_of(token)), std::string::npos);
  struct stat facts {};
  ASSERT_EQ(::stat(file.path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  ::chmod(file.path().c_str(), 0640);
  EXPECT_FALSE(read_tokens(file.path()));
  EXPECT_FALSE(add_token(file.path(), "ben", Role::reader, 1));
}

TEST(Tokens, AreTakenAwayWhateverPeopleAreCalled) {
  for (const std::string name : {"[[token]]", "x\\\"[[token]]", "sha256 = \\\"0\\\"", "\xe2\x82\xac", "# no"}) {
    const TokenFile file;
    file.add("before");
    const std::string token = file.add(name);
    file.add("behind");
    ASSERT_EQ(file.names(), (std::vector<std::string>{"before", name, "behind"}));
    ASSERT_EQ(end_token(file.path(), hash_of(token).substr(0, 12)).value_or("none"), name);
    EXPECT_EQ(file.names(), (std::vector<std::string>{"before", "behind"}));
  }
}

TEST(Tokens, LeaveWhatSomebodyHasWrittenAroundThem) {
  const TokenFile file;
  const std::string token = file.add("anna");
  file.write("# of the office\n" + file.text() + "# the end of anna\n");
  const std::string other = file.add("ben");
  EXPECT_TRUE(end_token(file.path(), hash_of(token).substr(0, 12)));
  EXPECT_EQ(file.text().rfind("# of the office\n", 0), 0U);
  EXPECT_EQ(file.names(), std::vector<std::string>{"ben"});
  EXPECT_FALSE(end_token(file.path(), "0000000000"));
  EXPECT_FALSE(end_token(file.path(), hash_of(other).substr(0, 7)));  // too short to mean one
}

TEST(Access, EndsWithTheTokenWithTimeAndWithoutUse) {
  const TokenFile file;
  const std::string token = file.add("anna", Role::analyst, 90);
  const std::int64_t now = std::time(nullptr);
  Access access(read_tokens(file.path()).value());
  EXPECT_EQ(access.who(token, now)->name, "anna");
  EXPECT_FALSE(access.who("vrn_other", now));
  EXPECT_FALSE(access.who(token, now + 91 * 86'400));
  const auto session = access.begin(token, now).value();
  ASSERT_TRUE(session);
  EXPECT_EQ(access.who(session->id, now + idle_seconds - 1)->name, "anna");
  EXPECT_FALSE(access.who(session->id, now + 2 * idle_seconds));
  const auto used = access.begin(token, now).value();
  for (std::int64_t at = 0; at < session_seconds; at += idle_seconds / 2) EXPECT_TRUE(access.who(used->id, now + at));
  EXPECT_FALSE(access.who(used->id, now + session_seconds));
  const auto ended = access.begin(token, now).value();
  access.end(ended->id);
  EXPECT_FALSE(access.who(ended->id, now));
  const auto taken = access.begin(token, now).value();
  access.replace_tokens({}, {});
  EXPECT_FALSE(access.who(taken->id, now));
  EXPECT_FALSE(access.begin(token, now).value());
}

TEST(Access, KeepsNoMoreSessionsThanSoMany) {
  const TokenFile file;
  const std::string token = file.add("anna");
  const std::int64_t now = std::time(nullptr);
  Access access(read_tokens(file.path()).value());
  const auto first = access.begin(token, now).value();
  for (std::size_t i = 0; i < most_sessions; ++i) ASSERT_TRUE(access.begin(token, now + 1).value());
  EXPECT_FALSE(access.who(first->id, now + 2));
}

}  // namespace
}  // namespace vernier::server
