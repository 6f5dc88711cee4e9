#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "vernier/core/error.hpp"

namespace vernier {

// The only error path out of a public function.
template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

// An error of up to three parts, of which the last is always the advice:
//     invalid("there is no event", "give one, for example as laplace,scale=20")
//     invalid("epsilon", "must be above 0, but it is -1", "give a larger one")
inline Failure fail(ErrorKind kind, std::string problem, std::string advice = {}) {
  return Failure(Error{kind, std::move(problem), {}, std::move(advice)});
}
inline Failure fail(ErrorKind kind, std::string subject, std::string problem, std::string advice) {
  return Failure(Error{kind, std::move(problem), std::move(subject), std::move(advice)});
}
// The same error, of this kind.
inline Failure fail(ErrorKind kind, Error error) {
  error.kind = kind;
  return Failure(std::move(error));
}
inline Failure invalid(std::string problem, std::string advice = {}) {
  return fail(ErrorKind::invalid, std::move(problem), std::move(advice));
}
inline Failure invalid(std::string subject, std::string problem, std::string advice) {
  return fail(ErrorKind::invalid, std::move(subject), std::move(problem), std::move(advice));
}
inline Failure invalid(Error error) { return fail(ErrorKind::invalid, std::move(error)); }

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
