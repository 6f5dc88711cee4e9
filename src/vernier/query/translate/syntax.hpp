#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "vernier/core/result.hpp"

// The text of a statement: what may be handed to a parser at all, and how a place in it is shown.
namespace vernier::query {

inline constexpr std::size_t greatest_statement = 65536;  // bytes; long chains of AND take quadratic time beyond
inline constexpr std::size_t greatest_arrows = 8;         // -> and lambda; the parser takes 2^n for n of them

// The guards before the parser: size, UTF-8 without NUL, few arrows, and no CASE that the parser makes far longer.
Result<void> check_statement(std::string_view sql);

// The error with the line of the statement and a caret below the byte as its details. Without a byte, the error alone.
Error with_caret(Error error, std::string_view sql, std::optional<std::size_t> byte);

// The byte at which a character (counted from 0) begins.
std::size_t byte_of_character(std::string_view sql, std::size_t character);

// A name as a sentence may show it: without control characters, and not too long.
std::string shown(std::string_view name);

// The parser's tree, as JSON, read by an allow-list: a class, a type or a field that is not in it is refused, so that
// no other version of the parser can smuggle meaning past the translation.
using Json = nlohmann::json;

// Why a part of a statement is refused, and at which byte it begins.
struct Refusal {
  Error error;
  std::optional<std::size_t> byte = {};
  std::string name = {};              // what the sentence names, as the parser has it
  std::optional<Error> unnamed = {};  // instead, where nobody wrote this name
  std::string text_in_quotes = {};    // what to write if the name is in double quotes and is meant as a text
};

// The error of a refusal, about what was written and with the place of it.
Error told_of(Refusal refusal, std::string_view sql);

template <class T>
using Read = tl::expected<T, Refusal>;

tl::unexpected<Refusal> refuse(const Json& node, Error error);
tl::unexpected<Refusal> refuse(const Json& node, std::string problem, std::string advice = {});
// Of the statement as a whole.
tl::unexpected<Refusal> refuse_all(std::string problem, std::string advice = {});

// A result with the place of the node where it has failed.
template <class T>
Read<T> located(const Result<T>& result, const Json& node) {
  if (!result) return refuse(node, result.error());
  return *result;
}

inline constexpr std::size_t greatest_nesting = 400;  // of JSON; an expression takes two levels

// Reads the parser's answer; what it says that it could not read is an error with a caret in the statement, and with a
// statement that is accepted.
Result<Json> read_tree(std::string_view answer, std::string_view sql, const std::string& accepted = {});

// Whether the object has exactly these fields.
bool has_exactly(const Json& object, std::initializer_list<std::string_view> fields);

// A field that must be a text, or a list; anything else throws Json::exception.
const std::string& text(const Json& node, const char* field);
const Json& list(const Json& node, const char* field);

// Whether the node is an expression of a kind that is accepted, with no field that is not known.
Read<void> check_shape(const Json& node);

// Where the node begins, or else the first of its parts that knows.
std::optional<std::size_t> place(const Json& node);

}  // namespace vernier::query
