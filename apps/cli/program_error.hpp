#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "vernier/core/error.hpp"
#include "vernier/core/files_say.hpp"

// Errors as programs get them that built their catalog and study without files (Python, R), in the words of their
// language.
namespace vernier::cli {

// How a language says what files say in TOML.
struct Tongue {
  std::array<std::string_view, term_count> terms;  // by Term
  std::string_view true_word, false_word;
  std::string_view assigned;             // between a parameter and its value: "=", " = "
  std::string (*day)(std::string_view);  // of 2026-01-31
  std::string (*list)(const std::string& inner, bool is_nested);
  std::string (*table)(const std::string& inner);
  std::string (*member)(std::string_view name);  // of a table, with what stands before its value
  std::string (*table_named)(std::string_view name);
};

// A piece of TOML in the language; what is none stays as it is.
std::string translated(std::string_view piece, const Tongue& tongue);

// The name and value of a parameter, or of what files say, in the language.
std::string spelled_in(const Tongue& tongue, std::string_view name, std::string_view value);

// Whether a program made the text of this name; whether the error is about such a text.
bool is_of_program(const std::string& file);
bool is_of_program(const Error& error);

// The file of a text, as a person is told of it.
std::string place_text(const std::filesystem::path& file);

// What stands in no file has no place.
Error without_invented_places(Error error);

// The sentence, and below it those of the others.
std::string program_text(const Error& error, const Spelling& spelling);

}  // namespace vernier::cli
