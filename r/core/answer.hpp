#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier_r.h"

struct vernier_answer {
  bool failed;
  std::vector<std::string> texts;
};

namespace vernier::r {

using Texts = std::vector<std::string>;

cli::Given given(const vernier_word* words, std::size_t count);

// The sentence with parameters as R spells them, and the parts of the error as JSON.
vernier_answer* failed(Error error);

// Runs work() -> Result<Texts>; nothing that a library throws comes out of here.
template <class Work>
vernier_answer* answered(const Work& work) {
  try {
    Result<Texts> texts = work();
    return texts ? new vernier_answer{false, *std::move(texts)} : failed(std::move(texts).error());
  } catch (const std::bad_alloc&) {
    return failed({ErrorKind::system, "there is not enough memory; ask for less at a time"});
  } catch (const std::exception&) {
    return failed({ErrorKind::system, "a library failed; try again"});
  }
}

// Asks the watcher at most twenty times a second, and only in the thread that made this.
inline Progress watched(vernier_watch watch) {
  using Clock = std::chrono::steady_clock;
  const auto own = std::this_thread::get_id();
  return [watch, own, next = Clock::now()](double done) mutable {
    if (watch == nullptr || std::this_thread::get_id() != own || Clock::now() < next) return true;
    next = Clock::now() + std::chrono::milliseconds(50);
    return watch(done) != 0;
  };
}

}  // namespace vernier::r
