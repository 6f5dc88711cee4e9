#pragma once

#include <cstddef>
#include <functional>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier/random/source.hpp"

namespace vernier::coverage {

// Does each piece of work once, on all cores, each thread with a source of its own. The first error ends all; so does
// a no of the watcher, which is told from one thread at a time.
Result<void> do_each(std::size_t pieces, const std::function<Result<void>(std::size_t, random::Source&)>& work,
                     const Progress& progress);

}  // namespace vernier::coverage
