#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "support/blind_mark.hpp"
#include "vernier/random/bit_stream.hpp"

// Promise P13: no entropy, no answer. Faults are injected into every system call of a long use of a stream.
namespace vernier::random {
namespace {

enum class Fault { interrupted, short_read, not_implemented, io_error, no_bytes };
constexpr std::array all_faults = {Fault::interrupted, Fault::short_read, Fault::not_implemented, Fault::io_error,
                                   Fault::no_bytes};

bool is_fatal(Fault fault) { return fault != Fault::interrupted && fault != Fault::short_read; }

// A system call that gives the bytes 1, 2, 3, ... of a fixed sequence, and fails in the calls numbered [first, last].
struct FaultyKernel {
  Fault fault = Fault::io_error;
  int first = std::numeric_limits<int>::max();
  int last = 0;
  int calls = 0;
  std::uint64_t given = 0;

  ssize_t call(void* address, std::size_t size) {
    const bool faulty = calls >= first && calls <= last;
    ++calls;
    if (!faulty) return give(address, size);
    if (fault == Fault::short_read) return give(address, size / 2);
    if (fault == Fault::no_bytes) return 0;
    errno = fault == Fault::interrupted ? EINTR : fault == Fault::not_implemented ? ENOSYS : EIO;
    return -1;
  }

  ssize_t give(void* address, std::size_t size) {
    auto* const bytes = static_cast<unsigned char*>(address);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>((++given * 0x9e3779b97f4a7c15) >> 56);
    return static_cast<ssize_t>(size);
  }
};

FaultyKernel kernel;

struct FaultyEntropy {
  static Result<void> read(std::span<std::byte> bytes) {
    return read_all([](void* address, std::size_t size) { return kernel.call(address, size); }, bytes);
  }
};

// A cipher whose call number `faulty_call` fails.
class FaultyCipher {
 public:
  static inline int calls = 0;
  static inline int faulty_call = -1;
  static constexpr std::size_t greatest_run = Keystream::greatest_run;

  static Result<FaultyCipher> open(SeedBytes seed) {
    if (fails()) return fail(ErrorKind::system, "the cipher failed");
    return Keystream::open(seed).map([](Keystream&& keystream) { return FaultyCipher(std::move(keystream)); });
  }
  Result<void> write(std::span<std::uint64_t> words) {
    if (!fails()) return keystream_.write(words);
    wipe(words);
    return fail(ErrorKind::system, "the cipher failed");
  }
  Result<void> mix(SeedBytes fresh) {
    return fails() ? fail(ErrorKind::system, "the cipher failed") : keystream_.mix(fresh);
  }

 private:
  explicit FaultyCipher(Keystream keystream) : keystream_(std::move(keystream)) {}
  static bool fails() { return calls++ == faulty_call; }
  Keystream keystream_;
};

using FaultyStream = BasicBitStream<FaultyEntropy, testing::BlindMark, FaultyCipher>;

struct Outcome {
  std::optional<ErrorKind> error;
  std::vector<std::uint64_t> words;  // what the caller finds in its memory afterwards
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome fill(FaultyStream& stream) {
  Outcome outcome{{}, std::vector<std::uint64_t>(3000, 7)};
  if (const auto filled = stream.fill(outcome.words); !filled) outcome.error = filled.error().kind;
  return outcome;
}

Outcome next(FaultyStream& stream) {
  const auto word = stream.next();
  return word ? Outcome{{}, {*word}} : Outcome{word.error().kind, {}};
}

Outcome refresh(FaultyStream& stream) {
  const auto refreshed = stream.refresh();
  return refreshed ? Outcome{} : Outcome{refreshed.error().kind, {}};
}

// A stream that is opened (again, where that failed), refreshed, filled from and asked for a word, in turn.
std::vector<Outcome> use_stream(FaultyKernel with, int faulty_cipher_call = -1) {
  kernel = with;
  FaultyCipher::calls = 0;
  FaultyCipher::faulty_call = faulty_cipher_call;
  std::optional<FaultyStream> stream;
  std::vector<Outcome> outcomes;
  for (int step = 0; step < 300; ++step) {
    if (stream) {
      outcomes.push_back(step % 3 == 0 ? refresh(*stream) : step % 3 == 1 ? fill(*stream) : next(*stream));
    } else if (auto opened = FaultyStream::open()) {
      stream = std::move(*opened);
    } else {
      outcomes.push_back({opened.error().kind, {}});
    }
  }
  return outcomes;
}

constexpr int calls_of_use = 100;         // one to open and one for each refresh
constexpr int cipher_calls_of_use = 400;  // besides, two for each fill and one for each word

std::ptrdiff_t failures(const std::vector<Outcome>& outcomes) {
  return std::ranges::count_if(outcomes, [](const Outcome& outcome) { return outcome.error.has_value(); });
}

// A failed call leaves zeros and says what was missing; a successful one never gives a zero (chance 2^-64).
bool is_honest(const Outcome& outcome, ErrorKind missing) {
  if (outcome.error && outcome.error != missing) return false;
  return std::ranges::all_of(outcome.words,
                             [&](std::uint64_t word) { return (word == 0) == outcome.error.has_value(); });
}

bool are_honest(const std::vector<Outcome>& outcomes, ErrorKind missing = ErrorKind::entropy) {
  return std::ranges::all_of(outcomes, [&](const Outcome& outcome) { return is_honest(outcome, missing); });
}

TEST(EntropyFault, ScenarioMakesTheCallsThatAreFailedBelow) {
  EXPECT_EQ(failures(use_stream({})), 0);
  EXPECT_EQ(kernel.calls, calls_of_use);
  EXPECT_EQ(FaultyCipher::calls, cipher_calls_of_use);
}

// 5 faults at each of 100 calls: 500 points.
TEST(EntropyFault, AtAnyCallGivesOneTypedErrorAndNoWordsAndThenTheStreamRecovers) {
  const std::vector<Outcome> undisturbed = use_stream({});
  for (const Fault fault : all_faults) {
    for (int call = 0; call < calls_of_use; ++call) {
      const std::vector<Outcome> outcomes = use_stream({.fault = fault, .first = call, .last = call});
      EXPECT_EQ(failures(outcomes), is_fatal(fault) ? 1 : 0) << call;
      EXPECT_TRUE(are_honest(outcomes)) << call;
      EXPECT_EQ(outcomes == undisturbed, !is_fatal(fault)) << call;
    }
  }
}

TEST(EntropyFault, ThatLastsStopsTheStreamForAsLongAsItLasts) {
  for (const Fault fault : {Fault::not_implemented, Fault::io_error, Fault::no_bytes}) {
    for (int call = 0; call < calls_of_use; ++call) {
      const std::vector<Outcome> outcomes = use_stream({.fault = fault, .first = call, .last = 1'000'000});
      const auto first =
          std::ranges::find_if(outcomes, [](const Outcome& outcome) { return outcome.error.has_value(); });
      EXPECT_EQ(std::distance(first, outcomes.end()), failures(outcomes)) << "words came after the first error";
      EXPECT_TRUE(first != outcomes.end() && are_honest(outcomes));
    }
  }
}

// After a failure of OpenSSL the key is forgotten; the stream goes on with a new one, read from the kernel.
TEST(CipherFault, AtAnyCallGivesOneTypedErrorAndNoWordsAndThenANewKey) {
  for (int call = 0; call < cipher_calls_of_use; ++call) {
    const std::vector<Outcome> outcomes = use_stream({}, call);
    EXPECT_EQ(failures(outcomes), 1) << call;
    EXPECT_TRUE(are_honest(outcomes, ErrorKind::system)) << call;
    EXPECT_GE(kernel.calls, calls_of_use) << call;
  }
}

TEST(CipherFault, MakesTheNextFillReadTheKernelAgain) {
  kernel = {};
  FaultyCipher::calls = 0;
  FaultyCipher::faulty_call = 1;
  FaultyStream stream = FaultyStream::open().value();
  EXPECT_EQ(fill(stream).error, ErrorKind::system);
  EXPECT_EQ(kernel.calls, 1);
  EXPECT_FALSE(fill(stream).error);
  EXPECT_EQ(kernel.calls, 2);
}

struct NoMark : testing::BlindMark {
  static Result<NoMark> open() { return fail(ErrorKind::system, "no page"); }
};

TEST(EntropyFault, IncludesAMissingForkMark) {
  const auto stream = BasicBitStream<KernelEntropy, NoMark>::open();
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().sentence(), "no page");
}

}  // namespace
}  // namespace vernier::random
