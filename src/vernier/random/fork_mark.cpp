#include "vernier/random/fork_mark.hpp"

#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include <sys/mman.h>

namespace vernier::random {
namespace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free,
              "a lock could be held by a thread that a fork left behind");

constexpr std::size_t page_size = 4096;

// The page of this process, and a number that no generation of this process or of its ancestors exceeds.
std::atomic<std::atomic<std::uint64_t>*> process_page = nullptr;
std::atomic<std::uint64_t> newest = 0;

Failure no_page(const char* call, int error_number) {
  return fail(ErrorKind::system,
              std::string("the kernel gave no memory that is cleared by fork (") + call + ": " +
                  std::generic_category().message(error_number) +
                  "), so noise could repeat in a child process and there is none",
              "Linux 4.14 or "
              "later is needed");
}

// Emulators are known that say yes to any advice and follow none.
bool is_credulous(Advise advise, void* page) { return advise(page, page_size, -1) == 0; }

}  // namespace

Result<std::atomic<std::uint64_t>*> page_cleared_by_fork(Advise advise) {
  void* const page = ::mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return no_page("mmap", errno);
  if (advise(page, page_size, MADV_WIPEONFORK) != 0 || is_credulous(advise, page)) {
    const int error_number = errno;
    ::munmap(page, page_size);
    return no_page("madvise", error_number);
  }
  return new (page) std::atomic<std::uint64_t>(0);
}

Result<ForkMark> ForkMark::open() {
  if (auto* const page = process_page.load(std::memory_order_acquire)) return ForkMark(page);
  VERNIER_TRY(const auto made, page_cleared_by_fork(::madvise));
  std::atomic<std::uint64_t>* first = nullptr;
  if (process_page.compare_exchange_strong(first, made)) return ForkMark(made);
  ::munmap(made, page_size);  // another thread was quicker
  return ForkMark(first);
}

// `newest` rises before the page shows the new number. So at any moment at which another thread forks, the number that
// the child inherits in `newest` is no less than any generation that somebody can have seen.
std::uint64_t ForkMark::generation() const noexcept {
  std::uint64_t seen = page_->load(std::memory_order_acquire);
  if (seen != 0) return seen;
  const std::uint64_t next = newest.fetch_add(1) + 1;
  return page_->compare_exchange_strong(seen, next) ? next : seen;
}

}  // namespace vernier::random
