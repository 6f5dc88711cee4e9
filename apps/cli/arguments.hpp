#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::cli {

enum class Takes { nothing, one_value, several_values };

struct Option {
  std::string name;  // "--scale"
  Takes takes;
  std::string value;  // what stands for its value in the help: "S"
  std::string help;
  std::vector<std::string> choices = {};  // the words that its value may be, where these are few
};

// What a command takes, said once: the parser and the help read it here. `--json` and `--help` belong to every command.
struct Usage {
  std::string name;
  std::string summary;
  std::string synopsis;
  std::string subject = {};  // the first argument without a name: "MECHANISM"; empty where there is none
  std::string subject_help = {};
  std::vector<std::string> subject_choices = {};  // the words that it may be
  std::string object = {};                        // the second one, a file: "DATA"; empty where there is none
  std::string object_help = {};
  std::vector<Option> options;
  std::string example;  // one command a line, two blanks before it
};

// The words of a command line by option; numbers are still text.
struct Arguments {
  std::string subject;  // empty when it is missing
  std::string object;   // likewise
  std::map<std::string, std::vector<std::string>, std::less<>> values;

  bool has(std::string_view option) const { return values.contains(option); }
  // Of an option that `has`.
  std::span<const std::string> all(std::string_view option) const { return values.find(option)->second; }
  const std::string& one(std::string_view option) const { return all(option).front(); }
};

// What was given by the names that parameters have in the library, "public_count" for --public-count: the options of a
// command line, or the keywords of a program. Numbers are still text, as they were written.
struct Given {
  std::map<std::string, std::vector<std::string>, std::less<>> values;

  bool has(std::string_view name) const { return values.contains(name); }
  // Of a parameter that was given.
  std::span<const std::string> all(std::string_view name) const { return values.find(name)->second; }
  const std::string& one(std::string_view name) const { return all(name).front(); }
};
Given given_by(const Arguments& arguments);

// An option is a word that begins with two dashes (or -h for --help); its values follow it, or stand behind "=". So -3
// and -1e-6 are values and need no care. An option of several values takes all words up to the next option.
Result<Arguments> parse(const Usage& usage, std::span<const std::string> words);

// The options of a command with those that every command has.
std::vector<Option> all_options(const Usage& usage);

std::string help_of(const Usage& usage);

// The file that --plot names, if it is given; it must end in .svg, and be new.
Result<std::optional<std::string>> plot_file(const Arguments& arguments);

}  // namespace vernier::cli
