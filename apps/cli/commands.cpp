#include "cli/commands.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/compose/compose.hpp"
#include "cli/coverage/coverage.hpp"
#include "cli/output.hpp"
#include "server/worker/answers.hpp"
#include "vernier/core/version.hpp"

namespace vernier::cli {

// A new command is one line here.
// clang-format off
std::vector<Command> commands() {
  return {
      {plan_usage(), run_plan},
      {release_usage(), run_release},
      {query_usage(), run_query},
      {sql_usage(), run_sql},
      {verify_usage(), run_verify},
      {bounds_usage(), run_bounds},
      {synthetic_usage(), run_synthetic},
      {check_synthetic_usage(), run_check_synthetic},
      {key_usage(), run_key},
      {demo_usage(), run_demo},
      {serve_usage(), run_serve},
      {calibrate_usage(), run_calibrate},
      {compose_usage(), run_compose},
      {law_usage(), run_law},
      {coverage_usage(), run_coverage},
      {audit_usage(), run_audit},
      {catalog_usage(), run_catalog},
      {engine_usage(), run_engine},
      {ledger_usage(), run_ledger},
      {completion_usage(), run_completion},
  };
}
// clang-format on

namespace {

std::string overview() {
  std::string text =
      "vernier: statistics about people, with a privacy guarantee and an honest margin of error\n\n"
      "Usage:\n  vernier COMMAND ...\n\nCommands:\n";
  for (const Command& command : commands()) {
    text += fmt::format("  {:<15} {}\n", command.usage.name, command.usage.summary);
  }
  return text +
         "\n'vernier COMMAND --help' tells more; 'vernier --version' tells the version.\n\n"
         "Example:\n  vernier demo\n  vernier plan study.toml\n  vernier law geometric --scale 10 --tail 30\n  vernier "
         "calibrate geometric --accuracy 50\n"
         "  vernier compose --event laplace,scale=20,times=100 --delta 1e-6\n";
}

Result<void> run_command(const Command& command, std::span<const std::string> words, Output& output) {
  VERNIER_TRY(const Arguments arguments, parse(command.usage, words));
  if (!arguments.has("--help")) return command.run(arguments, output);
  output.write(help_of(command.usage));
  return {};
}

Failure unknown_command(const std::string& word) {
  std::vector<std::string> known = {"--help", "--version"};
  for (const Command& command : commands()) known.push_back(command.usage.name);
  return invalid(fmt::format("the command '{}' is unknown{}; see 'vernier --help'", word, suggestion(word, known)));
}

Result<void> run(std::span<const std::string> words, Output& output) {
  const std::string& first = words.front();
  for (const Command& command : commands()) {
    if (command.usage.name == first) return run_command(command, words.subspan(1), output);
  }
  if (first == "--help" || first == "-h" || first == "help") {
    output.write(overview());
  } else if (first == "--version") {
    output.write(fmt::format("vernier {}\n", version()));
  } else {
    return unknown_command(first);
  }
  return {};
}

// Parameters that the command takes are spelled as its options, and others as they are.
vernier::Spelling spelling_of(std::span<const std::string> words) {
  std::vector<Option> options;
  for (const Command& command : commands()) {
    if (!words.empty() && command.usage.name == words.front()) options = all_options(command.usage);
  }
  return [options = std::move(options)](std::string_view name, std::string_view value) {
    const std::string option = option_spelling(name, {});
    const bool is_known =
        std::any_of(options.begin(), options.end(), [&](const Option& o) { return o.name == option; });
    return is_known ? option_spelling(name, value) : plain_spelling(name, value);
  };
}

bool wants_json(std::span<const std::string> words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

// On standard error for people, and with --json on standard output for programs as well.
int report(const Error& error, std::span<const std::string> words, bool is_told) {
  const vernier::Spelling spelling = spelling_of(words);
  std::fputs(error_lines(error, spelling).c_str(), stderr);
  if (wants_json(words) && !is_told) {
    std::string text;
    vernier::JsonWriter json(text);
    write_error(json, error, spelling);
    std::fputs((text + "\n").c_str(), stdout);
  }
  return exit_code(error);
}

int run_words(std::span<const std::string> words) {
  if (!words.empty() && words.front() == "serve-worker") {  // of 'vernier serve', which starts it
    return server::work({words.begin() + 1, words.end()});
  }
  if (words.empty()) {
    std::fputs(overview().c_str(), stderr);
    return exit_usage;
  }
  Output output(stdout);
  Result<void> done = run(words, output);
  if (done) done = output.finish();
  return done ? exit_success : report(done.error(), words, output.has_written());
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no further is an error like any other, with a sentence
  try {
    return run_words(words);
  } catch (const std::exception& error) {
    return report({ErrorKind::system, std::string("the program failed: ") + error.what()}, words, false);
  }
}

}  // namespace vernier::cli
