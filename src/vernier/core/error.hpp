#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What went wrong, in parts. Whoever finds a fault fills in the parts that it knows, whoever passes it on adds others,
// and the edge that tells it (command line, Python, JSON) spells them. Nothing reads an error's words back.
namespace vernier {

enum class ErrorKind : std::uint8_t {
  invalid,    // the caller gave a value that breaks a rule
  entropy,    // the operating system gave no randomness: there is no noise, only this error
  exhausted,  // a certified answer would need more precision or range than the domain allows
  system,     // a file, a device or a library failed
  engine,     // a run over data failed; nothing says why, since that might tell data
  stopped,    // the caller stopped it
};
std::string_view name_of(ErrorKind kind);  // "invalid"

// Where something stands in a text; both are counted from 1, the column in characters.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// A place in a file.
struct Location {
  std::string file;
  Place place = {};
  friend bool operator==(const Location&, const Location&) = default;
};
std::string text_of(const Location& location);  // "catalog.toml:3:5"

// A parameter inside of a text, by its name in the library ("public_count"), for each edge to spell. With a value it
// shows how the parameter is given.
std::string parameter(std::string_view name);
std::string parameter(std::string_view name, std::string_view value);

// How an edge spells a parameter: --public-count 500, public_count=500. The value is empty where only the name is
// meant.
using Spelling = std::function<std::string(std::string_view name, std::string_view value)>;
std::string plain_spelling(std::string_view name, std::string_view value);    // public_count, public_count = 500
std::string option_spelling(std::string_view name, std::string_view value);   // --public-count, --public-count 500
std::string keyword_spelling(std::string_view name, std::string_view value);  // public_count, public_count=500, x="y"
std::string spelled(std::string_view text, const Spelling& spelling);

struct Error {
  ErrorKind kind = ErrorKind::invalid;
  std::string problem = {};  // what is wrong, as the end of a sentence: "must be above 0, but it is -1"; or all of it
  std::string subject = {};  // what it is wrong with, as the beginning: "epsilon", "the column 'income'"
  std::string advice = {};   // what to do, behind a semicolon: "give a larger one"
  std::optional<Location> place = {};
  std::vector<std::string> details = {};  // lines that show it: a line of a statement, and a caret below
  std::vector<Error> others = {};         // what else is wrong with the same input, in its order

  // "study.toml:3:5: epsilon must be above 0, but it is -1; give a larger one (and 1 more problem in this file)", and
  // below it the details, set in by two blanks.
  std::string sentence(const Spelling& spelling = plain_spelling) const;
  // What is wrong and what to do, alone.
  std::string statement(const Spelling& spelling = plain_spelling) const;
};

// The error of something else that failed because of it: the words stand before its subject.
Error after(std::string words, Error error);
// With a subject before the one that it has.
Error about(std::string subject, Error error);
// With a place in a file, unless it has one.
Error at(Location location, Error error);

// With its parameters spelled once and for all.
Error spelled(Error error, const Spelling& spelling);

// All of them as one error: the first by its place, with the others in it. There is at least one.
Error together(std::vector<Error> errors);

}  // namespace vernier
