#include "vernier/random/fork_mark.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vernier::random {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int races = 10;  // a twentieth: a fork under a sanitizer takes long
#else
constexpr int races = 200;
#endif

// Whether `holds` is true in a child of this process.
template <class Statement>
bool is_true_in_a_child(Statement holds) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(holds() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ForkMark, StaysTheSameWithinAProcess) {
  const ForkMark mark = ForkMark::open().value();
  const std::uint64_t generation = mark.generation();
  EXPECT_GT(generation, 0u);
  EXPECT_TRUE(mark.holds(generation));
  EXPECT_EQ(ForkMark::open()->generation(), generation);
  EXPECT_FALSE(mark.holds(generation + 1));
}

TEST(ForkMark, RisesWithEveryForkInTheChildAlone) {
  const ForkMark mark = ForkMark::open().value();
  const std::uint64_t parent = mark.generation();
  EXPECT_TRUE(is_true_in_a_child([&] {
    if (mark.holds(parent)) return false;
    const std::uint64_t child = mark.generation();
    if (child <= parent || !mark.holds(child) || mark.generation() != child) return false;
    return is_true_in_a_child([&] { return !mark.holds(child) && mark.generation() > child; });
  }));
  EXPECT_TRUE(mark.holds(parent));
}

TEST(ForkMark, RisesEvenWhenTheGenerationInBetweenWasNeverAsked) {
  const ForkMark mark = ForkMark::open().value();
  const std::uint64_t parent = mark.generation();
  EXPECT_TRUE(is_true_in_a_child([&] { return is_true_in_a_child([&] { return mark.generation() > parent; }); }));
}

TEST(ForkMark, IsTheSameForAllThreadsOfAChild) {
  const ForkMark mark = ForkMark::open().value();
  const std::uint64_t parent = mark.generation();
  for (int repetition = 0; repetition < races; ++repetition) {
    EXPECT_TRUE(is_true_in_a_child([&] {
      std::array<std::uint64_t, 4> seen{};
      std::atomic<bool> go = false;
      std::vector<std::jthread> threads;
      for (std::uint64_t& generation : seen) {
        threads.emplace_back([&] {
          while (!go) std::this_thread::yield();
          generation = mark.generation();
        });
      }
      go = true;
      threads.clear();
      return seen[0] > parent && std::ranges::all_of(seen, [&](std::uint64_t each) { return each == seen[0]; });
    }));
  }
}

TEST(ForkMark, FailsWhereTheKernelDoesNotKnowTheAdvice) {
  const auto refuse = [](void*, std::size_t, int) noexcept {
    errno = EINVAL;
    return -1;
  };
  const auto page = page_cleared_by_fork(refuse);
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().kind, ErrorKind::system);
  EXPECT_EQ(page.error().sentence(),
            "the kernel gave no memory that is cleared by fork (madvise: Invalid argument), so noise could repeat in a "
            "child process and there is none; Linux 4.14 or later is needed");
}

TEST(ForkMark, FailsWhereAnEmulatorTakesAnyAdvice) {
  EXPECT_FALSE(page_cleared_by_fork([](void*, std::size_t, int) noexcept { return 0; }));
  EXPECT_TRUE(page_cleared_by_fork(::madvise));
}

}  // namespace
}  // namespace vernier::random
