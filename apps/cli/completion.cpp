#include "cli/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"

namespace vernier::cli {
namespace {

// A branch of `case $previous`: what may follow an option that takes a value.
std::string branch(const Option& option) {
  if (option.value == "FILE.svg") return fmt::format("        {}) _vernier_drawing; return ;;\n", option.name);
  if (option.value == "FILE" || option.value == "DIR")
    return fmt::format("        {}) _vernier_file; return ;;\n", option.name);
  return fmt::format("        {}) _vernier_words \"{}\"; return ;;\n", option.name, fmt::join(option.choices, " "));
}

std::string command_branch(const Usage& usage) {
  std::string values;
  std::vector<std::string> names;
  for (const Option& option : all_options(usage)) {
    names.push_back(option.name);
    if (option.takes != Takes::nothing) values += branch(option);
  }
  const bool takes_a_file = usage.subject.ends_with(".toml") || usage.subject.ends_with(".json");
  const std::string object = usage.object.empty() ? "" : "if ((COMP_CWORD > 2)); then _vernier_file; return; fi; ";
  return fmt::format(
      "    {})\n      case $previous in\n{}      esac\n"
      "      case $word in\n        -*) _vernier_words \"{}\" ;;\n        *) {}{} ;;\n      esac "
      ";;\n",
      usage.name, values, fmt::join(names, " "), object,
      takes_a_file ? "_vernier_file" : fmt::format("_vernier_words \"{}\"", fmt::join(usage.subject_choices, " ")));
}

constexpr std::string_view head = R"(# Completion of vernier for bash; load it with: source <(vernier completion bash)
_vernier_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

_vernier_drawing() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.svg' -- "$word")
}

_vernier_file() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

_vernier() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
)";

}  // namespace

Usage completion_usage() {
  return {.name = "completion",
          .summary = "a script by which bash completes commands, options and mechanisms",
          .synopsis = "vernier completion SHELL",
          .subject = "SHELL",
          .subject_help = "bash",
          .subject_choices = {"bash"},
          .options = {},
          .example = "  source <(vernier completion bash)\n"};
}

std::string bash_completion(const std::vector<Usage>& usages) {
  std::vector<std::string> first = {"--help", "--version"};
  std::string branches;
  for (const Usage& usage : usages) {
    first.push_back(usage.name);
    branches += command_branch(usage);
  }
  return fmt::format(
      "{}  if ((COMP_CWORD == 1)); then _vernier_words \"{}\"; return; fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n}}\n\ncomplete -F _vernier vernier\n",
      head, fmt::join(first, " "), branches);
}

Result<void> run_completion(const Arguments& arguments, Output& output) {
  if (arguments.subject != "bash") {
    return invalid(
        fmt::format("the shell must be bash, but it is '{}'; write 'vernier completion bash'", arguments.subject));
  }
  if (arguments.has("--json")) return invalid("a script is no JSON; leave --json out");
  std::vector<Usage> usages;
  for (const Command& command : commands()) usages.push_back(command.usage);
  output.write(bash_completion(usages));
  return {};
}

}  // namespace vernier::cli
