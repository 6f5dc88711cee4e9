#include "vernier/ledger/ledger.hpp"

#include <csignal>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

Rational decimal(const char* text) { return *Rational::of_decimal(text); }
Terms pure(const char* epsilon) { return {Accountant::pure, decimal(epsilon), decimal("0")}; }
Terms zcdp() { return {Accountant::zcdp, decimal("3"), decimal("1e-6")}; }
Spend costing(const char* epsilon) { return {"0123", "a study", "abcd", {{decimal(epsilon)}}}; }

class LedgerFile : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "a.ledger"; }
  std::string text() const {
    std::stringstream all;
    all << std::ifstream(path()).rdbuf();
    return all.str();
  }
  void write(const std::string& text) const { std::ofstream(path()) << text; }
  std::string refusal(const Terms& terms) const {
    const Result<Ledger> opened = Ledger::open(path(), terms);
    return opened ? "" : opened.error().sentence;
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(LedgerFile, SpendsToTheLastBitAndThenRefuses) {
  Ledger ledger = *Ledger::open(path(), pure("1"));
  for (int i = 1; i <= 10; ++i) {
    const Result<Receipt> receipt = ledger.reserve(costing("0.1"));
    ASSERT_TRUE(receipt) << i;
    EXPECT_EQ(receipt->index, i);
    EXPECT_EQ(receipt->head.size(), 64U);
  }
  const Result<Receipt> more = ledger.reserve(costing("1e-50"));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().kind, ErrorKind::exhausted);
  EXPECT_EQ(more.error().sentence,
            "the study asks for more than is left: it costs 1e-50 of epsilon, and 0 of 1 is left; ask for less, or for "
            "more of the steward");
}

TEST_F(LedgerFile, RemembersAcrossOpenings) {
  const Receipt first = *Ledger::open(path(), pure("1"))->reserve(costing("0.4"));
  Ledger again = *Ledger::open(path(), pure("1"));
  EXPECT_EQ(again.filter().spent()[0], decimal("0.4"));
  const Receipt second = *again.reserve(costing("0.4"));
  EXPECT_EQ(second.index, 2);
  EXPECT_NE(second.head, first.head);
  EXPECT_FALSE(again.reserve(costing("0.4")));
}

// The other ledger's view is older than the file.
TEST_F(LedgerFile, LooksAtTheFileBeforeEverySpend) {
  Ledger one = *Ledger::open(path(), pure("1")), other = *Ledger::open(path(), pure("1"));
  ASSERT_TRUE(one.reserve(costing("0.7")));
  EXPECT_FALSE(other.reserve(costing("0.7")));
  EXPECT_EQ(other.filter().spent()[0], decimal("0.7"));
}

TEST_F(LedgerFile, LeavesNothingBehindWhereItRefuses) {
  Ledger ledger = *Ledger::open(path(), pure("1"));
  const std::string before = text();
  EXPECT_FALSE(ledger.reserve(costing("1.5")));
  EXPECT_FALSE(ledger.reserve(costing("-1")));
  EXPECT_FALSE(ledger.reserve({"0123", "a study", "abcd", {{}}}));
  EXPECT_EQ(text(), before);
}

TEST_F(LedgerFile, RefusesOtherTermsAndTellsThoseItFound) {
  ASSERT_TRUE(Ledger::open(path(), pure("1")));
  EXPECT_EQ(refusal(pure("2")), "the ledger '" + path().string() +
                                    "' was begun with epsilon 1, delta 0 and accountant pure, but the catalog now says "
                                    "epsilon 2, delta 0 and accountant pure; what was promised stays: write those "
                                    "back, or begin another ledger");
  EXPECT_NE(refusal(zcdp()), "");
}

TEST_F(LedgerFile, RefusesALineThatWasChanged) {
  Ledger ledger = *Ledger::open(path(), pure("1"));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(ledger.reserve(costing("0.25")));
  const std::string whole = text();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = changed[i] == '1' ? '2' : '1';
    write(changed);
    EXPECT_NE(refusal(pure("1")), "") << i;
    EXPECT_FALSE(ledger.reserve(costing("0.25"))) << i;
  }
  write(whole);
  EXPECT_EQ(refusal(pure("1")), "");
}

// Without the line before it the rest does not follow; lines may not change places.
TEST_F(LedgerFile, RefusesALineThatIsMissingOrMoved) {
  Ledger ledger = *Ledger::open(path(), pure("1"));
  for (const char* amount : {"0.1", "0.2", "0.3"}) ASSERT_TRUE(ledger.reserve(costing(amount)));
  std::vector<std::string> lines;
  std::stringstream all(text());
  for (std::string line; std::getline(all, line);) lines.push_back(line + "\n");
  ASSERT_EQ(lines.size(), 4U);
  for (const std::string& other : {lines[0] + lines[2] + lines[3], lines[0] + lines[1] + lines[3] + lines[2],
                                   lines[1] + lines[2] + lines[3], lines[0] + lines[1] + lines[1]}) {
    write(other);
    EXPECT_NE(refusal(pure("1")), "") << other;
  }
}

// A cheaper entry of the same place, with a hash that holds, from a ledger with the same terms.
TEST_F(LedgerFile, RefusesALineOfAnotherLedger) {
  const std::filesystem::path other = path().string() + ".other";
  for (const auto& [file, amount] : {std::pair{path(), "0.5"}, std::pair{other, "0.1"}}) {
    Ledger ledger = *Ledger::open(file, pure("1"));
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(ledger.reserve(costing(amount)));
  }
  const std::string ours = text();
  std::filesystem::rename(other, path());
  const std::string theirs = text();
  const auto last_line = [](const std::string& all) { return all.rfind('\n', all.size() - 2) + 1; };
  write(ours.substr(0, last_line(ours)) + theirs.substr(last_line(theirs)));
  EXPECT_NE(refusal(pure("1")).find("line 3 does not follow the line before it"), std::string::npos);
}

// Wherever a crash cut the last line off, nothing is granted on what is left: it may have been spent.
TEST_F(LedgerFile, RefusesALineThatIsCutOff) {
  Ledger ledger = *Ledger::open(path(), pure("1"));
  ASSERT_TRUE(ledger.reserve(costing("0.25")));
  const std::string before = text();
  ASSERT_TRUE(ledger.reserve(costing("0.25")));
  const std::string whole = text();
  for (std::size_t size = before.size() + 1; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    EXPECT_NE(refusal(pure("1")).find("line 3 is cut off"), std::string::npos) << size;
    EXPECT_FALSE(ledger.reserve(costing("0.25")));
  }
}

TEST_F(LedgerFile, IsNotBegunAnewBetweenTwoSpends) {
  Ledger ledger = *Ledger::open(path(), pure("1"));
  std::filesystem::remove(path());
  EXPECT_FALSE(ledger.reserve(costing("0.25")));
  EXPECT_FALSE(std::filesystem::exists(path()));
  write("");
  EXPECT_FALSE(ledger.reserve(costing("0.25")));
}

// The conversion is paid by the first alone, and an opened ledger knows that it was.
TEST_F(LedgerFile, RemembersThatTheConversionIsPaid) {
  const Spend study{"0123", "a study", "abcd", {{decimal("1"), decimal("1e-7")}, {{decimal("0.2"), decimal("0")}}}};
  ASSERT_TRUE(Ledger::open(path(), zcdp())->reserve(study));
  Ledger again = *Ledger::open(path(), zcdp());
  EXPECT_TRUE(again.balance().is_open);
  const Rational before = again.filter().spent()[0];
  EXPECT_GT(before, decimal("0.2"));
  ASSERT_TRUE(again.reserve(study));
  EXPECT_EQ(again.filter().spent()[0] - before, decimal("0.2"));
}

TEST_F(LedgerFile, KeepsNamesThatAreNoPlainText) {
  const Spend odd{"0123", "a\nstudy \xff\"\t", "abcd", {{decimal("0.1")}}};
  ASSERT_TRUE(Ledger::open(path(), pure("1"))->reserve(odd));
  EXPECT_EQ(Ledger::open(path(), pure("1"))->filter().spent()[0], decimal("0.1"));
}

TEST_F(LedgerFile, SaysWhatIsWrongWithItsFolder) {
  const Result<Ledger> nowhere = Ledger::open(path().parent_path() / "missing" / "a.ledger", pure("1"));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().kind, ErrorKind::system);
  EXPECT_NE(nowhere.error().sentence.find("No such file or directory"), std::string::npos);
}

// In a process of its own, whose files may not grow by more than 20 bytes: the write stops in the middle of a line.
TEST_F(LedgerFile, TakesBackALineThatCouldNotBeWritten) {
  Ledger ledger = *Ledger::open(path(), pure("1"));
  ASSERT_TRUE(ledger.reserve(costing("0.25")));
  const std::string before = text();
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before.size() + 20, before.size() + 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Result<Receipt> refused = ledger.reserve(costing("0.25"));
    ::_exit(!refused && refused.error().kind == ErrorKind::system ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(text(), before);
  EXPECT_TRUE(ledger.reserve(costing("0.25")));
}

// How many of `asked` spends of one unit this process is granted.
int granted(const std::filesystem::path& path, int asked) {
  int count = 0;
  Result<Ledger> ledger = Ledger::open(path, pure("100"));
  for (int i = 0; ledger && i < asked; ++i) count += ledger->reserve(costing("1")) ? 1 : 0;
  return count;
}

TEST_F(LedgerFile, GrantsNoMoreThanThereIsToProcessesSideBySide) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(granted(path(), 50));
    children.push_back(child);
  }
  int total = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    total += WEXITSTATUS(status);
  }
  EXPECT_EQ(total, 100);
  EXPECT_EQ(Ledger::open(path(), pure("100"))->filter().left(0), Rational::of(0));
}

}  // namespace
}  // namespace vernier::ledger
