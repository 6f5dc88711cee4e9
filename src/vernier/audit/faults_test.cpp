#include "vernier/audit/faults.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "vernier/audit/mutants.hpp"

namespace vernier::audit {
namespace {

namespace fs = std::filesystem;

// A program in place of ours.
Program program(const Folder& folder, const std::string& script) {
  EXPECT_TRUE(folder.write("program", "#!/bin/sh\n" + script));
  ::chmod((folder.path() / "program").c_str(), 0700);
  return {{(folder.path() / "program").string()}, folder.path()};
}

// Answers everything and remembers nothing.
constexpr const char* forgetful = R"(case "$1" in
  ledger) echo '{"exists":true,"spent":{"epsilon":0},"entries":1,"head":"abcdef"}' ;;
  query) echo '{"answer":1}'; echo abcdef > audit.ledger ;;
esac
)";

TEST(AuditLedger, OfAProgramThatForgetsIsRefutedAtEveryFault) {
  const Folder folder = Folder::make().value();
  const Program forgets = program(folder, forgetful);
  const Section section = audited_ledger(forgets, Timekeeper(0.1, nobody_watches)).value();
  EXPECT_EQ(section.findings.size(), 5u);
  for (const Finding& finding : section.findings) {
    EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.claim << ": " << finding.outcome;
  }
}

TEST(AuditProgram, IsRunFarFromTheUsersFiles) {
  const Folder folder = Folder::make().value();
  const Program tells = program(folder, "echo \"$HOME $XDG_STATE_HOME $(pwd) $1\"; echo word >&2; exit 3\n");
  const Ran ran = tells.run(folder.path(), {"a b"}).value();
  const std::string place = folder.path().string();
  EXPECT_EQ(ran.printed, place + " " + place + "/state " + place + " a b\n");
  EXPECT_EQ(ran.said, "word\n");
  EXPECT_EQ(ran.code, 3);
}

TEST(AuditProgram, IsKilledAndHeldSmall) {
  const Folder folder = Folder::make().value();
  const Program sleeps = program(folder, "touch begun; exec sleep 60\n");
  const fs::path begun = folder.path() / "begun";
  const Ran killed = sleeps.run(folder.path(), {}, {.kills_when = [&] { return fs::exists(begun); }}).value();
  EXPECT_EQ(killed.code, -1);
  EXPECT_EQ(killed.printed, "");
  const Folder other = Folder::make().value();
  const Program writes = program(other, "exec head -c 5000 /dev/zero > much\n");
  EXPECT_NE(writes.run(other.path(), {}, {.greatest_file = 1000}).value().code, 0);
  EXPECT_LE(fs::file_size(other.path() / "much"), 1000u);
  EXPECT_EQ(writes.run(other.path(), {}).value().code, 0);
}

TEST(AuditProgram, ThatIsMissingIsSaidToBe) {
  const Folder folder = Folder::make().value();
  EXPECT_FALSE(Program({(folder.path() / "none").string()}, folder.path()).run(folder.path(), {}));
}

TEST(AuditMutantList, HasFortyInTheirOrder) {
  ASSERT_EQ(mutants().size(), 40u);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(mutants()[static_cast<std::size_t>(i)].number, i + 1);
}

// The programs of tests in a folder, as scripts: one that finds all, one that does not, one that lacks a test.
TEST(AuditMutantList, IsRunWhereThereAreTestPrograms) {
  const Folder folder = Folder::make().value();
  const auto put = [&](const char* name, const std::string& script) {
    EXPECT_TRUE(folder.write(name, "#!/bin/sh\n" + script));
    ::chmod((folder.path() / name).c_str(), 0700);
  };
  put("twin_test", "case \"$1\" in *SlowTwin.FindsEveryPlantedMistake*) echo '[  PASSED  ] 2 tests.' ;; esac\n");
  put("refute_test", "echo '[  PASSED  ] 5 tests.'; exit 1\n");
  put("audit_test", "echo '[  PASSED  ] 4 tests.'\n");
  const Timekeeper time(0.1, nobody_watches);
  const Section section = audited_mutants(folder.path(), time).value();
  for (const Finding& finding : section.findings) {
    const bool is_twin = finding.caught.ends_with("twin_test");
    const bool is_there = is_twin || finding.caught.ends_with("refute_test") || finding.caught.ends_with("audit_test");
    const Verdict there = is_twin ? Verdict::stands : Verdict::refuted;
    EXPECT_EQ(finding.verdict, is_there ? there : Verdict::not_tried) << finding.caught;
  }
  const Section without = audited_mutants(std::nullopt, time).value();
  for (const Finding& finding : without.findings) {
    EXPECT_EQ(finding.verdict, Verdict::not_tried);
  }
}

}  // namespace
}  // namespace vernier::audit
