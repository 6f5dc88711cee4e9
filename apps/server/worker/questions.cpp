#include <array>
#include <string>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/compose/compose.hpp"
#include "cli/coverage/coverage.hpp"
#include "cli/decimal.hpp"
#include "server/worker/answers.hpp"

// Questions that need no catalog: the commands of the command line, asked by keys in place of words. Which keys there
// are stands in routes.cpp; none of them names a file.
namespace vernier::server {
namespace {

using release::Json;

constexpr std::int64_t most_draws_here = 10'000, most_simulations_here = 200;

struct Question {
  std::string_view route;
  cli::Usage (*usage)();
  Result<void> (*run)(const cli::Arguments&, cli::Output&);
};
constexpr std::array<Question, 3> questions = {{{"calibrate", cli::calibrate_usage, cli::run_calibrate},
                                                {"law", cli::law_usage, cli::run_law},
                                                {"compose", cli::compose_usage, cli::run_compose}}};

Result<std::string> word_of(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return invalid(key, "must be a text or a number, such as \"0.1\"", "");
}

// One value, or a list of them. True alone is a word without a value.
Result<std::vector<std::string>> words_of(const std::string& key, const Json& value) {
  std::vector<std::string> words;
  if (value.is_boolean() && value.get<bool>()) return words;
  if (!value.is_array()) {
    VERNIER_TRY(std::string word, word_of(key, value));
    words.push_back(std::move(word));
    return words;
  }
  for (const Json& one : value) {
    VERNIER_TRY(std::string word, word_of(key, one));
    words.push_back(std::move(word));
  }
  if (words.empty()) return invalid(key, "is an empty list", "leave it out, or give a value");
  return words;
}

cli::Takes takes_of(const cli::Usage& usage, const std::string& option) {
  for (const cli::Option& one : usage.options) {
    if (one.name == option) return one.takes;
  }
  return cli::Takes::one_value;
}

Result<cli::Arguments> arguments_of(const Ask& ask, const cli::Usage& usage) {
  cli::Arguments arguments{.subject = "", .object = "", .values = {{"--json", {}}}};
  for (const auto& [key, value] : ask.body.items()) {
    VERNIER_TRY(std::vector<std::string> words, words_of(key, value));
    if (key == "mechanism" && words.size() == 1) {
      arguments.subject = words.front();
      continue;
    }
    const std::string option = option_spelling(key, {});
    const bool takes_one = takes_of(usage, option) == cli::Takes::one_value;
    if (takes_one && words.size() != 1) return invalid(key, "takes one value", "");
    if (words.empty()) return invalid(key, "needs a value", "");
    arguments.values.emplace(option, std::move(words));
  }
  return arguments;
}

Result<void> check_size(const cli::Arguments& arguments, const char* option, std::int64_t most) {
  if (!arguments.has(option)) return {};
  VERNIER_TRY(const std::int64_t size, cli::read_whole(option + 2, arguments.one(option)));
  if (size <= most) return {};
  return invalid(option + 2, fmt::format("must be at most {} here, but it is {}", most, size),
                 "use the command line for more");
}

}  // namespace

Result<Told> answer_question(const Ask& ask) {
  for (const Question& question : questions) {
    if (question.route != ask.route) continue;
    VERNIER_TRY(const cli::Arguments arguments, arguments_of(ask, question.usage()));
    VERNIER_TRY(check_size(arguments, "--sample", most_draws_here));
    cli::Output output;
    VERNIER_TRY(question.run(arguments, output));
    return Told{200, "application/json", output.text()};
  }
  return invalid("there is no such question");
}

Result<Told> answer_coverage(const Ask& ask) {
  cli::Given given;
  for (const auto& [key, value] : ask.body.items()) {
    VERNIER_TRY(std::vector<std::string> words, words_of(key, value));
    given.values.emplace(key, std::move(words));
  }
  if (!given.has("simulations")) given.values["simulations"] = {std::to_string(most_simulations_here)};
  VERNIER_TRY(const std::int64_t simulations, cli::read_whole("simulations", given.one("simulations")));
  if (simulations > most_simulations_here) {
    return invalid("simulations", fmt::format("must be at most {} here", most_simulations_here),
                   "use the command line for more");
  }
  VERNIER_TRY(std::string text, cli::coverage_json(given));
  return Told{200, "application/json", std::move(text)};
}

}  // namespace vernier::server
