#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/blind_mark.hpp"
#include "vernier/random/source.hpp"

// Promise P12 and mutant 21: forked or restored processes never share noise. Two honest draws of 128 bits agree with a
// chance of 2^-128, so a thousand of them agree somewhere with less than 1e-32.
namespace vernier::random {
namespace {

using BlindBitStream = BasicBitStream<KernelEntropy, testing::BlindMark>;
using First128 = std::array<std::uint64_t, 2>;

template <class Stream>
First128 draw_by_next(Stream& stream) {
  return {stream.next().value(), stream.next().value()};
}

template <class Stream>
First128 draw_by_fill(Stream& stream) {
  First128 words{};
  return stream.fill(words) ? words : First128{};
}

template <class Stream>
First128 draw_after_refresh(Stream& stream) {
  return stream.refresh() ? draw_by_next(stream) : First128{};
}

pid_t raw_clone() { return static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
#ifdef SYS_fork
pid_t raw_fork() { return static_cast<pid_t>(::syscall(SYS_fork)); }
#endif

// What a child of this process draws; all zero when it could not.
template <class Draw>
First128 drawn_in_a_child(pid_t (*fork_call)(), Draw draw) {
  std::array<int, 2> ends{};
  First128 words{};
  if (::pipe(ends.data()) != 0) return words;
  const pid_t child = fork_call();
  if (child == 0) {
    words = draw();
    ::_exit(::write(ends[1], words.data(), sizeof words) == sizeof words ? 0 : 1);
  }
  ::close(ends[1]);
  if (::read(ends[0], words.data(), sizeof words) != sizeof words) words = {};
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return words;
}

// The check: of `count` children of a parent that has drawn before, the number whose first 128 bits differ from those
// of all others and of the parent.
template <class Stream>
std::size_t distinct_children(Stream& stream, int count, pid_t (*fork_call)(), First128 (*draw)(Stream&)) {
  std::set<First128> parents = {First128{}, draw(stream)};
  std::set<First128> children;
  for (int i = 0; i < count; ++i) children.insert(drawn_in_a_child(fork_call, [&] { return draw(stream); }));
  parents.insert(draw(stream));
  std::erase_if(children, [&](const First128& words) { return parents.contains(words); });
  return children.size();
}

TEST(Fork, GivesAThousandChildrenAThousandStreams) {
  BitStream stream = BitStream::open().value();
  EXPECT_EQ(distinct_children(stream, 1000, ::fork, draw_by_next), 1000u);
  EXPECT_EQ(distinct_children(stream, 1000, ::fork, draw_by_fill), 1000u);
}

TEST(Fork, IsSeenAlsoWhenTheSystemCallIsMadeDirectly) {
  BitStream stream = BitStream::open().value();
  EXPECT_EQ(distinct_children(stream, 1000, raw_clone, draw_by_next), 1000u);
#ifdef SYS_fork
  EXPECT_EQ(distinct_children(stream, 1000, raw_fork, draw_by_next), 1000u);
#endif
}

TEST(Fork, OfAStreamThatKeepsItsBufferIsCaughtByTheSameCheck) {
  BlindBitStream stream = BlindBitStream::open().value();
  EXPECT_LT(distinct_children(stream, 1000, ::fork, draw_by_next), 2u);
  EXPECT_LT(distinct_children(stream, 100, ::fork, draw_by_fill), 2u);
  EXPECT_LT(distinct_children(stream, 100, raw_clone, draw_by_next), 2u);
}

TEST(Fork, GivesGrandchildrenStreamsOfTheirOwn) {
  BitStream stream = BitStream::open().value();
  std::set<First128> seen = {First128{}, draw_by_next(stream)};
  for (int i = 0; i < 100; ++i) {
    const auto in_grandchild = [&] { return drawn_in_a_child(::fork, [&] { return draw_by_next(stream); }); };
    EXPECT_TRUE(seen.insert(drawn_in_a_child(::fork, in_grandchild)).second);
  }
}

TEST(Fork, SeparatesBothStreamsOfTheThreadSource) {
  Source* const source = thread_source().value();
  EXPECT_EQ(distinct_children(source->draws, 200, ::fork, draw_by_next), 200u);
  EXPECT_EQ(distinct_children(source->extensions, 200, ::fork, draw_by_next), 200u);
}

// Draws, and allocates, in other threads for as long as it lives.
class BusyThreads {
 public:
  explicit BusyThreads(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
    while (draws_ == 0) std::this_thread::yield();
  }
  ~BusyThreads() { stop_ = true; }

 private:
  void work() {
    std::vector<std::uint64_t> words(100);
    while (!stop_) {
      BitStream stream = BitStream::open().value();
      draws_ += stream.fill(words) && thread_source().value()->draws.next();
    }
  }
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> draws_ = 0;
  std::vector<std::jthread> threads_;
};

TEST(Fork, FromAProcessWhoseThreadsDrawGivesEachChildItsOwnStream) {
  const BusyThreads busy(2);
  BitStream stream = BitStream::open().value();
  EXPECT_EQ(distinct_children(stream, 1000, ::fork, draw_by_next), 1000u);
}

// A raw fork leaves the locks of other threads locked for ever in the child; to draw must therefore take none.
TEST(Fork, ByASystemCallFromAProcessWithThreadsDoesNotHang) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer's own locks do not survive a raw fork";
#endif
  const BusyThreads busy(2);
  BitStream stream = BitStream::open().value();
  EXPECT_EQ(distinct_children(stream, 1000, raw_clone, draw_by_next), 1000u);
}

// A stream that sees no fork stands for one that was restored from a snapshot of memory: all copies go on alike, until
// each refreshes.
TEST(Snapshot, CopiesDifferAfterRefresh) {
  BlindBitStream stream = BlindBitStream::open().value();
  EXPECT_LT(distinct_children(stream, 100, ::fork, draw_by_next), 2u);
  EXPECT_EQ(distinct_children(stream, 100, ::fork, draw_after_refresh), 100u);
}

TEST(Snapshot, CopiesOfASourceDifferAfterRefreshInBothStreams) {
  auto source = BasicSource<BlindBitStream>::open().value();
  std::set<std::uint64_t> draws, extensions;
  for (int i = 0; i < 100; ++i) {
    const First128 words = drawn_in_a_child(::fork, [&]() -> First128 {
      if (!source.refresh()) return {};
      return {source.draws.next().value(), source.extensions.next().value()};
    });
    draws.insert(words[0]);
    extensions.insert(words[1]);
  }
  EXPECT_EQ(draws.size(), 100u);  // P[two of 100 words of 64 bits agree] < 1e-15
  EXPECT_EQ(extensions.size(), 100u);
}

}  // namespace
}  // namespace vernier::random
