#pragma once

#include <utility>

#include "vernier/core/result.hpp"
#include "vernier/random/bit_stream.hpp"

namespace vernier::random {

// What a sampler reads: two streams that are keyed apart. Words for draws come in blocks of a fixed size; a draw that
// its own words leave undecided takes more bits from `extensions`, so the draws after it are the same either way.
template <class Stream>
struct BasicSource {
  Stream draws;
  Stream extensions;

  static Result<BasicSource> open() {
    VERNIER_TRY(Stream first, Stream::open());
    VERNIER_TRY(Stream second, Stream::open());
    return BasicSource{std::move(first), std::move(second)};
  }

  // Mixes fresh bytes of the kernel into both; see BasicBitStream::refresh.
  Result<void> refresh() {
    if (Result<void> refreshed = draws.refresh(); !refreshed) return refreshed;
    return extensions.refresh();
  }
};

// The one that ships.
using Source = BasicSource<BitStream>;

// The source of the calling thread, opened at its first use and wiped when the thread ends.
Result<Source*> thread_source();

}  // namespace vernier::random
