#include "vernier/random/entropy.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::random {
namespace {

// Answers of a system call: a count of bytes, or minus an errno. Bytes that it gives are 0x5a.
class Script {
 public:
  explicit Script(std::vector<int> answers) : answers_(std::move(answers)) {}

  ssize_t operator()(void* address, std::size_t size) {
    sizes.push_back(size);
    const int answer = answers_.at(sizes.size() - 1);
    if (answer < 0) errno = -answer;
    std::fill_n(static_cast<unsigned char*>(address), std::clamp<int>(answer, 0, static_cast<int>(size)), 0x5a);
    return answer < 0 ? -1 : answer;
  }

  std::vector<std::size_t> sizes;

 private:
  std::vector<int> answers_;
};

using Bytes = std::array<std::byte, 48>;

Bytes filled(int value) {
  Bytes bytes;
  bytes.fill(static_cast<std::byte>(value));
  return bytes;
}

TEST(Entropy, RepeatsInterruptedReadsAndContinuesShortOnes) {
  Script script({-EINTR, 10, -EINTR, -EINTR, 1, 37});
  Bytes bytes{};
  EXPECT_TRUE(read_all(std::ref(script), bytes));
  EXPECT_EQ(bytes, filled(0x5a));
  EXPECT_EQ(script.sizes, (std::vector<std::size_t>{48, 48, 38, 38, 38, 37}));
}

TEST(Entropy, FailsOnAnyOtherAnswerAndWipesWhatItHad) {
  for (const int answer : {-ENOSYS, -EIO, -EAGAIN, -EFAULT, -EPERM, 0, 49}) {
    Script script({20, answer});
    Bytes bytes = filled(0xff);
    const Result<void> read = read_all(std::ref(script), bytes);
    ASSERT_FALSE(read) << answer;
    EXPECT_EQ(read.error().kind, ErrorKind::entropy);
    EXPECT_EQ(bytes, filled(0)) << answer;
  }
}

TEST(Entropy, SaysWhatTheKernelSaid) {
  Script script({-ENOSYS});
  Bytes bytes;
  EXPECT_EQ(read_all(std::ref(script), bytes).error().sentence(),
            "the operating system gave no randomness (getrandom: Function not implemented), so there is no noise; run "
            "where the getrandom system call is allowed");
}

TEST(Entropy, AsksTheKernelForNothingWhenNothingIsWanted) {
  Script script({});
  EXPECT_TRUE(read_all(std::ref(script), {}));
  EXPECT_TRUE(script.sizes.empty());
}

// 2^-128 is the chance that two of the thousand reads agree by accident, or that one is zero, but for a factor of 1e6.
TEST(Entropy, OfTheKernelNeverRepeats) {
  std::set<std::array<std::byte, 16>> seen = {std::array<std::byte, 16>{}};
  for (int i = 0; i < 1000; ++i) {
    std::array<std::byte, 16> bytes{};
    ASSERT_TRUE(KernelEntropy::read(bytes));
    EXPECT_TRUE(seen.insert(bytes).second);
  }
}

// More than the 256 bytes that the kernel gives without being interruptible, and than one internal page.
TEST(Entropy, OfTheKernelFillsLongReadsToTheEnd) {
  std::vector<std::byte> bytes(100'000);
  ASSERT_TRUE(KernelEntropy::read(bytes));
  const auto zeros_in = [](auto part) { return std::ranges::count(part, std::byte{0}); };
  EXPECT_LT(zeros_in(std::span(bytes).first(1000)), 50);  // 4 expected; P[50 or more] < 1e-30
  EXPECT_LT(zeros_in(std::span(bytes).last(1000)), 50);
}

}  // namespace
}  // namespace vernier::random
