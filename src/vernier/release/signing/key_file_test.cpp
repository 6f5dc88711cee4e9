#include "vernier/release/signing/key_file.hpp"

#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temporary_folder.hpp"

namespace vernier::release {
namespace {

namespace fs = std::filesystem;

class KeyFile : public ::testing::Test {
 protected:
  fs::path folder() const { return folder_.path() / "config" / "vernier"; }
  fs::path path() const { return folder() / signing_key_name; }

  std::string refusal() const {
    const Result<SigningKey> key = open_signing_key(folder());
    return key ? "" : key.error().sentence();
  }

  void put(const std::string& content, fs::perms mode) const {
    fs::create_directories(folder());
    std::ofstream(path()) << content;
    fs::permissions(path(), mode);
  }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder())) names.insert(entry.path().filename());
    return names;
  }

  const fs::path& root() const { return folder_.path(); }

 private:
  testing::TemporaryFolder folder_;
};

constexpr fs::perms for_owner = fs::perms::owner_read | fs::perms::owner_write;

TEST_F(KeyFile, IsMadeAtFirstUseForItsOwnerAloneAndStays) {
  const SigningKey made = open_signing_key(folder()).value();
  EXPECT_EQ(fs::status(path()).permissions(), for_owner);
  EXPECT_EQ(fs::status(folder()).permissions(), for_owner | fs::perms::owner_exec);
  EXPECT_EQ(open_signing_key(folder())->public_key(), made.public_key());
  EXPECT_EQ(files(), (std::set<std::string>{signing_key_name, public_key_name}));
  std::ifstream file(folder() / public_key_name);
  const std::string pem((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(PublicKey::of_pem(pem).value(), made.public_key());
}

TEST_F(KeyFile, IsRefusedWhereOthersMayReadIt) {
  put(SigningKey::generate()->pem().value(), for_owner);
  EXPECT_EQ(refusal(), "");
  for (const fs::perms more : {fs::perms::group_read, fs::perms::others_read, fs::perms::group_write}) {
    fs::permissions(path(), for_owner | more);
    EXPECT_NE(refusal().find("may be read by others than its owner"), std::string::npos);
  }
}

TEST_F(KeyFile, IsRefusedWhereItIsNone) {
  for (const std::string& content : {std::string(), std::string("garbage"), std::string(20000, 'a')}) {
    put(content, for_owner);
    EXPECT_NE(refusal().find("holds no Ed25519 key"), std::string::npos) << content.size();
  }
  fs::remove(path());
  fs::create_directory(path());
  EXPECT_NE(refusal(), "");
}

TEST_F(KeyFile, TellsThatItsPlaceCannotBeWritten) {
  std::ofstream(root() / "config") << "a file in the way";
  EXPECT_NE(refusal().find("cannot be written"), std::string::npos);
}

TEST_F(KeyFile, IsTheSameForThreadsThatBeginAtOnce) {
  constexpr std::size_t count = 16;
  std::vector<std::string> found(count);
  std::vector<std::thread> threads;
  for (std::string& one : found) {
    threads.emplace_back([&] { one = open_signing_key(folder())->public_key().hex(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()).size(), 1U);
  EXPECT_EQ(files(), (std::set<std::string>{signing_key_name, public_key_name}));
}

// Sets variables of the environment for a while.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(KeyFolder, IsInTheConfigurationOfTheUser) {
  const Environment home("HOME", "/a/home");
  {
    const Environment config("XDG_CONFIG_HOME", "/a/config");
    EXPECT_EQ(key_folder().value(), "/a/config/vernier");
  }
  for (const char* const none : {static_cast<const char*>(nullptr), "", "relative"}) {
    const Environment config("XDG_CONFIG_HOME", none);
    EXPECT_EQ(key_folder().value(), "/a/home/.config/vernier");
  }
}

TEST(KeyFolder, IsNowhereWithoutAHome) {
  const Environment home("HOME", nullptr), config("XDG_CONFIG_HOME", nullptr);
  const auto folder = key_folder();
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().sentence().find("there is no place for the signing key"), std::string::npos);
}

}  // namespace
}  // namespace vernier::release
