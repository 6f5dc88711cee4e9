#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "vernier/core/result.hpp"
#include "vernier/random/entropy.hpp"
#include "vernier/random/fork_mark.hpp"
#include "vernier/random/keystream.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::random {

// An endless stream of uniform, independent 64-bit words that nobody can predict or repeat; bit_stream.md says what is
// promised and why. A stream belongs to one thread at a time, and can be moved but not copied. When the kernel gives
// no entropy there are no words, only an error, and the next call tries again.
//   Entropy: static Result<void> read(std::span<std::byte>).
//   Mark:    static Result<Mark> open(); std::uint64_t generation() const; bool holds(std::uint64_t) const.
//   Cipher:  as Keystream.
template <class Entropy, class Mark, class Cipher = Keystream>
class BasicBitStream {
 public:
  static constexpr std::size_t buffered_words = 512;
  static constexpr std::uint64_t words_between_reseeds = (std::uint64_t{64} << 20) / sizeof(std::uint64_t);

  static Result<BasicBitStream> open();

  // Fresh words straight into the caller's memory; the stream keeps no copy. On an error they are all zero.
  Result<void> fill(std::span<std::uint64_t> words);

  // One word, or two, erased from the stream's own buffer as they are handed out.
  Result<std::uint64_t> next() {
    if (!has_buffered(1)) [[unlikely]] {
      VERNIER_TRY(refill());
    }
    return take();
  }
  Result<std::array<std::uint64_t, 2>> next_two() {
    if (!has_buffered(2)) [[unlikely]] {
      VERNIER_TRY(refill());
    }
    const std::uint64_t first = take();
    return std::array{first, take()};
  }

  // Mixes fresh bytes of the kernel into the key now and drops the words that wait in the buffer. To be called before a
  // release: what a restored snapshot of the machine repeats ends here.
  Result<void> refresh();

 private:
  static constexpr std::uint64_t no_generation = ~std::uint64_t{0};

  // What may not be copied, in one place in memory; moving a stream moves the pointer.
  struct State {
    explicit State(Mark process_mark) : mark(process_mark) {}
    ~State() { wipe(buffer); }
    Mark mark;
    std::uint64_t generation = no_generation;  // of the process that keyed the stream; none: to be keyed before use
    std::uint64_t words_since_reseed = 0;
    std::size_t used = buffered_words;  // words of the buffer that are handed out, and zero
    std::optional<Cipher> keystream;
    std::array<std::uint64_t, buffered_words> buffer{};
  };

  explicit BasicBitStream(std::unique_ptr<State> state) : state_(std::move(state)) {}
  bool has_buffered(std::size_t words) const {
    return state_ && state_->used + words <= buffered_words && state_->mark.holds(state_->generation);
  }
  std::uint64_t take() { return std::exchange(state_->buffer[state_->used++], 0); }
  [[gnu::noinline]] Result<void> refill();
  Result<void> write(std::span<std::uint64_t> words);
  bool is_keyed_for(std::size_t words) const;
  Result<void> rekey();
  Result<void> mix(SeedBytes fresh);
  void drop_buffer();
  void forget();
  static Failure moved_from() { return invalid("a stream of random bits was used after it was moved from"); }

  std::unique_ptr<State> state_;
};

// The one that ships.
using BitStream = BasicBitStream<KernelEntropy, ForkMark>;

template <class Entropy, class Mark, class Cipher>
Result<BasicBitStream<Entropy, Mark, Cipher>> BasicBitStream<Entropy, Mark, Cipher>::open() {
  VERNIER_TRY(const Mark mark, Mark::open());
  BasicBitStream stream(std::unique_ptr<State>(new (std::nothrow) State(mark)));
  if (!stream.state_) return fail(ErrorKind::system, "there is no memory left for a stream of random bits");
  VERNIER_TRY(stream.rekey());
  return stream;
}

template <class Entropy, class Mark, class Cipher>
Result<void> BasicBitStream<Entropy, Mark, Cipher>::fill(std::span<std::uint64_t> words) {
  for (std::span<std::uint64_t> rest = words; !rest.empty();) {
    const auto run = rest.first(std::min(rest.size(), Cipher::greatest_run));
    if (Result<void> written = write(run); !written) {
      wipe(words);
      return written;
    }
    rest = rest.subspan(run.size());
  }
  return {};
}

template <class Entropy, class Mark, class Cipher>
Result<void> BasicBitStream<Entropy, Mark, Cipher>::refresh() {
  if (!state_) return moved_from();
  return rekey();
}

template <class Entropy, class Mark, class Cipher>
Result<void> BasicBitStream<Entropy, Mark, Cipher>::refill() {
  if (!state_) return moved_from();
  drop_buffer();
  Result<void> written = write(state_->buffer);
  if (written) state_->used = 0;
  return written;
}

// One run of words, at most Cipher::greatest_run.
template <class Entropy, class Mark, class Cipher>
Result<void> BasicBitStream<Entropy, Mark, Cipher>::write(std::span<std::uint64_t> words) {
  if (!state_) return moved_from();
  if (!is_keyed_for(words.size())) {
    if (Result<void> keyed = rekey(); !keyed) return keyed;
  }
  state_->words_since_reseed += words.size();
  Result<void> written = state_->keystream->write(words);
  if (!written) forget();
  return written;
}

template <class Entropy, class Mark, class Cipher>
bool BasicBitStream<Entropy, Mark, Cipher>::is_keyed_for(std::size_t words) const {
  return state_->mark.holds(state_->generation) && state_->words_since_reseed + words <= words_between_reseeds;
}

// Until it succeeds the stream belongs to no generation, and gives nothing. The generation is read before the entropy:
// a fork in between is seen by the next call.
template <class Entropy, class Mark, class Cipher>
Result<void> BasicBitStream<Entropy, Mark, Cipher>::rekey() {
  drop_buffer();
  state_->generation = no_generation;
  const std::uint64_t generation = state_->mark.generation();
  std::array<std::byte, seed_bytes> fresh;
  if (Result<void> read = Entropy::read(fresh); !read) return read;
  if (Result<void> mixed = mix(fresh); !mixed) return mixed;
  state_->generation = generation;
  state_->words_since_reseed = 0;
  return {};
}

template <class Entropy, class Mark, class Cipher>
Result<void> BasicBitStream<Entropy, Mark, Cipher>::mix(SeedBytes fresh) {
  if (state_->keystream) {
    Result<void> mixed = state_->keystream->mix(fresh);
    if (!mixed) forget();
    return mixed;
  }
  VERNIER_TRY(Cipher opened, Cipher::open(fresh));
  state_->keystream = std::move(opened);
  return {};
}

template <class Entropy, class Mark, class Cipher>
void BasicBitStream<Entropy, Mark, Cipher>::drop_buffer() {
  wipe(std::span(state_->buffer).subspan(state_->used));
  state_->used = buffered_words;
}

template <class Entropy, class Mark, class Cipher>
void BasicBitStream<Entropy, Mark, Cipher>::forget() {
  drop_buffer();
  state_->keystream.reset();
  state_->generation = no_generation;
}

extern template class BasicBitStream<KernelEntropy, ForkMark>;

}  // namespace vernier::random
