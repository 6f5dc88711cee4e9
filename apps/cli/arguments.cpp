#include "cli/arguments.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "cli/output.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

bool is_option(std::string_view word) { return word.starts_with("--") || word == "-h"; }

// Reads the words from first to last into `arguments_`.
class Parser {
 public:
  Parser(const Usage& usage, std::span<const std::string> words)
      : command_(usage.name),
        has_subject_(!usage.subject.empty()),
        has_object_(!usage.object.empty()),
        options_(all_options(usage)),
        words_(words) {}

  Result<Arguments> run() {
    while (!words_.empty()) {
      const std::string word = next();
      if (Result<void> read = is_option(word) ? read_option(word) : read_subject(word); !read) {
        return Failure(read.error());
      }
    }
    return std::move(arguments_);
  }

 private:
  std::string next() {
    const std::string& word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  bool value_follows() const { return !words_.empty() && !is_option(words_.front()); }

  Result<void> read_subject(const std::string& word) {
    std::string* const place = free_place();
    if (place == nullptr || word.starts_with('-')) {
      const bool is_file = command_ == "catalog" && std::filesystem::exists(word);
      return invalid(fmt::format("the argument '{}' is not understood; {}see 'vernier {} --help'", word,
                                 is_file ? "name several files by a pattern in quotes, such as 'parts/*.csv', or " : "",
                                 command_));
    }
    *place = word;
    return {};
  }

  // Where the next argument without a name goes.
  std::string* free_place() {
    if (has_subject_ && arguments_.subject.empty()) return &arguments_.subject;
    return has_object_ && arguments_.object.empty() ? &arguments_.object : nullptr;
  }

  Result<void> read_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word == "-h" ? "--help" : word.substr(0, equals);
    const auto option = std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.name == name; });
    if (option == options_.end()) return unknown(name);
    std::vector<std::string> values;
    if (equals != std::string::npos) {
      values.push_back(word.substr(equals + 1));
    } else if (option->takes != Takes::nothing) {
      values = following_values(option->takes);
    }
    return keep(*option, values);
  }

  std::vector<std::string> following_values(Takes takes) {
    std::vector<std::string> values;
    while (value_follows() && (values.empty() || takes == Takes::several_values)) values.push_back(next());
    return values;
  }

  Result<void> keep(const Option& option, const std::vector<std::string>& found) {
    std::vector<std::string>& values = arguments_.values[option.name];
    values.insert(values.end(), found.begin(), found.end());
    if (option.takes == Takes::nothing && !values.empty()) {
      return invalid(option.name + " takes no value; write it alone");
    }
    if (option.takes != Takes::nothing && found.empty()) {
      return invalid(fmt::format("{0} needs a value; write it as {0} {1}", option.name, option.value));
    }
    if (option.takes == Takes::one_value && values.size() > 1) {
      return invalid(option.name + " is given more than once; give it once");
    }
    return {};
  }

  Failure unknown(const std::string& name) const {
    std::vector<std::string> known;
    for (const Option& option : options_) known.push_back(option.name);
    return invalid(
        fmt::format("the option {} is unknown{}; see 'vernier {} --help'", name, suggestion(name, known), command_));
  }

  std::string command_;
  bool has_subject_;
  bool has_object_;
  std::vector<Option> options_;
  std::span<const std::string> words_;
  Arguments arguments_;
};

std::string left_side(const Option& option) { return option.name + (option.value.empty() ? "" : " " + option.value); }

}  // namespace

std::vector<Option> all_options(const Usage& usage) {
  std::vector<Option> options = usage.options;
  options.push_back({"--json", Takes::nothing, "", "print one JSON object instead of text for a person"});
  options.push_back({"--help", Takes::nothing, "", "print this help"});
  return options;
}

Result<Arguments> parse(const Usage& usage, std::span<const std::string> words) { return Parser(usage, words).run(); }

std::string help_of(const Usage& usage) {
  const std::vector<Option> options = all_options(usage);
  std::size_t widest = std::max(usage.subject.size(), usage.object.size());
  for (const Option& option : options) widest = std::max(widest, left_side(option).size());
  std::string text = fmt::format("vernier {}: {}\n\nUsage:\n  {}\n\n", usage.name, usage.summary, usage.synopsis);
  if (!usage.subject.empty()) text += fmt::format("  {:<{}}  {}\n", usage.subject, widest, usage.subject_help);
  if (!usage.object.empty()) text += fmt::format("  {:<{}}  {}\n", usage.object, widest, usage.object_help);
  for (const Option& option : options) text += fmt::format("  {:<{}}  {}\n", left_side(option), widest, option.help);
  return text + "\nExample:\n" + usage.example;
}

Result<std::optional<std::string>> plot_file(const Arguments& arguments) {
  if (!arguments.has("--plot")) return std::nullopt;
  const std::string& path = arguments.one("--plot");
  if (path.ends_with(".svg") || path.ends_with(".SVG")) {
    return study::check_new(path).map([&] { return std::optional(path); });
  }
  return invalid(fmt::format("--plot draws SVG, so its file must end in .svg, but it is '{}'", path));
}

Given given_by(const Arguments& arguments) {
  Given given;
  for (const auto& [option, values] : arguments.values) {
    std::string name = option.substr(2);
    std::replace(name.begin(), name.end(), '-', '_');
    given.values.emplace(std::move(name), values);
  }
  return given;
}

}  // namespace vernier::cli
