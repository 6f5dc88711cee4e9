#include "vernier/random/source.hpp"

#include <optional>

#include "vernier/random/bit_stream.hpp"

namespace vernier::random {
namespace {

// Destructors of other objects may still run, and ask for noise, after the source of their thread is gone.
thread_local bool thread_is_ending = false;

struct ThreadSource {
  std::optional<Source> source;
  ~ThreadSource() { thread_is_ending = true; }
};

thread_local ThreadSource here;

}  // namespace

Result<Source*> thread_source() {
  if (thread_is_ending) return fail(ErrorKind::system, "the thread is ending, and its source of noise is gone");
  if (here.source) return &*here.source;
  VERNIER_TRY(Source opened, Source::open());
  here.source.emplace(std::move(opened));
  return &*here.source;
}

template class BasicBitStream<KernelEntropy, ForkMark>;

}  // namespace vernier::random
