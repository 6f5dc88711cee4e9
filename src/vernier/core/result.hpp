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

// The one way to pass an error on: takes the value out of a result, or returns the error from the function around it.
//     VERNIER_TRY(const Plan plan, plan::allocate(study));   // declares `plan`
//     VERNIER_TRY(check_sources(study));                     // of a Result<void>
// It is two statements: not for the body of an `if` or `for` without braces. A type with a comma is written `auto`.
#define VERNIER_TRY(first, ...) VERNIER_TRY_##__VA_OPT__(VALUE)(first __VA_OPT__(, ) __VA_ARGS__)
#define VERNIER_TRY_(...)                                  \
  if (auto vernier_tried = (__VA_ARGS__); vernier_tried) { \
  } else /* NOLINT(readability-else-after-return) */       \
    return tl::unexpected(std::move(vernier_tried).error())
#define VERNIER_TRY_VALUE(declaration, ...) \
  VERNIER_TRY_NAMED(VERNIER_JOINED(vernier_tried_, __COUNTER__), declaration, __VA_ARGS__)
#define VERNIER_TRY_NAMED(tried, declaration, ...)             \
  auto tried = (__VA_ARGS__);                                  \
  if (!tried) return tl::unexpected(std::move(tried).error()); \
  declaration = *std::move(tried)
#define VERNIER_JOINED(a, b) VERNIER_JOINED_(a, b)
#define VERNIER_JOINED_(a, b) a##b
