#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "vernier/core/result.hpp"

namespace vernier::random {

// Tells whether this process is still the one in which a number was drawn. The process has a generation, a number above
// 0; every child of a fork, by whatever system call, has a greater one than its parent had at the fork. The generation
// lies in a page that the kernel clears in every child (MADV_WIPEONFORK, Linux 4.14). Safe to use from many threads.
class ForkMark {
 public:
  // Fails where the kernel has no such page: then nobody can promise that two processes do not share their noise.
  static Result<ForkMark> open();

  // The generation of this process.
  std::uint64_t generation() const noexcept;

  // Whether `generation`, an answer of generation() above, is still that of this process: one load.
  bool holds(std::uint64_t generation) const noexcept { return page_->load(std::memory_order_relaxed) == generation; }

 private:
  explicit ForkMark(std::atomic<std::uint64_t>* page) : page_(page) {}
  std::atomic<std::uint64_t>* page_;
};

// A new page of zeros that is cleared in every child. `advise` is madvise(2), a parameter so that tests can fail it.
using Advise = int (*)(void* address, std::size_t size, int advice) noexcept;
Result<std::atomic<std::uint64_t>*> page_cleared_by_fork(Advise advise);

}  // namespace vernier::random
