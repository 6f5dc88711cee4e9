#include "vernier/ledger/witness.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"
#include "vernier/core/hash.hpp"

namespace vernier::ledger {
namespace {

using vernier::testing::TemporaryFolder;
namespace fs = std::filesystem;

std::string hash_named(const std::string& name) { return sha256(name).value(); }

Witness::Memory memory_at(std::int64_t index, const std::string& ledger = "a") {
  return {hash_named(ledger), {index, hash_named(ledger + " at " + std::to_string(index))}};
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string slot(std::int64_t index) { return slot_of(memory_at(index)).value(); }

std::int64_t index_in(const fs::path& path) {
  const Result<Witness> witness = Witness::open(path);
  EXPECT_TRUE(witness) << witness.error().sentence();
  return witness && witness->memory() ? witness->memory()->position.index : 0;
}

void remember(const fs::path& path, std::int64_t index) {
  Witness witness = Witness::open(path).value();
  const Result<void> remembered = witness.remember(memory_at(index));
  ASSERT_TRUE(remembered) << remembered.error().sentence();
}

TEST(Witness, RemembersAfterItWasClosed) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "state" / "vernier" / "one.witness";
  EXPECT_EQ(index_in(path), 0);
  EXPECT_FALSE(fs::exists(path.parent_path()));  // only looked at: nothing is made
  for (std::int64_t index = 1; index <= 5; ++index) {
    remember(path, index);
    const Witness again = Witness::open(path).value();
    ASSERT_TRUE(again.memory());
    EXPECT_EQ(again.memory()->ledger, memory_at(index).ledger);
    EXPECT_EQ(again.memory()->position, memory_at(index).position);
  }
}

TEST(Witness, IsAFileOfItsOwnerWithNothingBesideIt) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  remember(path, 1);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  EXPECT_EQ(fs::file_size(path), 2 * slot_size);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(Witness, IsTwoLinesThatAPersonCanRead) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  remember(path, 7);
  remember(path, 8);
  const std::string text = bytes_of(path);
  EXPECT_EQ(text, slot(7) + slot(8));
  EXPECT_TRUE(text.starts_with("vernier witness 1 ledger " + hash_named("a") + " entry 7 head " +
                               memory_at(7).position.head + " sha256 "));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

// So that a write that stops anywhere leaves one of them, whether the former one was its own or another process's.
TEST(Witness, KeepsTheFormerPositionBesideTheLatest) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  Witness one = Witness::open(path).value(), other = Witness::open(path).value();
  for (std::int64_t index = 1; index <= 12; ++index) {
    ASSERT_TRUE((index % 6 < 3 ? one : other).remember(memory_at(index)));
    const std::string bytes = bytes_of(path);
    EXPECT_NE(bytes.find(slot(index)), std::string::npos) << index;
    const std::string former = index > 1 ? slot(index - 1) : slot(index);
    EXPECT_NE(bytes.find(former), std::string::npos) << index;
  }
  EXPECT_FALSE(one.remember(memory_at(13, "b"))) << "it saw another ledger";
}

TEST(Witness, IgnoresAnOlderPositionAndTellsWhatItSaw) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  Witness slow = Witness::open(path).value();
  remember(path, 9);
  const std::string before = bytes_of(path);
  EXPECT_TRUE(slow.remember(memory_at(3)));  // another process was faster
  EXPECT_EQ(bytes_of(path), before);
  EXPECT_TRUE(slow.remember(memory_at(9)));
  EXPECT_EQ(bytes_of(path), before);
  EXPECT_EQ(slow.memory()->position.index, 9);
}

TEST(Witness, RefusesAnotherLedger) {
  const TemporaryFolder folder;
  Witness witness = Witness::open(folder.path() / "w").value();
  ASSERT_TRUE(witness.remember(memory_at(3)));
  const Result<void> refused = witness.remember(memory_at(4, "b"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("belongs to another ledger"), std::string::npos);
  EXPECT_NE(refused.error().sentence().find((folder.path() / "w").string()), std::string::npos);
  EXPECT_EQ(index_in(folder.path() / "w"), 3);
}

TEST(Witness, RefusesAnotherEntryOfTheSameIndex) {
  const TemporaryFolder folder;
  Witness witness = Witness::open(folder.path() / "w").value();
  ASSERT_TRUE(witness.remember(memory_at(3)));
  const Result<void> refused = witness.remember({hash_named("a"), {3, hash_named("other")}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("saw another entry 3"), std::string::npos);
}

TEST(Witness, RefusesWhatIsNoPosition) {
  const TemporaryFolder folder;
  Witness witness = Witness::open(folder.path() / "w").value();
  EXPECT_FALSE(witness.remember({hash_named("a"), {0, ""}}));
  EXPECT_FALSE(witness.remember({"a", {1, hash_named("a")}}));
  EXPECT_FALSE(witness.remember({hash_named("a"), {1, hash_named("a").substr(1) + " "}}));
  EXPECT_FALSE(fs::exists(folder.path() / "w"));
}

// A write that stopped after any number of bytes, over either slot: the memory before it stands, and goes on.
TEST(Witness, StandsWhereAWriteWasTorn) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  for (const bool first : {true, false}) {
    const std::string newer = slot(7), older = slot(6), next = slot(8);
    for (std::size_t size = 0; size <= slot_size; ++size) {
      const std::string torn = next.substr(0, size) + older.substr(size);
      write(path, first ? torn + newer : newer + torn);
      ASSERT_EQ(index_in(path), torn == next ? 8 : 7) << size;
      remember(path, 9);
      ASSERT_EQ(index_in(path), 9) << size;
    }
  }
}

TEST(Witness, StandsWhereTheSecondLineIsCutOff) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  for (std::size_t size = slot_size; size < 2 * slot_size; ++size) {
    write(path, (slot(5) + slot(6)).substr(0, size));
    ASSERT_EQ(index_in(path), 5) << size;
  }
  for (std::size_t size = 1; size < slot_size; ++size) {
    write(path, slot(5).substr(0, size));
    ASSERT_FALSE(Witness::open(path)) << size;
  }
}

TEST(Witness, BelievesNoChangedByte) {
  const std::string whole = slot(12);
  for (std::size_t at = 0; at < slot_size; ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ (1U << bit));
      ASSERT_FALSE(memory_in(changed).value()) << at << ' ' << bit;
    }
  }
  EXPECT_EQ(memory_in(whole).value()->position.index, 12);
}

TEST(Witness, SaysWhatToDoWhereBothLinesAreDamaged) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  remember(path, 1);
  Witness open = Witness::open(path).value();
  for (const std::string& text : {std::string(1024, '\0'), std::string("x"), slot(1).substr(1) + slot(2).substr(1)}) {
    write(path, text);
    for (const Error& error : {Witness::open(path).error(), open.remember(memory_at(2)).error()}) {
      EXPECT_NE(error.sentence().find(path.string() + "' is damaged"), std::string::npos);
      EXPECT_NE(error.sentence().find("move the witness away"), std::string::npos);
    }
    EXPECT_EQ(bytes_of(path), text);
  }
}

TEST(Witness, BeginsInAnEmptyFile) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  write(path, "");
  EXPECT_EQ(index_in(path), 0);
  remember(path, 4);
  remember(path, 5);
  EXPECT_EQ(bytes_of(path), slot(4) + slot(5));
}

TEST(Witness, IsAnErrorWhereItCannotBeMade) {
  const TemporaryFolder folder;
  write(folder.path() / "file", "no folder");
  const fs::path path = folder.path() / "file" / "w";
  const Result<Witness> opened = Witness::open(path);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().sentence().find(path.string() + "' could not be opened (Not a directory)"),
            std::string::npos);
  EXPECT_FALSE(Witness::open(folder.path()));  // a folder is no witness
}

TEST(Witness, IsAnErrorInAnUnwritableFolder) {
  if (::geteuid() == 0) {  // whom no mode keeps out: but nobody makes folders in /proc
    Witness witness = Witness::open("/proc/self/vernier/w").value();
    EXPECT_FALSE(witness.remember(memory_at(1)));
    return;
  }
  const TemporaryFolder folder;
  Witness witness = Witness::open(folder.path() / "w").value();
  ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
  const Result<void> refused = witness.remember(memory_at(1));
  EXPECT_EQ(::chmod(folder.path().c_str(), 0700), 0);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("could not be made (Permission denied)"), std::string::npos);
  EXPECT_TRUE(witness.remember(memory_at(1)));
}

TEST(Witness, MovesWithItsMemory) {
  const TemporaryFolder folder;
  Witness first = Witness::open(folder.path() / "w").value();
  ASSERT_TRUE(first.remember(memory_at(1)));
  Witness second = std::move(first);
  ASSERT_TRUE(second.remember(memory_at(2)));
  Witness third = Witness::open(folder.path() / "other").value();
  third = std::move(second);
  EXPECT_TRUE(third.remember(memory_at(3)));
  EXPECT_EQ(third.path(), folder.path() / "w");
  EXPECT_EQ(index_in(folder.path() / "w"), 3);
}

TEST(Witness, WaitsInAThreadForWhoeverHoldsTheFile) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w";
  remember(path, 1);
  Witness witness = Witness::open(path).value();
  const int holder = ::open(path.c_str(), O_RDWR);
  ASSERT_EQ(::flock(holder, LOCK_EX), 0);
  std::thread writer([&] { EXPECT_TRUE(witness.remember(memory_at(5))); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // time to go wrong
  EXPECT_TRUE(bytes_of(path).starts_with(slot(1) + ' '));
  write(path, slot(1) + slot(7));
  ::close(holder);
  writer.join();
  EXPECT_EQ(witness.memory()->position.index, 7);
  EXPECT_EQ(bytes_of(path), slot(1) + slot(7));
}

// Sixteen processes begin one witness at the same time, each with positions of its own, and look after each step: what
// was remembered once stays, and the furthest of all stands in the end.
TEST(Witness, OnlyGrowsWhereManyProcessesShareIt) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "state" / "w";
  constexpr std::int64_t writers = 16, steps = 250;
  const auto write_all = [&](std::int64_t writer) {
    Witness witness = Witness::open(path).value();
    for (std::int64_t index = writer + 1; index <= writers * steps; index += writers) {
      if (!witness.remember(memory_at(index))) return 1;
      if (index_in(path) < index) return 2;
    }
    return 0;
  };
  for (std::int64_t writer = 0; writer < writers; ++writer) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(write_all(writer));
  }
  int status = 0;
  while (::wait(&status) > 0) EXPECT_EQ(status, 0);
  EXPECT_EQ(index_in(path), writers * steps);
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
}

}  // namespace
}  // namespace vernier::ledger
