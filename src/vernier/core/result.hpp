#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace vernier {

enum class ErrorKind : std::uint8_t {
  invalid,    // the caller gave a value that breaks a rule; the sentence says which
  entropy,    // the operating system gave no randomness: there is no noise, only this error
  exhausted,  // a certified answer would need more precision or range than the domain allows
  system,     // a file, a device or a library failed
};

// What went wrong, as one sentence for a person: which value, which rule, what to do instead.
struct Error {
  ErrorKind kind;
  std::string sentence;
};

// The only error path out of a public function.
template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

inline Failure fail(ErrorKind kind, std::string sentence) { return Failure(Error{kind, std::move(sentence)}); }
inline Failure invalid(std::string sentence) { return fail(ErrorKind::invalid, std::move(sentence)); }

}  // namespace vernier
