#include "vernier/coverage/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace vernier::coverage {
namespace {

using Work = std::function<Result<void>(std::size_t, random::Source&)>;

class Workers {
 public:
  Workers(std::size_t pieces, const Work& work, const Progress& progress)
      : pieces_(pieces), work_(work), progress_(progress) {}

  // As one of the threads.
  void take_part() {
    Result<random::Source> source = random::Source::open();
    if (!source) return end(source.error());
    for (std::size_t piece = next_++; piece < pieces_ && !ended_; piece = next_++) {
      if (const Result<void> done = work_(piece, *source); !done) return end(done.error());
      tell();
    }
  }

  Result<void> result() const { return error_ ? Result<void>(Failure(*error_)) : Result<void>(); }

 private:
  void end(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    ended_ = true;
  }

  void tell() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (ended_ || progress_(static_cast<double>(done_) / static_cast<double>(pieces_))) return;
    error_ = Error{ErrorKind::system, "the simulation was interrupted"};
    ended_ = true;
  }

  const std::size_t pieces_;
  const Work& work_;
  const Progress& progress_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<void> do_each(std::size_t pieces, const Work& work, const Progress& progress) {
  Workers workers(pieces, work, progress);
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < std::min(cores, pieces); ++i) threads.emplace_back([&] { workers.take_part(); });
  } catch (const std::system_error&) {  // those that are there do it all
  }
  workers.take_part();
  for (std::thread& thread : threads) thread.join();
  return workers.result();
}

}  // namespace vernier::coverage
